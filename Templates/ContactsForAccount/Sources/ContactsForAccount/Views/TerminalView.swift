// SPDX-License-Identifier: Apache-2.0

#if !canImport(SwiftUI)
import Foundation
import Observation
import RestSDK

/// Shows the model on a terminal, and reads the number of the selected account.
@main
@MainActor
struct TerminalView {
    let model: ContactsModel

    static func main() async {
        do {
            await TerminalView(model: ContactsModel(client: try .ofEnvironment())).run()
        } catch {
            print(error.message)
            exit(1)
        }
    }

    /// Draws each change of the model, and asks for a number when nothing is loading, until the input ends.
    private func run() async {
        var choices = Self.lines.makeAsyncIterator()
        Task { await model.loadAccounts() }
        for await screen in Observations({ Screen(model) }) {
            print(screen.text, terminator: "")
            switch model.accounts {
            case .loaded(let accounts) where !screen.isWaiting:
                guard let account = await Self.choice(of: accounts, from: &choices) else { return }
                Task { await model.select(account) }
            case .failed: exit(1)
            default: continue
            }
        }
    }

    private static func choice(
        of accounts: [Account], from choices: inout AsyncStream<String>.Iterator
    ) async -> Account? {
        while true {
            print("Account (1 to \(accounts.count)): ", terminator: "")
            fflush(nil)
            guard let line = await choices.next(isolation: #isolation) else {
                print()
                return nil
            }
            if let number = Int(line), accounts.indices.contains(number - 1) { return accounts[number - 1] }
        }
    }

    /// The lines that the user enters.
    private static var lines: AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
#endif
