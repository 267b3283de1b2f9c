// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation

/// Measures how fast the command starts and responds, compared with `curl`.
///
/// `make bench` builds the program with `.ci/dist program`, as in the archive for users: it contains Swift's libraries,
/// and loads those that it shares with `curl` from the operating system.
func commandFigures() async throws {
    try await sessionFigures()
    let soql = soqlProgram
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/curl") else {
        return Figure.absent("command.version", peer: "curl")
    }
    let version = try await Pairs(11) {
        try times(20) { try run("/usr/bin/curl", ["--version"]) }
    } ours: {
        try times(20) { try run(soql, ["--version"]) }
    }
    version.figure("command.version", atMost: 1.3).print()

    let org = try await LocalOrg.start()
    let token = org.issueCredential().accessToken
    let query = "SELECT Id, Name FROM Account ORDER BY Name LIMIT 10"
    let path = "/services/data/v66.0/query?q=" + query.split(separator: " ").joined(separator: "%20")
    let response = try await Pairs(11) {
        try times(20) {
            try run("/usr/bin/curl", ["-s", "-H", "Authorization: Bearer \(token)", org.instanceURL + path])
        }
    } ours: {
        try times(20) {
            try run(soql, [query], environment: ["SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": token])
        }
    }
    response.figure("command.query", atMost: 1.7).print()
    await org.stop()
}

/// The command in `SOQL_PROGRAM`, or the one next to this program.
let soqlProgram =
    ProcessInfo.processInfo.environment["SOQL_PROGRAM"]
    ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("soql").path

private func times(_ count: Int, _ work: () throws -> Void) rethrows {
    for _ in 0..<extent(count, short: 1) { try work() }
}
