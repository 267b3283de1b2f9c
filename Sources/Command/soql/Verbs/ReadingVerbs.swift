// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import SOQLCheck

/// Asks an org something, and prints the answer as records.
struct ListingCommand: Command {
    /// The object that is asked about, for near names.
    private let object: String?
    private let output: OutputOptions
    private let connection: ConnectionOptions
    private let listing: @Sendable (RestClient) async throws -> Listing

    init(
        _ arguments: Arguments, on object: String? = nil, output: OutputOptions? = nil,
        _ listing: @escaping @Sendable (RestClient) async throws -> Listing
    ) throws(UsageError) {
        (self.object, self.output) = (object, output ?? OutputOptions(arguments))
        (connection, self.listing) = (try ConnectionOptions(arguments), listing)
    }

    func run() async throws {
        try await Connection.read(connection, on: object, listing).print(output)
    }
}

extension Verb {
    static let describe = Verb(
        "describe", operands: ["[OBJECT]"], "lists the objects of the org, or the fields of one",
        Option.output + Option.connection
    ) { arguments in
        try arguments.checkNumberOfWords(atMost: 1)
        guard let object = arguments.words.first else {
            return try ListingCommand(arguments) { Listing(try await $0.send(.objects)) }
        }
        return try ListingCommand(arguments, on: object) { Listing(try await $0.send(.describe(object)).fields) }
    }

    static let limits = Verb(
        "limits", "prints the limits of the org and what is left of them", Option.output + Option.connection
    ) { arguments in
        try arguments.checkNumberOfWords(atMost: 0)
        return try ListingCommand(arguments) { Listing(try await $0.send(.limits).limits) }
    }

    static let explain = Verb(
        "explain", operands: ["\"SELECT …\""], "prints how the org would run a query, without running it",
        notes: ["The way that the org would take stands first. A cost above 1 means that the query is not selective."],
        Option.output + Option.connection
    ) { arguments in
        guard arguments.words.count == 1 else { throw UsageError("give one query, in quotes") }
        guard let statement = StatementReader.statements(of: arguments.words[0]).first else {
            throw UsageError("the query is empty")
        }
        let query = QueryScript.Query(
            statement: statement, bound: try BoundQuery(statement.text, QueryParameters()), source: nil)
        return try ListingCommand(arguments) { Listing(try await $0.plans(of: query)) }
    }

    static let get = Verb(
        "get", operands: ["OBJECT ID [FIELD…]"], "prints a record",
        notes: ["FIELD may be several, with commas or blanks between them; all fields without."],
        [.byExternalID] + Option.output + Option.connection
    ) { arguments in
        let (object, rest) = try arguments.object()
        guard let id = rest.first else { throw UsageError("give the record's id") }
        let fields = rest.dropFirst().flatMap { $0.split(byte: ",").flatMap(\.words).map(String.init) }
        let request: RestRequest =
            if let field = arguments[.byExternalID] {
                .retrieve(object, externalID: field, id, fields: fields)
            } else {
                .retrieve(object, id: id, fields: fields)
            }
        var options = OutputOptions(arguments)
        // One record is read down the page, not across it.
        if options.format == nil, options.format(onTerminal: StandardOutput.isTerminal) == .table {
            options.format = .vertical
        }
        return try ListingCommand(arguments, on: object, output: options) { client in
            let record = try await client.send(request).payload.dictionary ?? [:]
            let names = record.map(\.key).filter { $0 != "attributes" }
            // The server's order is that of the object; the user's own comes first.
            let wanted = fields.compactMap { name in names.first { $0.lowercased() == name.lowercased() } }
            return Listing([record], columns: wanted.isEmpty ? names : wanted)
        }
    }

    static let search = Verb(
        "search", operands: ["WORDS… [--in OBJECTS]", "\"FIND {…} …\""], "finds records by words in them",
        notes: [
            """
            Plain words are looked for as they are: all of them must be found. Without --in the org searches what it \
            searches by default. A text that begins with FIND is a SOSL statement.
            """
        ],
        [.searchIn, .searchFields, .searchScope, .searchLimit] + Option.output + Option.connection
    ) { arguments in
        let search = try Search(arguments)
        return try ListingCommand(arguments) { Listing(found: try await search.answer(of: $0)) }
    }
}

extension Option {
    static let byExternalID = Option(
        "--external-id", .text("FIELD"), "the field that ID is a value of; by default it is the record's id")
    static let searchIn = Option("--in", .text("OBJECTS"), "the objects, with commas between them")
    static let searchFields = Option(
        "--fields", .text("FIELDS"), "the fields to print; by default the id and the name of each object of --in")
    static let searchScope = Option(
        "--scope", .choice("FIELDS", ["all", "name", "email", "phone"]), "the fields to look into")
    static let searchLimit = Option("--limit", .number(1...2_000), "find no more than N records")
}

/// A search for plain words, or a whole statement.
private struct Search: Sendable {
    private let text: String
    private let arguments: Arguments

    init(_ arguments: Arguments) throws(UsageError) {
        text = QueryText.trimmed(arguments.words.joined(separator: " "))
        guard !text.isEmpty else { throw UsageError("say what to look for") }
        self.arguments = arguments
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

    /// Not inlined: the optimizer of Swift 6.3.1 crashes when both calls become parts of the connection's.
    @inline(never)
    func answer(of client: RestClient) async throws -> [Record] {
        if isStatement { return try await client.send(.search(SOSL(raw: text))) }
        return try await client.send(.search(try await words(client)))
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
            let nameField = try await client.send(.describe(name)).fields.first(where: \.isNameField)?.name
            search.objects.append(.init(name, fields: ["Id"] + (nameField.map { [$0] } ?? [])))
        }
        return search
    }

    private static func names(_ list: String?) -> [String] {
        (list ?? "").split(byte: ",").flatMap(\.words).map(String.init)
    }
}
