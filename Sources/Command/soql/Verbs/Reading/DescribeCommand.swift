// SPDX-License-Identifier: Apache-2.0

import RestSDK

extension Verb {
    static let describe = Verb(
        "describe", operands: ["[OBJECT]"], "lists the objects of the org, or the fields of one",
        Option.output + Option.connection
    ) { try DescribeCommand($0) }
}

/// Prints what the org tells of its objects.
struct DescribeCommand: Command {
    private let object: String?
    private let output: OutputOptions
    private let connection: ConnectionOptions

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.checkNumberOfWords(atMost: 1)
        object = arguments.words.first
        (output, connection) = (OutputOptions(arguments), try ConnectionOptions(arguments))
    }

    func run() async throws {
        try await Connection.read(connection, on: object) { client in
            if let object {
                try await Listing(client.describe(object).fields).print(output)
            } else {
                try await Listing(client.describeObjects()).print(output)
            }
        }
    }
}
