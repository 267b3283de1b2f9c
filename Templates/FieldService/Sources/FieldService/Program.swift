// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSync

/// Reads commands from standard input, and syncs in the background.
///
/// From a pipe, the app syncs only when a command says so, so that the same input has the same output.
@main
@MainActor
enum Program {
    private static let isInteractive = isatty(STDIN_FILENO) == 1

    static func main() async {
        do {
            guard CommandLine.arguments.count == 2 else { throw Editor.UsageError(message: "usage: FILE") }
            let client = try RestClient.ofEnvironment()
            let store = try await SyncStore.cases(in: CommandLine.arguments[1], from: client)
            try await run(store, Synchronizer(store, client))
        } catch {
            FileHandle.standardError.write(Data("\(Editor.text(of: error))\n".utf8))
            exit(1)
        }
    }

    private static func run(_ store: SyncStore, _ synchronizer: Synchronizer) async throws {
        let editor = Editor(store, synchronizer)
        if isInteractive {
            Task { await synchronizer.run { await show($0) } }
            Task {
                for await conflicts in try store.observeConflicts() where !conflicts.isEmpty {
                    show(try editor.text(of: conflicts))
                }
            }
            show("Enter help for the commands.")
        }
        for await line in lines {
            if !isInteractive { write("> \(line)\n") }
            show(await editor.reply(to: line))
        }
        write("Pending changes: \(try store.pendingCount)\n")
        store.close()
    }

    /// Prints text and then the prompt again, because the background can interrupt the user's input.
    private static func show(_ text: String) {
        write(isInteractive ? "\r\(text)\n> " : "\(text)\n")
    }

    private static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    private static var lines: AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                // A thread that still reads would block the exit.
                while let line = readLine(), line != "quit" { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
