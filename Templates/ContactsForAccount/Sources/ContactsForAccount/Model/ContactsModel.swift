// SPDX-License-Identifier: Apache-2.0

import Observation
import RestSDK

/// The accounts, and the contacts of the one that is chosen.
///
/// Views read its properties and are told when they change: SwiftUI by itself, others by `Observations`.
@MainActor
@Observable
final class ContactsModel {
    private(set) var accounts = Loadable<[Account]>.idle
    private(set) var selection: Account?
    /// The contacts of ``selection``.
    private(set) var contacts = Loadable<[Contact]>.idle

    private let client: RestClient

    init(client: RestClient) {
        self.client = client
    }

    /// Reads the accounts anew.
    func loadAccounts() async {
        accounts = .loading
        accounts = await load(Account.largest)
    }

    /// Chooses an account and reads its contacts.
    ///
    /// Whoever chooses another one meanwhile gets that one's contacts, whichever answer comes last.
    func select(_ account: Account) async {
        selection = account
        contacts = .loading
        let found: Loadable<[Contact]> = await load(Contact.all(of: account))
        if selection == account { contacts = found }
    }

    private func load<Row: Decodable & Sendable>(_ query: SOQL) async -> Loadable<[Row]> {
        do {
            return .loaded(try await client.records(query, as: Row.self).collect(limit: 500))
        } catch {
            return .failed(error)
        }
    }
}
