// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import SOQLCheck

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

extension Verb {
    static let get = Verb(
        "get", operands: ["OBJECT ID [FIELD…]"], "prints a record",
        notes: ["FIELD may be several, with commas or blanks between them; all fields without."],
        [.byExternalID] + Option.output + Option.connection
    ) { try GetCommand($0) }
}

extension Option {
    static let byExternalID = Option(
        "--external-id", .text("FIELD"), "the field that ID is a value of; by default it is the record's id")
}

/// Prints one record.
struct GetCommand: Command {
    private let object: String
    private let request: RestRequest
    private let fields: [String]
    private let output: OutputOptions
    private let connection: ConnectionOptions

    init(_ arguments: Arguments) throws(UsageError) {
        let (object, rest) = try arguments.object()
        self.object = object
        guard let id = rest.first else { throw UsageError("give the record's id") }
        fields = rest.dropFirst().flatMap { $0.split(byte: ",").flatMap(\.words).map(String.init) }
        if let field = arguments[.byExternalID] {
            request = .retrieve(object, externalID: field, id, fields: fields)
        } else {
            request = .retrieve(object, id: id, fields: fields)
        }
        var options = OutputOptions(arguments)
        // One record is read down the page, not across it.
        if options.format == nil, options.format(onTerminal: StandardOutput.isTerminal) == .table {
            options.format = .vertical
        }
        (output, connection) = (options, try ConnectionOptions(arguments))
    }

    func run() async throws {
        try await Connection.read(connection, on: object) { client in
            let record = try await client.send(request).payload.dictionary ?? [:]
            let names = record.map(\.key).filter { $0 != "attributes" }
            // The server's order is that of the object; the user's own comes first.
            let wanted = fields.compactMap { name in names.first { $0.lowercased() == name.lowercased() } }
            try await RecordList.print([record], columns: wanted.isEmpty ? names : wanted, output)
        }
    }
}

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

/// What an org tells of itself, as records: a verb and the session's command of the same name print the same.
struct Listing {
    var columns: [String]
    let rows: [JSONObject]

    /// The limits in the order of their names.
    init(_ limits: [String: RestClient.OrgLimits.Limit]) {
        columns = ["name", "maximum", "remaining", "used"]
        rows = limits.sorted { $0.key < $1.key }.map { name, limit in
            [
                "name": JSONValue(name), "maximum": JSONValue(limit.maximum), "remaining": JSONValue(limit.remaining),
                "used": JSONValue(limit.maximum - limit.remaining),
            ]
        }
    }

    /// Objects, in the org's order.
    init(_ objects: [ObjectDescription.Summary]) {
        columns = ["name", "label", "prefix", "custom", "query", "create", "update", "delete"]
        rows = objects.map { object in
            [
                "name": JSONValue(object.name), "label": JSONValue(object.label),
                "prefix": object.keyPrefix.map { JSONValue($0) } ?? .null, "custom": JSONValue(object.isCustom),
                "query": JSONValue(object.isQueryable), "create": JSONValue(object.isCreateable),
                "update": JSONValue(object.isUpdateable), "delete": JSONValue(object.isDeletable),
            ]
        }
    }

    /// The fields of an object, in the org's order.
    init(_ fields: [ObjectDescription.Field]) {
        columns = ["name", "type", "required", "label", "references", "values"]
        rows = fields.map { field in
            let values = field.picklistValues.filter(\.isActive).map(\.value)
            return [
                "name": JSONValue(field.name), "type": JSONValue(field.typeText),
                "required": JSONValue(field.isRequired), "label": JSONValue(field.label),
                "references": Self.list(field.referenceTo), "values": Self.list(values),
            ]
        }
    }

    private static func list(_ texts: [String]) -> JSONValue {
        texts.isEmpty ? .null : JSONValue(texts.joined(separator: ";"))
    }

    func print(_ options: OutputOptions, to destination: OutputDestination? = nil) async throws {
        try await RecordList.print(rows, columns: columns, options, to: destination)
    }
}

extension ObjectDescription.Field {
    /// The type with its size: `string(80)`, `currency(16,2)`.
    var typeText: String {
        if precision > 0 { return "\(kind.rawValue)(\(precision),\(scale))" }
        return length > 0 ? "\(kind.rawValue)(\(length))" : kind.rawValue
    }
}

extension Verb {
    static let search = Verb(
        "search", operands: ["WORDS… [--in OBJECTS]", "\"FIND {…} …\""], "finds records by words in them",
        notes: [
            """
            Plain words are looked for as they are: all of them must be found. Without --in the org searches what it \
            searches by default. A text that begins with FIND is a SOSL statement.
            """
        ],
        [.searchIn, .searchFields, .searchScope, .searchLimit] + Option.output + Option.connection
    ) { try SearchCommand($0) }
}

extension Option {
    static let searchIn = Option("--in", .text("OBJECTS"), "the objects, with commas between them")
    static let searchFields = Option(
        "--fields", .text("FIELDS"), "the fields to print; by default the id and the name of each object of --in")
    static let searchScope = Option(
        "--scope", .choice("FIELDS", ["all", "name", "email", "phone"]), "the fields to look into")
    static let searchLimit = Option("--limit", .number(1...2_000), "find no more than N records")
}

/// Prints what a search finds, of all objects in one list.
struct SearchCommand: Command {
    private let text: String
    private let arguments: Arguments
    private let connection: ConnectionOptions

    init(_ arguments: Arguments) throws(UsageError) {
        text = QueryText.trimmed(arguments.words.joined(separator: " "))
        guard !text.isEmpty else { throw UsageError("say what to look for") }
        self.arguments = arguments
        connection = try ConnectionOptions(arguments)
        let options = [Option.searchIn, .searchFields, .searchScope, .searchLimit]
        if isStatement, let option = options.first(where: { arguments.has($0) }) {
            throw UsageError("\(option.name) is for plain words; a FIND statement says it itself")
        }
    }

    /// Whether the text is a whole statement of the search language.
    private var isStatement: Bool {
        let rest = text.lowercased().removing(prefix: "find")?.unicodeScalars
        return rest?.first { !$0.properties.isWhitespace } == "{"
    }

    func run() async throws {
        let found = try await Connection.read(connection) { try await answer(of: $0) }
        var columns = ["Type"]
        let records = found.map { record in
            var row: JSONObject = ["Type": record.type.map { JSONValue($0) } ?? .null]
            for (name, value) in record.fields where name != "attributes" {
                row[name] = value
                if !columns.contains(name) { columns.append(name) }
            }
            return row
        }
        try await RecordList.print(records, columns: columns, OutputOptions(arguments))
    }

    /// Not inlined: the optimizer of Swift 6.3.1 crashes when both calls become parts of the connection's.
    @inline(never)
    private func answer(of client: RestClient) async throws -> [Record] {
        if isStatement { return try await client.search(SOSL(raw: text)) }
        return try await client.search(try await words(client))
    }

    private func words(_ client: RestClient) async throws -> ParameterizedSearch {
        var search = ParameterizedSearch(
            text, in: arguments[.searchScope].flatMap { ParameterizedSearch.Scope(rawValue: $0.uppercased()) })
        search.overallLimit = arguments.number(.searchLimit)
        search.fields = Self.names(arguments[.searchFields])
        for name in Self.names(arguments[.searchIn]) {
            guard search.fields.isEmpty else {
                search.objects.append(.init(name))
                continue
            }
            let nameField = try await client.describe(name).fields.first(where: \.isNameField)?.name
            search.objects.append(.init(name, fields: ["Id"] + (nameField.map { [$0] } ?? [])))
        }
        return search
    }

    private static func names(_ list: String?) -> [String] {
        (list ?? "").split(byte: ",").flatMap(\.words).map(String.init)
    }
}
