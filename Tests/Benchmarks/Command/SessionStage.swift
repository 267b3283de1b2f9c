// SPDX-License-Identifier: Apache-2.0

import Foundation
import Terminals

/// A separate home directory in which sessions are started.
struct SessionStage {
    private let home = FileManager.default.temporaryDirectory.appending(path: "soql-home-\(UUID().uuidString)").path

    init() throws {
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    }

    func close() { try? FileManager.default.removeItem(atPath: home) }

    /// Starts a session with only these settings.
    func start(_ settings: [String: String], _ arguments: [String] = []) throws -> TerminalSession {
        let own = [
            "HOME": home, "PATH": "/usr/bin:/bin", "TERM": "xterm", "LC_ALL": "C.UTF-8", "PAGER": "", "NO_COLOR": "1",
            "VISUAL": "true",
        ]
        return try TerminalSession(
            program: soqlProgram, arguments, environment: own.merging(settings) { $1 }, in: home, columns: 80,
            rows: 24, leads: true)
    }
}
