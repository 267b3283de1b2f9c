// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The data of a contact in the app.
struct Contact: Decodable, Identifiable, Hashable, Sendable {
    let id: String
    let name: String
    let title: String?
    let email: String?

    enum CodingKeys: String, CodingKey {
        case id = "Id"
        case name = "Name"
        case title = "Title"
        case email = "Email"
    }

    /// The contacts of an account.
    static func all(of account: Account) -> SOQL {
        """
        SELECT Id, Name, Title, Email FROM Contact WHERE AccountId = \(account.id) ORDER BY LastName, Id LIMIT 500
        """
    }
}
