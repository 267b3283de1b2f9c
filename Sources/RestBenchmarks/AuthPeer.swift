// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTesting
import RestTransport

/// django-oauth-toolkit on loopback: an authorization server that shares nothing with this package.
///
/// It lives in a virtual environment under `.build`, made on first use.
final class AuthPeer: Sendable {
    static let name = "django-oauth-toolkit 3.4.1"
    /// Its newest release breaks on the newest oauthlib, whose device answer has one field more.
    private static let packages = ["django-oauth-toolkit==3.4.1", "oauthlib==3.3.1"]

    /// What it says about itself.
    let server: AuthorizationServer
    private let password: String
    private let process: Process
    private let database: String

    /// Starts the server; `nil` where Python, its packages or the network to get them are missing.
    static func start() async throws -> AuthPeer? {
        guard let python = environment() else { return nil }
        return try await AuthPeer(python: python)
    }

    private init(python: String) async throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Peers/oauth_server.py"
        database = FileManager.default.temporaryDirectory.appendingPathComponent("peer-\(UUID().uuidString)").path
        password = UUID().uuidString
        let output = Pipe()
        process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [script, database, password]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            process.terminate()
            throw CommandFailed(command: script, status: 1)
        }
        let address = "http://127.0.0.1:\(port)"
        var server = try await AuthorizationServer.discovered(
            at: address, transport: PlatformTransport.shared, deadline: .now + .seconds(20))
        // Its metadata leaves out the device endpoint that it has.
        server.deviceEndpoint = .standard(try HTTPURL(parsing: address + "/device-authorization/"))
        self.server = server
    }

    /// Ends the server and removes what it wrote.
    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: database)
    }

    /// One of its two registered clients.
    func client(_ id: String) -> OAuthClient {
        OAuthClient(server: server, clientID: id, clientSecret: nil, transport: PlatformTransport.shared)
    }

    /// Opens a page in a new browser and logs the user in on the way.
    func loggedIn(at url: HTTPURL) async throws -> (FormBrowser, FormBrowser.Page) {
        let browser = FormBrowser(transport: PlatformTransport.shared)
        let page = try await browser.open(url)
        let next = try await browser.submit(
            Self.form(of: page), of: page, ["username": "user", "password": password])
        return (browser, next)
    }

    /// The only form of a page.
    static func form(of page: FormBrowser.Page) throws -> HTMLForm {
        guard let form = page.forms.first else {
            throw CommandFailed(command: page.url.path, status: Int32(page.status))
        }
        return form
    }

    /// The Python of the virtual environment, with the packages in it.
    private static func environment() -> String? {
        let folder = FileManager.default.currentDirectoryPath + "/.build/auth-peer"
        let python = folder + "/bin/python"
        if (try? run(python, ["-c", "import oauth2_provider"])) != nil { return python }
        let made: Void? = try? {
            try run("/usr/bin/env", ["python3", "-m", "venv", folder])
            try run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"] + packages)
        }()
        return made == nil ? nil : python
    }
}
