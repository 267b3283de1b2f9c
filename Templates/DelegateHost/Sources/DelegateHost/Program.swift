// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// Shows the accounts of an industry, by default `Banking`.
@main
enum Program {
    @MainActor
    static func main() async {
        do throws(RestError) {
            let list = AccountList(client: try .ofEnvironment())
            list.onChange = show
            list.load(industry: CommandLine.arguments.dropFirst().first ?? "Banking")
            await list.finish()
            guard case .loaded = list.state else { exit(1) }
        } catch {
            show(.failed(error.message))
            exit(1)
        }
    }

    private static func show(_ state: AccountList.State) {
        switch state {
        case .empty: break
        case .loading: print("Loading …")
        case .loaded(let accounts):
            for account in accounts { print("\(account.phone ?? "-")\t\(account.name)") }
            print("\(accounts.count) account\(accounts.count == 1 ? "" : "s")")
        case .failed(let message): print("Failed: \(message)")
        case .cancelled: print("Cancelled.")
        case .timedOut: print("The request timed out.")
        }
    }
}
