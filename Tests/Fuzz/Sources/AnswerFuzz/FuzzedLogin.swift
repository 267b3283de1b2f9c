// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import RestAuth
import RestSDK
import RestTesting
import RestTransport

/// Calls an authorization server, with one kind of request for each choice.
func logIn(_ choice: Int, through transport: AnsweringTransport, _ clock: ManualClock) async {
    guard let origin = try? HTTPURL(parsing: "https://login.example.com").origin else {
        return require(false, "an origin")
    }
    let client = OAuthClient(login: origin, clientID: "client", clientSecret: "secret", transport: transport)
    let deadline = clock.now + .seconds(60)
    do throws(OAuthError) {
        switch choice % 6 {
        case 0: _ = try await client.token(for: ClientCredentialsGrant(), deadline: deadline)
        case 1: _ = try await client.introspect("token", deadline: deadline)
        case 2: try await client.revoke("token", deadline: deadline)
        case 3:
            let credential = Credential(accessToken: "token", instance: origin)
            _ = try await client.userInfo(of: credential, deadline: deadline)
        case 4:
            _ = try await AuthorizationServer.discovered(
                at: "https://example.com", transport: transport, deadline: deadline)
        default:
            let login = try await client.beginDeviceLogin(deadline: deadline, clock: clock)
            _ = try await client.finishDeviceLogin(login, clock: clock)
        }
    } catch {
        require(!error.message.isEmpty, "a message")
        require(error.message.utf8.count < 1 << 16, "a message of a decent size")
    }
}
