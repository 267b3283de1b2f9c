// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import RestTransport

/// Whether the logins of this package work at a server that others wrote.
func authPeerFigure() async throws {
    guard let peer = try await AuthPeer.start() else {
        return Figure.absent("auth.peer", peer: "\(AuthPeer.name), from Python 3 with venv and pip,")
    }
    defer { peer.stop() }
    var passed = 0
    var faults: [String] = []
    for (name, flow) in AuthPeer.flows {
        do {
            try await flow(peer)
            passed += 1
        } catch {
            faults.append("\(name): \(error)")
        }
    }
    Figure(
        name: "auth.peer", value: Double(passed), unit: "of 4", relation: .atLeast, bound: 4,
        note: ([AuthPeer.name] + faults).joined(separator: "; ")
    ).print()
}

extension AuthPeer {
    private struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    typealias Flow = @Sendable (AuthPeer) async throws -> Void

    static let flows: [(String, Flow)] = [
        ("login", { peer in _ = try await peer.login() }),
        ("refresh", { peer in try await peer.refresh() }),
        ("revoke", { peer in try await peer.revoke() }),
        ("device", { peer in try await peer.device() }),
    ]

    /// Authorization code with PKCE, through the loopback listener, with a browser that fills the forms.
    private func login() async throws -> Credential {
        let presenter = LoopbackPresenter { [self] url in
            Task {
                let (browser, page) = try await loggedIn(at: url)
                _ = try await browser.submit(Self.form(of: page), of: page, ["allow": "Authorize"])
            }
        }
        let credential = try await client("browser").login(
            with: presenter, scopes: ["read"], deadline: .now + .seconds(30))
        guard credential.refreshToken != nil, credential.scopes == ["read"], credential.lifetime == .seconds(36_000)
        else { throw Unexpected(description: "the login gave other tokens than asked for") }
        return credential
    }

    /// Renewal rotates; a spent token coming again ends the login, which the manager tells as its end.
    private func refresh() async throws {
        let first = try await login()
        let tokens = TokenManager(
            credential: first, renewal: TokenRenewal(client: client("browser")))
        let second = try await tokens.credential(rejecting: 1, deadline: .now + .seconds(30))
        guard second.credential.refreshToken != first.refreshToken else {
            throw Unexpected(description: "the refresh token did not rotate")
        }
        try await expectRefused(first)
        do throws(OAuthError) {
            _ = try await tokens.credential(rejecting: second.generation, deadline: .now + .seconds(30))
        } catch  where error.code == .invalidGrant {
            return
        }
        throw Unexpected(description: "a spent token came again and nothing ended")
    }

    private func revoke() async throws {
        let credential = try await login()
        guard let token = credential.refreshToken else { throw Unexpected(description: "no refresh token") }
        try await client("browser").revoke(token, kind: .refresh, deadline: .now + .seconds(30))
        try await expectRefused(credential)
    }

    private func device() async throws {
        let login = try await client("device").beginDeviceLogin(scopes: ["read"], deadline: .now + .seconds(30))
        guard let url = login.page else { throw Unexpected(description: "no page that may be opened") }
        async let credential = client("device").finishDeviceLogin(login)
        let (browser, first) = try await loggedIn(at: url)
        let second = try await browser.submit(Self.form(of: first), of: first, ["user_code": login.userCode])
        _ = try await browser.submit(Self.form(of: second), of: second, ["action": "accept"])
        guard try await credential.scopes == ["read"] else { throw Unexpected(description: "other scopes") }
    }

    /// Expects that the credential's refresh token is dead.
    private func expectRefused(_ credential: Credential) async throws {
        guard let token = credential.refreshToken else { throw Unexpected(description: "no refresh token") }
        do throws(OAuthError) {
            _ = try await client("browser").token(
                for: RefreshTokenGrant(refreshToken: token), deadline: .now + .seconds(30))
        } catch  where error.code == .invalidGrant {
            return
        }
        throw Unexpected(description: "a dead refresh token was exchanged")
    }
}
