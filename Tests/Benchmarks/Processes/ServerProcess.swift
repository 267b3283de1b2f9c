// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation

/// An embedded server in a separate process with its own memory and CPU time.
///
/// The process runs this program with the name of an area, whose code first checks ``isOurs``.
struct ServerProcess {
    let port: Int
    let token: String
    private let process: Process
    private let input = Pipe()
    private let output = Pipe()

    private static let variable = "RESTSDK_SERVER_PROCESS"

    static var isOurs: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    /// Prints the port and token, waits until the parent closes the input, and prints the peak memory.
    static func serve(port: Int, token: String) throws {
        print("\(port) \(token)")
        fflush(nil)
        _ = try FileHandle.standardInput.readToEnd()
        print(ProcessMemory.peak ?? 0)
    }

    /// Starts the server of an area, with additional environment variables.
    init(area: String, settings: [String: String] = [:]) throws {
        process = Process.tool(adding: settings.merging([Self.variable: "1"]) { $1 }, limit: Int(AreaProcess.limit))
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [area]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n"), let byte = try output.fileHandleForReading.read(upToCount: 1) {
            line += byte
        }
        let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count == 2, let port = Int(words[0]) else {
            throw CommandFailed(command: area, status: process.isRunning ? 0 : process.terminationStatus)
        }
        self.port = port
        token = words[1]
    }

    /// Kills the server.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Stops the server, and returns its peak memory in bytes.
    @discardableResult
    func stop() throws -> Int {
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let peak = Int(text.filter(\.isNumber)), peak > 0 else {
            throw CommandFailed(command: process.arguments?.first ?? "", status: process.terminationStatus)
        }
        return peak
    }
}

/// Raises this process's limit of open descriptors to the maximum.
func raiseDescriptorLimit() {
    var limit = rlimit()
    #if canImport(Darwin)
    let files = RLIMIT_NOFILE
    #else
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    guard unsafe getrlimit(files, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 16_384)
    _ = unsafe setrlimit(files, &limit)
}
