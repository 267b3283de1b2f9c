// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// What the login server knows this program as.
struct ClientApp: Sendable {
    var server: Origin
    /// The client that every org has for programs without a secret; register one for what you give to others.
    var clientID = "PlatformCLI"
    /// Where the browser comes back to, as it is registered for the client.
    var redirectURI = "http://localhost:1717/OauthRedirect"
    var scopes = ["api", "refresh_token"]

    /// The app at the server that `SF_LOGIN_URL` names.
    static func ofEnvironment(
        _ variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> ClientApp {
        ClientApp(server: try HTTPURL(parsing: variables["SF_LOGIN_URL"] ?? "https://login.salesforce.com").origin)
    }

    /// Prints the address of the login page, opens it in the user's own browser, and listens for the way back.
    var presenter: LoopbackPresenter {
        get throws {
            LoopbackPresenter(options: try LoopbackPresenter.Options(redirectURI: redirectURI)) { page in
                print("The login page opens in your browser. If it does not, open this address:", page, separator: "\n")
                let failed: @Sendable (OAuthError) -> Void = { _ in print("No browser opened.") }
                do throws(OAuthError) {
                    try LoopbackPresenter.openBrowser(page, onFailure: failed)
                } catch {
                    failed(error)
                }
            }
        }
    }
}
