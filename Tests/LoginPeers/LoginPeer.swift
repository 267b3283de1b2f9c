// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
package import RestAuth
import RestBase
import RestJSON
import RestSDK
import RestTesting
package import RestTransport

/// A third-party authorization server that runs as a process on loopback, with one user and its clients.
package final class LoginPeer: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case authlib, django, glewlwyd
    }

    /// The grant of a client, and the first half of its id.
    package enum Grant: String, Sendable, CaseIterable {
        case code, device, machine, password, jwt
    }

    /// The authentication of a client, and the second half of its id.
    package enum Way: String, Sendable, CaseIterable {
        case none, basic, post
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }
    }

    package let kind: Kind
    /// The user's password, and the secret of every client that has one.
    package let password = "pw-\(UUID().uuidString)"
    /// The port to which the browser returns, in every registered redirect URI.
    package let port: UInt16
    private let issuers: [String: String]
    private let program: RunningProgram
    private let folder: TemporaryDirectory

    /// Starts a server with access tokens of `lifetime` seconds that verifies JWT assertions with `key`, in PEM format.
    package init(_ kind: Kind, lifetime: Int = 3_600, key: String = "") throws {
        self.kind = kind
        port = UInt16(try Socket.portForLater())
        folder = try TemporaryDirectory()
        let script = Self.directory.appending(path: "../RestAuthTests/Peers/\(kind.rawValue)_server.py")
        program = try RunningProgram(
            Python.interpreter,
            [
                script.standardizedFileURL.path, "--folder", folder.path, "--password", password, "--lifetime",
                "\(lifetime)", "--key", key,
                "--redirect", "http://127.0.0.1:\(port)/callback",
                "--redirect", "http://localhost:\(port)/OauthRedirect",
            ],
            // The libraries of these servers reject plain HTTP unless a variable allows it.
            environment: Process.toolEnvironment(
                adding: ["AUTHLIB_INSECURE_TRANSPORT": "1", "OAUTHLIB_INSECURE_TRANSPORT": "1"]),
            input: nil, limit: 3_600)
        guard let line = program.nextLine() else {
            throw Failure("\(kind.rawValue) does not start: \(program.wait().errors.suffix(2_000))")
        }
        issuers = try JSONValue(parsing: line).decode([String: String].self)
    }

    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    package func stop() {
        try? program.closeInput()
        program.process.waitUntilExit()
    }

    /// Returns the server's issuer for clients with this authentication.
    package func issuer(_ way: Way) -> String { issuers[way.rawValue] ?? "" }

    package var redirectURIs: [String] {
        ["http://127.0.0.1:\(port)/callback", "http://localhost:\(port)/OauthRedirect"]
    }

    /// Whether clients with this grant exist and may use this authentication.
    package func offers(_ grant: Grant, _ way: Way) -> Bool {
        switch (kind, grant, way) {
        case (_, .machine, .none), (.glewlwyd, .password, .none): false
        case (.authlib, .jwt, .none): true
        case (_, .jwt, _): false
        default: true
        }
    }

    /// Returns a client, after discovery of the server's endpoints.
    package func client(_ grant: Grant, _ way: Way) async throws -> OAuthClient {
        var server = try await AuthorizationServer.discovered(
            at: issuer(way), transport: PlatformTransport.shared, deadline: .now + .seconds(30))
        // Its metadata does not list its device endpoint.
        if kind == .django {
            server.deviceEndpoint = .standard(HTTPURL(origin: server.origin, path: "/device-authorization/"))
        }
        // If the metadata offers both methods, the client configures one. If it offers only one, that method is used.
        if kind != .authlib, way != .none {
            server.clientAuthentication = way == .basic ? .basic : .post
            (server.revocationAuthentication, server.introspectionAuthentication) = (nil, nil)
        }
        return OAuthClient(
            server: server, clientID: "\(grant.rawValue)-\(way.rawValue)",
            clientSecret: way == .none ? nil : Secret(password), transport: PlatformTransport.shared)
    }

    /// Logs the user in on a page, enters `userCode` if the page asks for a device's code, and allows everything.
    package func agree(at url: HTTPURL, userCode: String = "") async throws {
        let browser = FormBrowser(transport: LocalhostTransport())
        var page = try await browser.open(url)
        for _ in 0..<6 {
            guard page.url.origin == url.origin, let form = page.forms.first else { break }
            let values: [String: String] =
                if page.text.contains(#"name="password""#) {
                    ["username": "user", "password": password, "user_code": userCode, "allow": "yes"]
                } else if page.text.contains(#"name="user_code""#) {
                    ["user_code": userCode]
                } else {
                    ["allow": "yes", "action": "accept"]
                }
            page = try await browser.submit(form, of: page, values)
        }
        guard page.status == 200, page.url.origin != url.origin || page.forms.isEmpty else {
            throw Failure("\(page.url) answered \(page.status): \(page.text.prefix(300))")
        }
    }
}

/// Sends like a browser, also to `localhost`, which the library does not trust in a URL.
struct LocalhostTransport: HTTPTransport {
    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let origin = request.url.origin
        guard origin.host == "localhost" else {
            return try await PlatformTransport.shared.send(request, deadline: deadline, progress: progress)
        }
        guard let socket = try? Socket.connected(port: origin.port),
            socket.send(
                Array("GET \(request.url.target) HTTP/1.1\r\nHost: localhost:\(origin.port)\r\n\r\n".utf8))
        else { throw TransportError(.notConnected, "nobody listens on \(origin)", mayHaveReachedServer: false) }
        var bytes: [UInt8] = []
        while let more = socket.receive(), !more.isEmpty { bytes += more }
        let status = String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return HTTPResponse(head: HTTPResponse.Head(status: status ?? 0), body: bytes)
    }

    func shutdown() async {}
}
