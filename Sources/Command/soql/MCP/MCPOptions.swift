// SPDX-License-Identifier: Apache-2.0

extension Verb {
    static let mcp = Verb(
        "mcp", "serves an org to a language model, by the Model Context Protocol",
        notes: [
            """
            It speaks JSON-RPC over standard input and output, one message on each line, and ends with its input. The \
            model can query, search, describe, explain and get; it can change nothing unless --allow-writes is given. \
            Give the command 'soql mcp' with its options to the program that runs the model.
            """
        ],
        [.allowWrites, .maxRows, .maxBytes] + Option.connection
    ) { MCPCommand(options: try MCPOptions($0)) }
}

extension Option {
    static let allowWrites = Option("--allow-writes", "let the model create, update and delete records too")
    static let maxRows = Option("--max-rows", .number(1...2_000), "the most records in one answer; 200 by default")
    static let maxBytes = Option(
        "--max-bytes", .number(1_000...10_000_000), "the longest answer of a tool in bytes; 100000 by default")
}

/// The options of `soql mcp`.
struct MCPOptions {
    let allowsWrites: Bool
    let maxRows: Int
    let maxBytes: Int
    let connection: ConnectionOptions

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.checkNumberOfWords(atMost: 0)
        allowsWrites = arguments.has(.allowWrites)
        maxRows = arguments.number(.maxRows) ?? 200
        maxBytes = arguments.number(.maxBytes) ?? 100_000
        connection = try ConnectionOptions(arguments)
    }
}

/// Serves an org to a language model until the input ends.
struct MCPCommand: Command {
    let options: MCPOptions

    func run() async throws {
        let connection = try await Connection.open(options.connection)
        let server = MCPServer(tools: ToolBox(connection, options))
        do {
            try await server.run()
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }
}
