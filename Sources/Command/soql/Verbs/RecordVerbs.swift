// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK

/// A field and what it is to be, as the command line says it.
///
/// `Name=Acme` is a text that the field's type makes a value of, `Name=` empties the field, and `Name:=JSON` is sent as
/// it stands.
struct FieldAssignment {
    enum Value {
        case text(String)
        case json(JSONValue)
    }

    let field: String
    let value: Value

    /// Reads words.
    static func all(_ words: ArraySlice<String>) throws(UsageError) -> [FieldAssignment] {
        try words.map { word throws(UsageError) in try FieldAssignment(word) }
    }

    /// Reads a word.
    ///
    /// - Throws: ``UsageError`` for a word without `=`, without a name, and for JSON that is none.
    init(_ word: String) throws(UsageError) {
        guard let (target, text) = word.cut(byte: "=") else {
            throw UsageError("'\(word)' must be FIELD=VALUE, or FIELD:=JSON")
        }
        let json = target.removing(suffix: ":")
        let name = json ?? target
        guard !name.isEmpty else { throw UsageError("'\(word)' names no field") }
        field = String(name)
        guard json != nil else {
            value = .text(String(text))
            return
        }
        do throws(JSONError) { value = .json(try JSONValue(parsing: String(text))) } catch {
            throw UsageError("the value of \(name) is not JSON: \(error)")
        }
    }
}

extension RecordForm {
    /// The record that assignments make.
    ///
    /// - Throws: ``CommandFailure`` for an unknown field, one that is set twice, and a text that is no value of it.
    func record(_ assignments: [FieldAssignment]) throws(CommandFailure) -> JSONObject {
        var record = JSONObject()
        for assignment in assignments {
            let column = try column(assignment.field)
            let value: JSONValue =
                switch assignment.value {
                case .json(let value): value
                case .text(let text): text.isEmpty ? .null : try value(text, of: column)
                }
            try set(value, of: column, in: &record)
        }
        return record
    }
}

/// Makes values of an object's fields out of texts, by what the org tells of the object.
struct RecordForm {
    /// Where a value goes.
    enum Column {
        case field(ObjectDescription.Field)
        /// A related record, named by a field of it: `Owner.Username`.
        case parent(relationship: String, field: String)

        /// The name as it is sent.
        var name: String {
            switch self {
            case .field(let field): field.name
            case .parent(let relationship, let field): "\(relationship).\(field)"
            }
        }
    }

    let object: ObjectDescription

    /// The column of a name, in any case.
    ///
    /// - Throws: ``CommandFailure`` that offers the nearest name.
    func column(_ name: String) throws(CommandFailure) -> Column {
        if let field = object[name] { return .field(field) }
        let path = name.split(byte: ".", omittingEmptySubsequences: false).map(String.init)
        if path.count == 2, let parent = object.parentField(named: path[0])?.relationshipName, !path[1].isEmpty {
            return .parent(relationship: parent, field: path[1])
        }
        throw CommandFailure("\(object.name) has no field '\(name)'", near: name, object.fields.map(\.name))
    }

    /// The value that a text stands for.
    ///
    /// - Throws: ``CommandFailure`` for a text that is no value of the field.
    func value(_ text: String, of column: Column) throws(CommandFailure) -> JSONValue {
        guard case .field(let field) = column else { return JSONValue(text) }
        switch field.kind {
        case .boolean:
            switch text.lowercased() {
            case "true", "1": return true
            case "false", "0": return false
            default: throw CommandFailure("\(field.name) takes true or false, not '\(text)'")
            }
        case .int, .double, .currency, .percent:
            // Every digit is kept: the text becomes the number as it is.
            guard let number = JSONValue(numberText: text) else {
                throw CommandFailure("\(field.name) takes a number such as 12.5, not '\(text)'")
            }
            return number
        default: return JSONValue(text)
        }
    }

    /// Sets a value of a record.
    ///
    /// - Throws: ``CommandFailure`` for one that is set already.
    func set(_ value: JSONValue, of column: Column, in record: inout JSONObject) throws(CommandFailure) {
        switch column {
        case .field(let field):
            guard record[field.name] == nil else { throw CommandFailure("\(field.name) is given twice") }
            record[field.name] = value
        case .parent(let relationship, let field):
            guard record[relationship] == nil else { throw CommandFailure("\(relationship) is given twice") }
            record[relationship] = value.isNull ? .null : JSONValue([field: value] as JSONObject)
        }
    }
}

/// A number of records, in words.
func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }

/// Writes one record.
struct WriteRecordCommand: Command {
    enum Target {
        case create([FieldAssignment])
        case update(id: String, [FieldAssignment])
        case upsert(String, String, [FieldAssignment])
        case delete(id: String)
    }

    private let target: Target
    private let object: String
    private let arguments: Arguments
    private let confirmation: Confirmation
    private let connection: ConnectionOptions

    /// Reads the words behind the object.
    init(_ arguments: Arguments, _ target: ([String]) throws(UsageError) -> Target) throws(UsageError) {
        let (object, rest) = try arguments.object()
        (self.target, self.object, self.arguments) = (try target(rest), object, arguments)
        var isDestructive = false
        if case .delete = self.target { isDestructive = true }
        confirmation = try Confirmation(arguments, isDestructive: isDestructive)
        connection = try ConnectionOptions(arguments)
    }

    func run() async throws {
        try await Connection.work(connection, on: object) { client in
            let request = try await request(client)
            guard !arguments.has(.dryRun) else {
                try DryRun.print(request, of: client)
                return DryRun.end()
            }
            if case .delete(let id) = target { try await confirmation.ask("delete \(object) \(id)", of: client) }
            let answer: RestResponse
            do throws(RestError) { answer = try await client.send(request) } catch {
                error.noteOutcome()
                throw error
            }
            try report(answer.payload)
        }
    }

    private func request(_ client: RestClient) async throws -> RestRequest {
        if case .delete(let id) = target { return .delete(object, id: id) }
        let form = RecordForm(object: try await client.send(.describe(object)))
        switch target {
        case .create(let fields): return .create(form.object.name, try form.record(fields))
        case .update(let id, let fields): return .update(form.object.name, id: id, try form.record(fields))
        case .upsert(let field, let value, let fields):
            let name = try form.column(field).name
            return .upsert(form.object.name, externalID: name, value, try form.record(fields))
        case .delete(let id): return .delete(object, id: id)
        }
    }

    /// The id goes to standard output, for scripts.
    private func report(_ answer: RestPayload) throws {
        switch target {
        case .create, .upsert:
            if let id = answer["id"]?.string { try StandardOutput.write("\(id.singleLine)\n") }
            guard case .upsert = target else { return }
            arguments.note(answer["created"]?.bool == false ? "Updated." : "Created.")
        case .update(let id, _): arguments.note("Updated \(id).")
        case .delete(let id): arguments.note("Deleted \(id).")
        }
    }
}

extension Verb {
    static let create = Verb(
        "create", operands: ["OBJECT FIELD=VALUE…"], "creates a record", notes: [valueNote], writing
    ) { arguments in
        try WriteRecordCommand(arguments) { words throws(UsageError) in
            guard !words.isEmpty else { throw UsageError("give the record's fields: FIELD=VALUE…") }
            return .create(try FieldAssignment.all(words[...]))
        }
    }

    static let update = Verb(
        "update", operands: ["OBJECT ID FIELD=VALUE…"], "changes a record", notes: [valueNote], writing
    ) { arguments in
        try WriteRecordCommand(arguments) { words throws(UsageError) in
            guard let id = words.first else { throw UsageError("give the record's id") }
            guard words.count > 1 else { throw UsageError("say what to change: FIELD=VALUE…") }
            return .update(id: id, try FieldAssignment.all(words.dropFirst()))
        }
    }

    static let upsert = Verb(
        "upsert", operands: ["OBJECT EXTERNALFIELD VALUE FIELD=VALUE…"],
        "changes the record with an external id, or creates it", notes: [valueNote], writing
    ) { arguments in
        try WriteRecordCommand(arguments) { words throws(UsageError) in
            guard let field = words.first else { throw UsageError("name the external id field, such as ExternalId__c") }
            guard words.count > 1 else { throw UsageError("give the value of \(field)") }
            return .upsert(field, words[1], try FieldAssignment.all(words.dropFirst(2)))
        }
    }

    static let delete = Verb("delete", operands: ["OBJECT ID"], "deletes a record", writing) { arguments in
        try WriteRecordCommand(arguments) { words throws(UsageError) in
            guard words.count == 1 else { throw UsageError("give one id; 'soql import' deletes the records of a file") }
            return .delete(id: words[0])
        }
    }

    private static let writing = [Option.yes, .dryRun, .quiet] + Option.connection

    private static let valueNote = """
        FIELD=VALUE is typed as the org describes the field: numbers are sent digit by digit, true and false as such. \
        FIELD= empties the field. FIELD:=JSON is sent as it stands. Parent.Field=VALUE names a related record by an \
        external id. Many records are the business of 'soql import'.
        """
}

extension Arguments {
    /// The object that a verb is about, and the words behind it.
    func object() throws(UsageError) -> (name: String, rest: [String]) {
        guard let name = words.first, !name.isEmpty else { throw UsageError("name the object, such as Account") }
        return (name, Array(words.dropFirst()))
    }
}
