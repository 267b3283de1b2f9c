// SPDX-License-Identifier: Apache-2.0

/// The model as text on a terminal.
struct Screen: Sendable {
    let text: String
    /// Whether the screen will change without input of the user.
    let isWaiting: Bool

    @MainActor
    init(_ model: ContactsModel) {
        isWaiting = model.accounts.isLoading || model.contacts.isLoading
        if let account = model.selection {
            text = Self.text(of: model.contacts, title: "\(account.name):") { contact in
                [contact.name, contact.title, contact.email].compactMap(\.self).joined(separator: ", ")
            }
        } else {
            text = Self.text(of: model.accounts, title: "Accounts:") { account in
                [account.name, account.industry].compactMap(\.self).joined(separator: ", ")
            }
        }
    }

    private static func text<Row>(of rows: Loadable<[Row]>, title: String, line: (Row) -> String) -> String {
        switch rows {
        case .idle: ""
        case .loading: "Loading …\n"
        case .loaded(let rows):
            rows.enumerated().reduce("\(title)\n") { "\($0)\($1.offset + 1)\t\(line($1.element))\n" }
        case .failed(let error): "\(error.message)\n\(error.advice)\n"
        }
    }
}
