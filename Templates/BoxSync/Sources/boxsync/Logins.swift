// SPDX-License-Identifier: Apache-2.0

import Dropbox
import Foundation

/// The login of this user, in a directory that only this user can read.
struct Logins {
    private static let callback = "http://localhost:53682/callback"

    private let accounts: AccountManager

    /// Opens the logins in `~/.config/boxsync`.
    static func open() async throws -> Logins {
        let folder = FileManager.default.homeDirectoryForCurrentUser.appending(path: ".config/boxsync/accounts").path
        return Logins(accounts: try await AccountManager.open(store: FileCredentialStore(directory: folder)))
    }

    /// The directory of the journals, with which interrupted uploads continue.
    static var journals: String {
        get throws {
            let folder = FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state/boxsync")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return folder.path
        }
    }

    /// The Dropbox client of the user who is logged in.
    var box: DropboxClient {
        get throws {
            guard let account = accounts.current else {
                throw Failure("you are not logged in; run 'boxsync login KEY'")
            }
            return try DropboxClient(account: account.id, of: accounts, app: Self.app())
        }
    }

    private static func app(key: String? = nil) -> DropboxApp { DropboxApp(key: key, userAgent: "BoxSync/1.0") }

    /// Logs a user in with the browser, and with PKCE instead of a secret.
    ///
    /// - Returns: the user's name.
    func logIn(appKey: String) async throws -> String {
        let app = Self.app(key: appKey)
        let presenter = LoopbackPresenter(options: try .init(redirectURI: Self.callback)) { page in
            print("Log in with a browser at this URL:\n\(page)")
            try? LoopbackPresenter.openBrowser(page) { _ in print("No browser opened. Open the URL yourself.") }
        }
        let login = try DropboxLogin(app: app, transport: PlatformTransport.shared)
        var credential = try await login.run(with: presenter, deadline: .now + .seconds(300))
        let user = try await DropboxClient(accessToken: credential.accessToken, app: app).users.getCurrentAccount()
            .value
        credential.login?.username = user.email
        _ = try await accounts.add(credential, id: user.email, makesCurrent: true)
        return user.name.displayName
    }

    /// Ends the login on this machine and at Dropbox.
    func logOut() async throws {
        guard let account = accounts.current else { return }
        if case .pending = try await accounts.unlink(account.id).revocation {
            throw Failure("the token could not be revoked; disconnect the app in your account's settings")
        }
    }
}

/// The error that ends the command.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
