// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import RestTransport

/// The endpoints of a login, with a call of each that returns the error code.
enum HostileVerdict {
    typealias Question = @Sendable (StubTransport) async -> OAuthError.Code?

    static let endpoints: [(String, Question)] = [
        (
            "token",
            { await code($0) { client in _ = try await client.token(for: ClientCredentialsGrant(), deadline: soon) } }
        ),
        (
            "refresh",
            {
                await code($0) { client in
                    _ = try await client.token(for: RefreshTokenGrant(refreshToken: "r"), deadline: soon)
                }
            }
        ),
        ("introspect", { await code($0) { client in _ = try await client.introspect("t", deadline: soon) } }),
        ("revoke", { await code($0) { client in try await client.revoke("t", deadline: soon) } }),
        ("device", { await code($0) { client in _ = try await client.beginDeviceLogin(deadline: soon) } }),
        (
            "userinfo",
            {
                await code($0) { client in
                    let credential = Credential(accessToken: "t", instance: client.server.origin)
                    _ = try await client.userInfo(of: credential, deadline: soon)
                }
            }
        ),
        (
            "metadata",
            { transport in
                await code(transport) { _ in
                    _ = try await AuthorizationServer.discovered(
                        at: "https://login.example.com", transport: transport, deadline: soon)
                }
            }
        ),
    ]

    private static var soon: ContinuousClock.Instant { .now + .seconds(30) }

    private static func code(
        _ transport: StubTransport, _ ask: (OAuthClient) async throws -> Void
    ) async -> OAuthError.Code? {
        let client = OAuthClient(
            login: Origin(scheme: .https, host: "login.example.com"), clientID: "c", clientSecret: "s",
            transport: transport)
        do {
            try await ask(client)
            return nil
        } catch {
            return (error as? OAuthError)?.code
        }
    }
}
