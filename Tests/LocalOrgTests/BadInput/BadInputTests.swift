// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Bad input", .serialized)
struct BadInputTests {
    private func check(_ input: BadInput) async throws { try await BadInputStage.shared.check(input) }

    @Test("hosts and origins", arguments: BadInput.hosts) func hosts(input: BadInput) async throws { try await check(input) }
    @Test("framing", arguments: BadInput.framing) func framing(input: BadInput) async throws { try await check(input) }
    @Test("bodies", arguments: BadInput.bodies) func bodies(input: BadInput) async throws { try await check(input) }
    @Test("paths and ids", arguments: BadInput.paths) func paths(input: BadInput) async throws { try await check(input) }
    @Test("queries", arguments: BadInput.queries) func queries(input: BadInput) async throws { try await check(input) }
    @Test("sessions", arguments: BadInput.sessions) func sessions(input: BadInput) async throws { try await check(input) }
    @Test("logins", arguments: BadInput.logins) func logins(input: BadInput) async throws { try await check(input) }
    @Test("files", arguments: BadInput.files) func files(input: BadInput) async throws { try await check(input) }
    @Test("composites", arguments: BadInput.composites) func composites(input: BadInput) async throws { try await check(input) }
    @Test("conditions", arguments: BadInput.conditions) func conditions(input: BadInput) async throws { try await check(input) }
}
