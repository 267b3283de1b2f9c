// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// The ids of the org, and the credentials of its connected app and of its first user.
///
/// The app's key and secret and the user's password are new at every start, even for an org kept in a file. A stored
/// secret would need protection, and `soql org start` prints them each time.
struct OrgIdentity: Sendable {
    let clientID: String
    let clientSecret: String
    let username: String
    let password: String
    let organizationID: String
    let userID: String
    let instanceURL: String
    /// For whom assertions may be meant, beside the instance.
    let audiences: [String]

    /// Names an org by the number of its user's row, which differs between orgs of different seeds; `names` are further
    /// ones of the server.
    init(row: Int64, instanceURL: String, names: [String] = []) {
        clientID = "3MVG9" + RandomText.make(58)
        clientSecret = RandomText.make(64)
        username = "admin@" + RandomText.make(8).lowercased() + ".localorg.test"
        password = RandomText.make(24)
        organizationID = RecordID.make(prefix: "00D", number: row)
        userID = RecordID.make(prefix: "005", number: row)
        self.instanceURL = instanceURL
        audiences = (names + ["login.salesforce.com"]).map { "https://\($0)" }
    }

    /// The identity URL that names a user in token answers.
    func identityURL(of user: String) -> String { "\(instanceURL)/id/\(organizationID)/\(user)" }
}
