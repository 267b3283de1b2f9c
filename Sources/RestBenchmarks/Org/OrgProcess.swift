// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalOrg

/// An org in a process of its own, so that its memory is its own.
struct OrgProcess {
    let port: Int
    let token: String
    private let process: Process
    private let input = Pipe()
    private let output = Pipe()

    private static let variable = "RESTSDK_ORG_PROCESS"

    /// Whether this process is the org.
    static var isOurs: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    /// Runs the org until the parent closes the input, and tells it the greatest memory then.
    static func serve() async throws {
        raiseDescriptorLimit()
        let org = try await LocalOrg.start()
        print("\(org.port) \(org.issueCredential().accessToken)")
        fflush(nil)
        _ = try FileHandle.standardInput.readToEnd()
        print(ProcessMemory.peak ?? 0)
        await org.stop()
    }

    init() throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["org"]
        process.environment = ProcessInfo.processInfo.environment.merging([Self.variable: "1"]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n"), let byte = try output.fileHandleForReading.read(upToCount: 1) {
            line += byte
        }
        let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count == 2, let port = Int(words[0]) else {
            throw CommandFailed(command: "org", status: process.isRunning ? 0 : process.terminationStatus)
        }
        self.port = port
        token = words[1]
    }

    /// Ends the org; the result is the most memory that it ever held, in bytes.
    func stop() throws -> Int {
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let peak = Int(text.filter(\.isNumber)), peak > 0 else {
            throw CommandFailed(command: "org", status: process.terminationStatus)
        }
        return peak
    }
}

/// Lets this process open as many descriptors as it may.
func raiseDescriptorLimit() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 16_384)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
