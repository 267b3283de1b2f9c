// SPDX-License-Identifier: Apache-2.0

import Observation
import RestSDK

/// The accounts, and the contacts of the selected account.
///
/// Views observe its properties: SwiftUI automatically, other views with `Observations`.
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

    /// Loads the accounts again.
    func loadAccounts() async {
        accounts = .loading
        accounts = await load(Account.largest)
    }

    /// Selects an account and loads its contacts.
    ///
    /// If the user selects another account in the meantime, ``contacts`` has the contacts of that account, regardless
    /// of the order of the responses.
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
