// SPDX-License-Identifier: Apache-2.0

import Dropbox

/// Logs in and keeps the login.
struct LoginCommand {
    /// One of the addresses on this machine; Dropbox wants to know it beforehand, port and all.
    private static let callbackURL = "http://localhost:53682/callback"

    let context: Context

    func run() async throws -> ExitStatus {
        let (options, terminal) = (context.options, context.terminal)
        let accounts = try await Accounts.open(context)
        guard let key = options.appKey ?? context.settings.appKey ?? accounts.manager.current?.login?.clientID else {
            throw UsageError(
                "the app's key is missing; make an app at https://www.dropbox.com/developers and give --key")
        }
        let app = DropboxApp.standard(key: key, hosts: try Hosts.chosen(context) ?? DropboxHosts())
        let login = try DropboxLogin(app: app, transport: PlatformTransport.shared)
        var credential = try await login.run(with: try presenter(), deadline: .now + .seconds(300))
        let user = try await DropboxClient(accessToken: credential.accessToken, app: app).users.getCurrentAccount()
            .value
        credential.login?.username = user.email
        let account = try await accounts.manager.add(
            credential, id: options.account ?? user.email, makesCurrent: true)
        terminal.print("\(user.name.displayName) is logged in as '\(account.id)'.")
        return .done
    }

    /// Prints the address of the page, and opens it unless the user chose otherwise.
    private func presenter() throws(UsageError) -> LoopbackPresenter {
        let url = context.options.callbackURL ?? Self.callbackURL
        guard let callback = try? LoopbackPresenter.Options(redirectURI: url) else {
            throw UsageError("the browser must come back to this machine: http to localhost or 127.0.0.1, not \(url)")
        }
        return LoopbackPresenter(options: callback) { [opensBrowser = context.options.opensBrowser, context] page in
            context.terminal.note("Log in with a browser at this address, or press Control-C to cancel:")
            context.terminal.warn(page.description)
            guard opensBrowser else { return }
            let failed: @Sendable (OAuthError) -> Void = { _ in
                context.terminal.warn("No browser opened. Open the address by hand.")
            }
            do throws(OAuthError) { try LoopbackPresenter.openBrowser(page, onFailure: failed) } catch { failed(error) }
        }
    }
}
