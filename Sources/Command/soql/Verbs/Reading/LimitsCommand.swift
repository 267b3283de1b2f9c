// SPDX-License-Identifier: Apache-2.0

import RestSDK

extension Verb {
    static let limits = Verb(
        "limits", "prints the limits of the org and what is left of them", Option.output + Option.connection
    ) { try LimitsCommand($0) }
}

/// Prints the limits of the org.
struct LimitsCommand: Command {
    private let output: OutputOptions
    private let connection: ConnectionOptions

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.checkNumberOfWords(atMost: 0)
        (output, connection) = (OutputOptions(arguments), try ConnectionOptions(arguments))
    }

    func run() async throws {
        let limits = try await Connection.read(connection) { try await $0.limits().limits }
        try await Listing(limits).print(output)
    }
}
