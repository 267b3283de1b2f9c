// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// What the manager of accounts asks and tells.
extension TokenManager {
    /// How a credential stands to the login of the account.
    func owns(_ credential: Credential) -> LoginIdentity.Relation {
        renewal.knowledge.state { $0.relation(to: credential) }
    }

    /// Whether the use of the account ended for good.
    var isClosed: Bool { renewal.knowledge.state { $0.isClosed } }

    /// Client and grant for the renewals from now on.
    func renew(by means: TokenMeans?) { renewal.knowledge.means = means }

    /// The newest credential of the login there is, the stored one or one that could not be saved.
    func lastCredential(stored: Credential.Stored?) -> Credential? {
        renewal.knowledge.state { known in
            let finding = known.find(stored, of: known.login, previous: nil)
            if case .newest(let credential) = finding { return credential }
            return known.last
        }
    }
}
