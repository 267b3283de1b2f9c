// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import Testing

@testable import ClosureCommand

@Suite("Calls that are noted")
@MainActor
struct CallLogTests {
    private let org: LocalOrg
    private let client: RestClient

    init() async throws {
        org = try await LocalOrg.start()
        client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
    }

    /// Records a call, as an asynchronous function that the closure resumes.
    private func note(_ subject: String, with account: String) async -> Result<CallLog.Note, RestError> {
        await withCheckedContinuation { continuation in
            CallLog(client: client).note(subject, with: account) { continuation.resume(returning: $0) }
        }
    }

    @Test("become tasks of the account")
    func areTasks() async throws {
        let note = try await note("Asked for an offer", with: "Alder Bank").get()
        let tasks = try await client.records(
            "SELECT Subject, What.Name, IsClosed FROM Task WHERE Id = \(note.id)"
        ).collect(limit: 2)
        #expect(tasks.map { $0["Subject"]?.string } == ["Asked for an offer"])
        #expect(tasks.map { $0["What"]?["Name"]?.string } == ["Alder Bank"])
        #expect(tasks.map { $0["IsClosed"]?.bool } == [true])
    }

    @Test("are refused for a name that no account has, or several", arguments: ["D'Arcy & Sons", "Twin"])
    func needOneAccount(name: String) async throws {
        let twin = Record.Draft("Account", ["Name": "Twin"])
        _ = try await client.send(.create([twin, twin])).get()
        let result = await note("Hello", with: name)
        #expect(throws: RestError.self) { try result.get() }
        #expect(!org.journal.entries.contains { $0.pathHasSuffix("sobjects/Task") })
    }

    @Test("are noted once, although the session ended before")
    func areNotedOnce() async throws {
        _ = try await client.send(.limits)
        org.faults.expireAccessTokens()
        _ = try await note("Called back", with: "Alder Bank").get()
        #expect(org.journal.entries.count { $0.pathHasSuffix("sobjects/Task") && $0.status == 201 } == 1)
    }

    @Test("end with the org's reason when it refuses them")
    func rejections() async {
        org.faults.add(.status(403, code: "API_DISABLED_FOR_ORG", message: "Not today."), matching: "/Task")
        let result = await note("Hello", with: "Alder Bank")
        guard case .failure(let error) = result else {
            Issue.record("it was noted")
            return
        }
        #expect(error.faults.map(\.message) == ["Not today."])
    }
}
