// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
package import RestAuth
import RestBase
import RestJSON
import RestSDK
import RestTesting
package import RestTransport

/// An authorization server that others wrote, as a process of its own on loopback, with one user and its clients.
package final class LoginPeer: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case authlib, django, glewlwyd
    }

    /// How a client logs in; the first half of its id.
    package enum Grant: String, Sendable, CaseIterable {
        case code, device, machine, password, jwt
    }

    /// How a client authenticates; the second half of its id.
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
    /// The port that the browser comes back to, in every redirect URI that is registered.
    package let port: UInt16
    private let issuers: [String: String]
    private let program: RunningProgram
    private let folder: TemporaryFolder

    /// Starts a server with access tokens of `lifetime` seconds that verifies statements with `key`, in PEM form.
    package init(_ kind: Kind, lifetime: Int = 3_600, key: String = "") throws {
        self.kind = kind
        port = UInt16(try Socket.portForLater())
        folder = try TemporaryFolder()
        let script = Self.directory.appending(path: "../RestAuthTests/Peers/\(kind.rawValue)_server.py")
        program = try RunningProgram(
            Python.interpreter,
            [
                script.standardizedFileURL.path, "--folder", folder.path, "--password", password, "--lifetime",
                "\(lifetime)", "--key", key,
                "--redirect", "http://127.0.0.1:\(port)/callback",
                "--redirect", "http://localhost:\(port)/OauthRedirect",
            ],
            // The libraries of these servers refuse plain http unless they are told that it is on purpose.
            environment: Process.toolEnvironment(
                adding: ["AUTHLIB_INSECURE_TRANSPORT": "1", "OAUTHLIB_INSECURE_TRANSPORT": "1"]),
            input: nil, limit: 3_600)
        guard let line = program.nextLine() else {
            throw Failure("\(kind.rawValue) does not start: \(program.wait().errors.suffix(2_000))")
        }
        issuers = try JSONValue(parsing: line).decode([String: String].self)
    }

    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// Ends the server and removes what it wrote.
    package func stop() {
        try? program.closeInput()
        program.process.waitUntilExit()
    }

    /// What the server calls itself for clients of this way.
    package func issuer(_ way: Way) -> String { issuers[way.rawValue] ?? "" }

    package var redirectURIs: [String] {
        ["http://127.0.0.1:\(port)/callback", "http://localhost:\(port)/OauthRedirect"]
    }

    /// Whether the clients of a grant exist and may authenticate so.
    package func offers(_ grant: Grant, _ way: Way) -> Bool {
        switch (kind, grant, way) {
        case (_, .machine, .none), (.glewlwyd, .password, .none): false
        case (.authlib, .jwt, .none): true
        case (_, .jwt, _): false
        default: true
        }
    }

    /// One of its clients, after asking the server where its endpoints are.
    package func client(_ grant: Grant, _ way: Way) async throws -> OAuthClient {
        var server = try await AuthorizationServer.discovered(
            at: issuer(way), transport: PlatformTransport.shared, deadline: .now + .seconds(30))
        // Its metadata leave out the device endpoint that it has.
        if kind == .django {
            server.deviceEndpoint = .standard(HTTPURL(origin: server.origin, path: "/device-authorization/"))
        }
        // Where the metadata offer both ways, the client's own is a setting; where they offer one, they decide.
        if kind != .authlib, way != .none {
            server.clientAuthentication = way == .basic ? .basic : .post
            (server.revocationAuthentication, server.introspectionAuthentication) = (nil, nil)
        }
        return OAuthClient(
            server: server, clientID: "\(grant.rawValue)-\(way.rawValue)",
            clientSecret: way == .none ? nil : Secret(password), transport: PlatformTransport.shared)
    }

    /// Logs the user in on a page, types `userCode` if the page asks for a device's code, and agrees to everything.
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

/// Sends as browsers do, to `localhost` too, which the library trusts in no URL.
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
