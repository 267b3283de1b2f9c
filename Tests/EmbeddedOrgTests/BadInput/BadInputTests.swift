// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Bad input", .serialized)
struct BadInputTests {
    private func check(_ input: BadInput) async throws { try await BadInputStage.shared.check(input) }

    @Test("hosts and origins", arguments: BadInput.hosts) func hosts(input: BadInput) async throws {
        try await check(input)
    }
    @Test("framing", arguments: BadInput.framing) func framing(input: BadInput) async throws { try await check(input) }
    @Test("bodies", arguments: BadInput.bodies) func bodies(input: BadInput) async throws { try await check(input) }
    @Test("paths and ids", arguments: BadInput.paths) func paths(input: BadInput) async throws {
        try await check(input)
    }
    @Test("queries", arguments: BadInput.queries) func queries(input: BadInput) async throws { try await check(input) }
    @Test("sessions", arguments: BadInput.sessions) func sessions(input: BadInput) async throws {
        try await check(input)
    }
    @Test("logins", arguments: BadInput.logins) func logins(input: BadInput) async throws { try await check(input) }
    @Test("files", arguments: BadInput.files) func files(input: BadInput) async throws { try await check(input) }
    @Test("composites", arguments: BadInput.composites) func composites(input: BadInput) async throws {
        try await check(input)
    }
    @Test("conditions", arguments: BadInput.conditions) func conditions(input: BadInput) async throws {
        try await check(input)
    }

    /// Rows that take several requests, a clock or another server have tests of their own, with the row in their names.
    @Test("every row from B1 to B85 has a case here or a test with its name")
    func rows() throws {
        let tables = [
            BadInput.hosts, BadInput.framing, BadInput.bodies, BadInput.paths, BadInput.queries, BadInput.sessions,
            BadInput.logins, BadInput.files, BadInput.composites, BadInput.conditions,
        ]
        let cases = tables.flatMap(\.self)
        let rows = Set(cases.map(\.row))
        let tests = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        var names = ""
        for folder in ["EmbeddedOrgTests", "EmbeddedBoxTests/Files"] {
            let files = FileManager.default.enumerator(atPath: tests.appending(path: folder).path)
            for case let file as String in files ?? .init() where file.hasSuffix(".swift") {
                names += try String(contentsOf: tests.appending(path: "\(folder)/\(file)"), encoding: .utf8)
            }
        }
        let missing = (1...85).filter { row in !rows.contains(row) && !names.contains(row: row) }
        #expect(missing.isEmpty)
        #expect(cases.count > 300)
    }
}

extension String {
    /// Whether a test's name has the row in parentheses, alone or among others: `(B41)`.
    fileprivate func contains(row: Int) -> Bool {
        ["(B\(row))", "(B\(row),", " B\(row))", " B\(row),"].contains { contains($0) }
    }
}
