// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import SOQLCheck

extension Verb {
    static let explain = Verb(
        "explain", operands: ["\"SELECT …\""], "prints how the org would run a query, without running it",
        notes: ["The way that the org would take stands first. A cost above 1 means that the query is not selective."],
        Option.output + Option.connection
    ) { try ExplainCommand($0) }
}

/// Prints the plans of a query.
struct ExplainCommand: Command {
    private let query: QueryScript.Query
    private let output: OutputOptions
    private let connection: ConnectionOptions

    init(_ arguments: Arguments) throws(UsageError) {
        guard arguments.words.count == 1 else { throw UsageError("give one query, in quotes") }
        guard let statement = StatementReader.statements(of: arguments.words[0]).first else {
            throw UsageError("the query is empty")
        }
        query = QueryScript.Query(
            statement: statement, bound: try BoundQuery(statement.text, QueryParameters()), source: nil)
        (output, connection) = (OutputOptions(arguments), try ConnectionOptions(arguments))
    }

    func run() async throws {
        let plans = try await Connection.read(connection) { try await $0.plans(of: query) }
        let columns = ["operation", "object", "cost", "cardinality", "records", "fields", "notes"]
        try await RecordList.print(plans.map(Self.row), columns: columns, output)
    }

    private static func row(_ plan: SOQL.Plan) -> JSONObject {
        let notes = plan.notes.map { note in
            note.fields.isEmpty ? note.description : "\(note.description) (\(note.fields.joined(separator: ", ")))"
        }
        return [
            "operation": JSONValue(plan.leadingOperation), "object": JSONValue(plan.type),
            "cost": JSONValue(plan.relativeCost) ?? .null, "cardinality": JSONValue(plan.cardinality),
            "records": JSONValue(plan.objectCardinality),
            "fields": plan.fields.isEmpty ? .null : JSONValue(plan.fields.joined(separator: ";")),
            "notes": notes.isEmpty ? .null : JSONValue(notes.joined(separator: "; ")),
        ]
    }
}
