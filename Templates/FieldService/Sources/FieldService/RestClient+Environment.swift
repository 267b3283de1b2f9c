// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSync

extension RestClient {
    /// Creates a client for the org in the environment variables, as printed by `soql org start`.
    ///
    /// The client logs in automatically, at the first call and whenever its token has expired.
    static func ofEnvironment(
        _ variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws(RestError) -> RestClient {
        guard let server = variables["SF_LOGIN_URL"], let id = variables["SF_CLIENT_ID"],
            let secret = variables["SF_CLIENT_SECRET"]
        else { throw RestError(.noAccount, "set SF_LOGIN_URL, SF_CLIENT_ID and SF_CLIENT_SECRET") }
        return try RestClient(loginURL: server, clientID: id, clientSecret: Secret(secret))
    }
}
