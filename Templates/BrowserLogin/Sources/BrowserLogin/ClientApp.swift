// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// The program as an OAuth client.
struct ClientApp: Sendable {
    var server: Origin
    /// The client ID that every org has for programs without a secret.
    ///
    /// Register a client for a program that you distribute.
    var clientID = "PlatformCLI"
    /// The URL to which the browser returns, as registered for the client.
    var redirectURI = "http://localhost:1717/OauthRedirect"
    var scopes = ["api", "refresh_token"]

    /// Creates the client for the server in `SF_LOGIN_URL`.
    static func ofEnvironment(
        _ variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> ClientApp {
        ClientApp(server: try HTTPURL(parsing: variables["SF_LOGIN_URL"] ?? "https://login.salesforce.com").origin)
    }

    /// Prints the URL of the login page, opens it in the user's browser, and waits for the redirect.
    var presenter: LoopbackPresenter {
        get throws {
            LoopbackPresenter(options: try LoopbackPresenter.Options(redirectURI: redirectURI)) { page in
                print("The login page opens in your browser. If it does not, open this URL:", page, separator: "\n")
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
