// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestEvents

/// Keeps a table in sync with an object until it is stopped.
@main
enum Program {
    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            let hasFinished = try await Termination.cancelling { try await run(options) }
            if !hasFinished { print("Stopped. The next run continues from here.") }
        } catch {
            complain((error as? RestError)?.message ?? (error as? EventError)?.message ?? "\(error)")
            exit(1)
        }
    }

    private static func run(_ options: Options) async throws {
        let replica = try Replica(of: options.object, fields: options.fields, in: options.database)
        let feed = Feed(client: try .ofEnvironment(), replica: replica) { report in
            switch report {
            case .disconnected(let error, let delay):
                complain("\(error.message); connecting again in \(delay.components.seconds) s")
            default:
                print("\(options.object): \(report)")
                fflush(nil)
            }
        }
        try await feed.run(changes: options.changes)
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
