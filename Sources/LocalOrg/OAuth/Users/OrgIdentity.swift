// SPDX-License-Identifier: Apache-2.0

/// Who the org is and what its one connected app and its one login user are called.
///
/// The app's key and secret and the user's password are made anew at every start, also for an org kept in a file: a
/// stored secret would be one more thing to guard, and `soql org start` prints them each time.
struct OrgIdentity: Sendable {
    let clientID: String
    let clientSecret: String
    let username: String
    let password: String
    let organizationID: String
    let userID: String
    let instanceURL: String

    init(userID: String, instanceURL: String) {
        clientID = "3MVG9" + RandomText.make(58)
        clientSecret = RandomText.make(64)
        username = "admin@" + RandomText.make(8).lowercased() + ".localorg.test"
        password = RandomText.make(24)
        organizationID = RecordID.make(prefix: "00D", number: 1)
        self.userID = userID
        self.instanceURL = instanceURL
    }

    /// The identity URL that names the user in token answers.
    var identityURL: String { "\(instanceURL)/id/\(organizationID)/\(userID)" }
}
