// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

extension RestClient {
    /// The client of the org that the environment names, as `soql org start` prints it.
    ///
    /// It logs in by itself, at the first call and whenever its token ends.
    static func ofEnvironment(
        _ variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws(RestError) -> RestClient {
        guard let server = variables["SF_LOGIN_URL"], let id = variables["SF_CLIENT_ID"],
            let secret = variables["SF_CLIENT_SECRET"]
        else { throw RestError(.noAccount, "set SF_LOGIN_URL, SF_CLIENT_ID and SF_CLIENT_SECRET") }
        return try RestClient(loginURL: server, clientID: id, clientSecret: Secret(secret))
    }
}
