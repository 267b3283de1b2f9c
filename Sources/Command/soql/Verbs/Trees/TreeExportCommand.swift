// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// Writes records with their children to files.
struct TreeExportCommand: Command {
    private let queries: [SOQL]
    private let output: String?
    /// How the files of a plan begin; `nil` for a single file.
    private let prefix: String?
    private let arguments: Arguments
    private let connection: ConnectionOptions

    init(_ arguments: Arguments) throws(UsageError) {
        queries = arguments.words.map { SOQL(raw: QueryText.trimmed($0)) }
        self.arguments = arguments
        output = arguments[.treeOutput]
        prefix = arguments.has(.plan) ? arguments[.treePrefix] ?? "data" : nil
        connection = try ConnectionOptions(arguments)
        guard !queries.isEmpty else { throw UsageError("give a query, in quotes") }
        guard prefix != nil || queries.count == 1 else { throw UsageError("several queries need --plan") }
        guard prefix == nil || output != nil else { throw UsageError("--plan needs --output FOLDER") }
    }

    func run() async throws {
        try await Connection.work(connection) { client in
            if let prefix, let output {
                let plan = try await client.exportTrees(queries)
                let path = try plan.write(to: output, prefix: prefix)
                let count = plan.steps.flatMap(\.files).reduce(0) { $0 + $1.records.count }
                arguments.note("\(records(count)) of \(plan.steps.count) objects in \(path)")
            } else {
                let file = try await client.exportTree(queries[0])
                guard let output else { return try TextOutput.write(file.text) }
                try file.write(to: output)
                arguments.note("\(records(file.records.count)) in \(output)")
            }
        }
    }
}
