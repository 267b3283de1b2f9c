// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import SOQLCheck

/// The queries of a text with bound parameters, checked before any of them is sent.
struct QueryScript: Sendable {
    /// A query and its source.
    struct Query: Sendable {
        let statement: Statement
        let bound: BoundQuery
        /// The file, or `standard input`, or `nil` for a one-line query on the command line.
        let source: String?

        init(_ statement: Statement, _ parameters: QueryParameters, from source: String? = nil) throws(UsageError) {
            (self.statement, self.source) = (statement, source)
            bound = try BoundQuery(statement.text, parameters)
        }

        /// The line of a position that the server reported, with a caret, after `FILE:LINE:COLUMN` if there is a file.
        func excerpt(line: Int, column: Int) -> String? {
            guard let place = bound.place(line: line, column: column) else { return nil }
            return Self.excerpt(.init(row: place.line, column: place.column), in: statement, of: source)
        }

        fileprivate static func excerpt(
            _ place: APIFault.Position, in statement: Statement, of source: String?
        ) -> String? {
            guard let caret = Caret(at: place, in: statement.written) else { return nil }
            guard let source else { return caret.text }
            let whole = statement.place(line: place.row, column: place.column)
            return "\(source):\(whole.line):\(whole.column):\n\(caret.text)"
        }
    }

    let queries: [Query]

    /// Parses the semicolon-separated queries of a file or (if `source` is `nil`) the command line, and binds
    /// parameters.
    init(_ text: String, from source: String?, _ parameters: QueryParameters) throws(UsageError) {
        let statements = StatementReader.statements(of: text)
        guard !statements.isEmpty else { throw UsageError("the query is empty") }
        for statement in statements {
            if let fault = statement.fault { throw Self.error(fault, in: statement, of: source) }
        }
        queries = try statements.map { statement throws(UsageError) in
            try Query(statement, parameters, from: statements.count > 1 ? source : nil)
        }
        try parameters.checkUse(in: statements.map(\.text))
    }

    private static func error(_ fault: Statement.Fault, in statement: Statement, of source: String?) -> UsageError {
        let line = fault.line - statement.line + 1
        let column = line == 1 ? fault.column - statement.column + 1 : fault.column
        let place = APIFault.Position(row: line, column: column)
        let excerpt = Query.excerpt(place, in: statement, of: source).map { "\n\($0)" } ?? ""
        return UsageError(fault.message + excerpt)
    }
}

struct QueryFailure: Error {
    let error: RestError
    let query: QueryScript.Query
    /// Whether some of its records were printed.
    let isPartial: Bool

    /// The position of the error, if the server reports it.
    var excerpt: String? {
        error.faults.first?.position.flatMap { query.excerpt(line: $0.row, column: $0.column) }
    }
}

extension QueryFailure {
    /// Reports the server's error and its position on standard error, then a suggestion of the intended name if
    /// available.
    func report(asking client: RestClient) async -> Reported {
        let reported = Reported(status: Diagnostics.report(self))
        let names = NameHint(client: client, query: query.bound.soql.text)
        if let hint = await names.text(for: error) { StandardOutput.note("soql: \(hint)".singleLine) }
        return reported
    }
}

extension RestClient {
    /// The plans of a query, where an error is reported with its position.
    func plans(of query: QueryScript.Query) async throws -> [SOQL.Plan] {
        do throws(RestError) { return try await send(.explain(query.bound.soql)) } catch {
            throw await QueryFailure(error: error, query: query, isPartial: false).report(asking: self)
        }
    }
}

/// An error that has already been reported, and the exit status of the command.
struct Reported: Error {
    let status: ExitStatus
}

/// A line of a query with a caret under one of its columns.
struct Caret {
    let text: String

    /// Returns `nil` if the query does not have the position, whose column counts Unicode scalars, as in Salesforce.
    init?(at position: APIFault.Position, in query: String) {
        let lines = query.lines
        guard position.row > 0, position.row <= lines.count else { return nil }
        let line = lines[position.row - 1]
        guard (1...line.unicodeScalars.count + 1).contains(position.column) else { return nil }
        // Tabs are kept, so that the caret is under its column for any tab width.
        let before = String(line.unicodeScalars.prefix(position.column - 1))
        // prose: columns of a terminal
        let indent = before.map { $0 == "\t" ? "\t" : String(repeating: " ", count: String($0).columnWidth) }.joined()
        text = "  \(line)\n  \(indent)^"
    }
}
