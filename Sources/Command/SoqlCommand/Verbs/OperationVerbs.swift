// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import SOQLCheck

extension Verb {
    /// Creates a verb that prints the result of a reading operation.
    ///
    /// - Parameters:
    ///   - operation: The operation of the org.
    ///   - operands: The forms of the operands, if they differ from the operands of the operation.
    ///   - notes: Additional help.
    ///   - own: The options that only the command line has.
    ///   - query: Checks the arguments before the connection is opened, and returns the query to explain.
    fileprivate init(
        _ operation: Operation, operands: [String]? = nil, notes: [String] = [],
        _ own: @autoclosure @escaping @Sendable () -> [Option] = [],
        query: @escaping @Sendable (Arguments) throws(UsageError) -> QueryScript.Query? = { _ in nil }
    ) {
        self.init(
            operation.name, operands: operands ?? [operation.words], operation.summary, notes: notes,
            operation.options + own() + Option.output + Option.connection, of: operation
        ) { arguments in
            let query = try query(arguments)
            return Command {
                let outcome = try await Connection.read(arguments, on: arguments[.object]) { client in
                    try await operation.run(arguments, OrgAccess(client: client, query: query))
                }
                try await outcome.listing.print(outcome.options(arguments))
            }
        }
    }

    static let describe = Verb(.describe, [.local])
    static let limits = Verb(.limits)

    static let explain = Verb(.explain, notes: [Operation.explain.advice]) { arguments throws(UsageError) in
        guard let statement = StatementReader.statements(of: arguments.text(.soql)).first else {
            throw UsageError("the query is empty")
        }
        return try QueryScript.Query(statement, QueryParameters())
    }

    static let get = Verb(
        .get, notes: ["Separate several fields with commas or spaces. Without FIELD all fields are printed."],
        [.byExternalID])

    static let search = Verb(
        .search, operands: ["WORDS… [--in OBJECTS]", "\"FIND {…} …\""],
        notes: [
            """
            A record matches plain words if it contains all of them. Without --in the org searches its default \
            objects. A text that begins with FIND is a SOSL statement.
            """
        ],
        [.searchFields, .searchScope, .searchLimit]
    ) { arguments throws(UsageError) in
        try Operation.searchText(of: arguments)
        return nil
    }
}

extension Operation {
    /// The operands of a command line, in the form for help.
    fileprivate var words: String {
        operands.compactMap { operand in
            let word = operand.value?.placeholder ?? ""
            if case .object = operand.value, operand.missing == nil { return "[\(word)]" }
            return word
        }.joined(separator: " ")
    }

    fileprivate var options: [Option] { parameters.filter { $0.name.hasBytes(prefix: "-") } }
}

extension Outcome {
    /// The options for printing the result: on a terminal, a single record is printed vertically.
    fileprivate func options(_ arguments: Arguments) -> Arguments {
        var options = arguments
        if case .record = self, !options.has(.format), options.format(onTerminal: StandardOutput.isTerminal) == .table {
            options[.format] = OutputFormat.vertical.rawValue
        }
        return options
    }
}

extension Option {
    static let byExternalID = Option(
        "--external-id", .text("FIELD"), "find the record by this field (default: the record's id)")
    static let searchIn = Option(
        "--in", .names("OBJECTS"), "search these objects, such as Account,Contact (default: all)", key: "objects")
    static let searchFields = Option(
        "--fields", .text("FIELDS"), "print these fields (default: the id and the name of each object of --in)")
    static let searchScope = Option(
        "--scope", .choice("FIELDS", ["all", "name", "email", "phone"]), "search these fields (default: all)")
    static let searchLimit = Option("--limit", .number(1...2_000), "find at most N records (default: the org's limit)")
}

// MARK: - Changes

extension Verb {
    /// Creates a verb that changes a record.
    ///
    /// - Parameters:
    ///   - operation: The operation that creates the request.
    ///   - notes: Additional help.
    ///   - report: Reports the change, by the arguments and the response.
    fileprivate init(
        changing operation: Operation, notes: [String] = [],
        report: @escaping @Sendable (Arguments, RestPayload) throws -> Void
    ) {
        self.init(
            operation.name, operands: [operation.words], operation.summary, notes: notes,
            [.yes, .dryRun, .quiet] + Option.connection, of: operation
        ) { arguments in
            let object = arguments.text(.object)
            let isDestructive = operation.effect == .removes
            if isDestructive { try arguments.checkQuestion() }
            return Command {
                try await Connection.work(arguments, on: object) { client in
                    guard case .change(let request) = try await operation.run(arguments, OrgAccess(client: client))
                    else { return }
                    guard !arguments.has(.dryRun) else {
                        try DryRun.print(request, of: client)
                        return DryRun.end()
                    }
                    if isDestructive {
                        try await arguments.ask("delete \(object) \(arguments.text(.id))", of: client)
                    }
                    let response: RestResponse
                    do throws(RestError) { response = try await client.send(request) } catch {
                        error.noteOutcome()
                        throw error
                    }
                    try report(arguments, response.payload)
                }
            }
        }
    }

    static let create = Verb(changing: .create, notes: [valueNote]) { try printID($1) }
    static let update = Verb(changing: .update, notes: [valueNote]) { line, _ in line.note("updated \(line.text(.id))")
    }

    static let upsert = Verb(changing: .upsert, notes: [valueNote]) { line, response in
        try printID(response)
        line.note(response["created"]?.bool == false ? "updated" : "created")
    }

    static let delete = Verb(changing: .delete) { line, _ in line.note("deleted \(line.text(.id))") }

    /// The id is written to standard output for scripts.
    private static func printID(_ response: RestPayload) throws {
        if let id = response["id"]?.string { try StandardOutput.write("\(id.singleLine)\n") }
    }

    private static let valueNote = """
        FIELD=VALUE is converted to the type of the field in the org: numbers keep all digits, and checkboxes take \
        true or false. FIELD= clears the field. FIELD:=JSON is sent unchanged. Parent.Field=VALUE specifies a related \
        record by an external id. Use 'soql import' for many records.
        """
}
