// SPDX-License-Identifier: Apache-2.0

import RestJSON
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
        let rows = limits.sorted { $0.key < $1.key }.map { name, limit -> JSONObject in
            [
                "name": JSONValue(name), "maximum": JSONValue(limit.maximum), "remaining": JSONValue(limit.remaining),
                "used": JSONValue(limit.maximum - limit.remaining),
            ]
        }
        try await RecordList.print(rows, columns: ["name", "maximum", "remaining", "used"], output)
    }
}
