// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import Testing

@testable import DelegateHost

@Suite("A list of accounts")
@MainActor
struct AccountListTests {
    private let org: LocalOrg
    private let list: AccountList
    private let states: States

    /// The states that the list has reported.
    @MainActor
    private final class States {
        var all: [AccountList.State] = []
    }

    init() async throws {
        org = try await LocalOrg.start()
        list = AccountList(
            client: try RestClient(
                loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret)))
        let states = States()
        self.states = states
        list.onChange = { states.all.append($0) }
    }

    @Test("is loaded, sorted by name")
    func loads() async {
        list.load(industry: "Banking")
        await list.finish()
        guard case .loaded(let accounts) = list.state else {
            Issue.record("\(list.state)")
            return
        }
        #expect(accounts.first == Account(name: "Alder Bank", phone: "+1 555 0110"))
        #expect(accounts.map(\.name) == accounts.map(\.name).sorted())
        #expect(states.all == [.loading, .loaded(accounts)])
    }

    @Test("asks once, however often it is told to")
    func loadsOnce() async {
        for _ in 0..<3 { list.load(industry: "Banking") }
        await list.finish()
        #expect(org.journal.entries.count { $0.target.contains("/query") } == 1)
    }

    @Test("says what the org refused, and can be loaded again")
    func fails() async {
        org.faults.add(.status(403, code: "API_DISABLED_FOR_ORG", message: "Not today."), matching: "/query")
        list.load(industry: "Banking")
        await list.finish()
        guard case .failed(let message) = list.state else {
            Issue.record("\(list.state)")
            return
        }
        #expect(message.contains("Not today."))
        list.load(industry: "Banking")
        await list.finish()
        #expect(states.all.count == 4)
    }

    @Test("ends with one callback when it is cancelled")
    func isCancelled() async {
        org.faults.add(.delay(.seconds(60)), matching: "/query")
        list.load(industry: "Banking")
        list.cancel()
        await list.finish()
        #expect(states.all == [.loading, .cancelled])
    }

    @Test("ends with one callback when the org takes too long")
    func timesOut() async {
        org.faults.add(.delay(.seconds(60)), matching: "/query")
        list.load(industry: "Banking", timeout: .milliseconds(500))
        await list.finish()
        #expect(states.all == [.loading, .timedOut])
    }
}
