// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// Maintains a copy of an object in an SQLite file.
@main
enum Program {
    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            let hasFinished = try await Termination.cancelling { try await run(options) }
            if !hasFinished { print("Stopped. The next run continues from here.") }
        } catch {
            complain(error)
            exit(1)
        }
    }

    /// Runs one round, or rounds without end, which continue after an error once the first round has succeeded.
    private static func run(_ options: Options) async throws {
        let replica = try Replica(
            of: options.object, fields: options.fields, in: Database(path: options.database))
        let synchronizer = Synchronizer(client: try .ofEnvironment(), replica: replica)
        try await round(synchronizer, options)
        while let interval = options.interval {
            try await Task.sleep(for: interval)
            do {
                try await round(synchronizer, options)
            } catch  where !Task.isCancelled {
                complain(error)
            }
        }
    }

    private static func round(_ synchronizer: Synchronizer, _ options: Options) async throws {
        let tally = try await synchronizer.catchUp()
        guard tally != Synchronizer.Tally() else { return }
        print("\(options.object): \(tally.written) written, \(tally.deleted) deleted")
        fflush(nil)
    }

    private static func complain(_ error: any Error) {
        let text = (error as? RestError)?.message ?? "\(error)"
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
