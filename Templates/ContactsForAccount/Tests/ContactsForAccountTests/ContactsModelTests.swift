// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Observation
import RestSDK
import Testing

@testable import ContactsForAccount

@Suite("Accounts and their contacts")
@MainActor
struct ContactsModelTests {
    private let org: LocalOrg
    private let model: ContactsModel

    init() async throws {
        org = try await LocalOrg.start()
        model = ContactsModel(
            client: try RestClient(
                loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret)))
    }

    /// Loads the accounts.
    private func accounts() async throws -> [Account] {
        await model.loadAccounts()
        return try #require(model.accounts.value)
    }

    @Test("An account's contacts are shown when it is chosen")
    func selecting() async throws {
        let account = try #require(await accounts().first)
        await model.select(account)
        #expect(model.selection == account)
        let contacts = try #require(model.contacts.value)
        #expect(!contacts.isEmpty)
        #expect(Screen(model).text.hasPrefix("\(account.name):\n1\t\(contacts[0].name), "))
    }

    @Test("The last choice counts, although an earlier answer comes after its own")
    func choosingTwice() async throws {
        let accounts = try await accounts()
        org.faults.add(.delay(.seconds(1)), matching: accounts[0].id)
        async let first: Void = model.select(accounts[0])
        // The first response is still in flight when the second account is selected.
        while model.selection != accounts[0] { await Task.yield() }
        await model.select(accounts[1])
        let contacts = try #require(model.contacts.value)
        await first
        #expect(model.selection == accounts[1])
        #expect(model.contacts.value == contacts)
    }

    @Test("A failure is shown with advice, and loading again mends it")
    func failing() async throws {
        org.faults.add(.status(403, code: "API_DISABLED_FOR_ORG", message: "Not today."), matching: "/query")
        await model.loadAccounts()
        guard case .failed(let error) = model.accounts else {
            Issue.record("\(model.accounts)")
            return
        }
        #expect(error.message.contains("Not today."))
        #expect(Screen(model).text.contains(error.advice))
        #expect(try await !accounts().isEmpty)
    }

    @Test("Whoever watches is told of a change")
    func publishing() async throws {
        let account = try #require(await accounts().first)
        await confirmation { isTold in
            withObservationTracking {
                _ = model.contacts
            } onChange: {
                isTold()
            }
            await model.select(account)
        }
    }
}
