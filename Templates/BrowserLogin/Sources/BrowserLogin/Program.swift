// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// Logs users in with a browser, and switches between their logins.
@main
enum Program {
    static func main() async {
        do {
            let logins = try await Logins.open(UserStore.standard, app: .ofEnvironment())
            try await run(Array(CommandLine.arguments.dropFirst()), logins)
        } catch {
            FileHandle.standardError.write(Data("\(message(of: error))\n".utf8))
            exit(1)
        }
    }

    private static func run(_ words: [String], _ logins: Logins) async throws {
        switch (words.first, words.dropFirst().first) {
        case ("login", nil):
            let account = try await logins.logIn(with: logins.app.presenter)
            print("\(account.id) is logged in at \(account.instance).")
        case ("use", let name?):
            try await logins.accounts.switch(to: name)
        case ("who", nil):
            let user = try await logins.whoAmI()
            print(user?["Name"]?.string ?? "No user is logged in.")
        case ("logout", let name):
            print(try await logins.logOut(name) ? "Logged out." : "Logged out, but the token was not revoked.")
        case (nil, nil):
            for account in logins.accounts.accounts {
                print(account == logins.accounts.current ? "*" : " ", account.id, account.instance, separator: "\t")
            }
        default:
            throw RestError(
                .invalidRequest, "usage: [login | use NAME | who | logout [NAME]]; no argument lists the logins")
        }
    }

    private static func message(of error: any Error) -> String {
        switch error {
        case let error as RestError: error.message
        case let error as OAuthError: error.message
        case let error as AccountManager.Error: error.message
        default: "\(error)"
        }
    }
}
