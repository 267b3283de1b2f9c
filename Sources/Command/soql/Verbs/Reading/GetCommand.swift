// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestText

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
