// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestText

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
