// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation

/// A parser in another language in a separate process.
///
/// It reads the page from a file. It responds to every line of input with the mean seconds of one parse, from parses
/// for about 0.1 seconds.
final class JSONPeer {
    private let process = Process.tool(limit: Int(AreaProcess.limit))
    private let input = Pipe()
    private let output = Pipe()

    /// Starts a command, or returns `nil` if it cannot run or does not respond.
    init?(_ command: [String]) {
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = input
        process.standardOutput = output
        guard (try? process.run()) != nil, seconds() != nil else { return nil }
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Requests one measurement.
    func seconds() -> Double? {
        guard (try? input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))) != nil else { return nil }
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { return nil }
            line += part
        }
        return Double(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Node's `JSON.parse` on a string that is already decoded, which is an advantage.
    static func node(page: URL, directory: URL) -> JSONPeer? {
        let script = directory.appendingPathComponent("peer.js")
        guard (try? nodeSource.write(to: script, atomically: true, encoding: .utf8)) != nil,
            let node = executable("node")
        else { return nil }
        return JSONPeer([node, script.path, page.path])
    }

    /// simdjson's DOM parser, compiled here from its system package.
    static func simdjson(page: URL, directory: URL) -> JSONPeer? {
        let source = directory.appendingPathComponent("peer.cpp")
        let program = directory.appendingPathComponent("peer")
        guard (try? simdjsonSource.write(to: source, atomically: true, encoding: .utf8)) != nil,
            let compiler = executable("g++") ?? executable("clang++")
        else { return nil }
        let build = Process.tool(limit: Int(AreaProcess.limit))
        build.executableURL = URL(fileURLWithPath: compiler)
        build.arguments = ["-O3", "-std=c++17", "-o", program.path, source.path, "-lsimdjson"]
        build.standardError = FileHandle.nullDevice
        guard (try? build.run()) != nil else { return nil }
        build.waitUntilExit()
        guard build.terminationStatus == 0 else { return nil }
        return JSONPeer([program.path, page.path])
    }

    static func executable(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    private static let nodeSource = """
        const page = require('fs').readFileSync(process.argv[2], 'utf8');
        require('readline').createInterface({ input: process.stdin }).on('line', () => {
          const start = process.hrtime.bigint();
          let calls = 0, elapsed = 0, value;
          while (elapsed < 0.1) {
            value = JSON.parse(page);
            calls++;
            elapsed = Number(process.hrtime.bigint() - start) / 1e9;
          }
          if (value.records.length === 0) throw new Error('no records');
          console.log(elapsed / calls);
        });
        """

    private static let simdjsonSource = """
        #include <chrono>
        #include <iostream>
        #include <simdjson.h>
        int main(int, char **argv) {
          simdjson::padded_string page = simdjson::padded_string::load(argv[1]);
          simdjson::dom::parser parser;
          std::string line;
          while (std::getline(std::cin, line)) {
            auto start = std::chrono::steady_clock::now();
            double elapsed = 0;
            int calls = 0;
            while (elapsed < 0.1) {
              simdjson::dom::element value;
              if (parser.parse(page).get(value)) return 1;
              calls++;
              elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            }
            std::cout << elapsed / calls << std::endl;
          }
        }
        """
}
