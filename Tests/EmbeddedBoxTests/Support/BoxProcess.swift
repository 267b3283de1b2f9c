// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestCurl
import Synchronization

/// A box in a process of its own, which can be killed.
final class BoxProcess: BoxCaller, Sendable {
    let origin: String
    let token = "sl.kept-over-restarts"
    let transport = CurlTransport()
    private let process: Mutex<Process>
    private let identifier: Int32
    /// The process ends when this end is closed, so also with the tests.
    private let input: Pipe

    struct DidNotStart: Error {}

    init(folder: String) throws {
        let (process, output) = (Process.tool(), Pipe())
        input = Pipe()
        process.executableURL = BuiltProgram.url("boxserver")
        process.arguments = [folder, token]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else { throw DidNotStart() }
        origin = "http://127.0.0.1:\(port)"
        identifier = process.processIdentifier
        self.process = Mutex(process)
    }

    /// Ends the process where it stands.
    func kill() {
        _ = Foundation.kill(identifier, SIGKILL)
        process.withLock { $0.waitUntilExit() }
    }
}
