// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting

@testable import BrowserLogin

/// An org with two users, and a directory for logins.
final class Sandbox: Sendable {
    let org: LocalOrg
    let folder = FileManager.default.temporaryDirectory.appending(path: "logins-\(UUID().uuidString)").path

    init() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.users = [OrgUser(username: "ben@example.com", password: "correct horse")]
        org = try await LocalOrg.start(configuration)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
        let org = org
        Task { await org.stop() }
    }

    /// The logins as in the next run of the program.
    func logins() async throws -> Logins {
        var app = ClientApp(server: try HTTPURL(parsing: org.instanceURL).origin)
        app.redirectURI = "http://127.0.0.1/callback"
        return try await Logins.open(FileCredentialStore(directory: folder), app: app)
    }

    /// A user at a browser, who enters the name and the password, and allows or denies access.
    func user(_ name: String, _ password: String, answering response: String = "allow") throws -> LoopbackPresenter {
        LoopbackPresenter(options: try LoopbackPresenter.Options(redirectURI: "http://127.0.0.1/callback")) { page in
            Task {
                let browser = FormBrowser(transport: PlatformTransport.shared)
                var page = try await browser.open(page)
                for values in [["username": name, "password": password, "action": "login"], ["action": response]] {
                    guard let form = page.forms.first else { return }
                    page = try await browser.submit(form, of: page, values)
                }
            }
        }
    }
}
