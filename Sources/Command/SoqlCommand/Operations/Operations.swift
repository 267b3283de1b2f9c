// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK

extension Option {
    static let object = Option(
        "object", .object, "the object, such as Account", missing: "no object; give one, such as Account")
    static let id = Option("id", .text("ID"), "the record's id", missing: "no id; give the record's id")
    static let soql = Option(
        "soql", .text("\"SELECT …\""),
        "the query, such as SELECT Id, Name FROM Account WHERE Industry = 'Banking' LIMIT 10",
        missing: "give one query, in quotes")
    fileprivate static let names = Option("fields", .names("[FIELD…]"), "the fields to read (default: all)")
    fileprivate static let fields = Option("fields", .fields, "field names and their values; null clears a field")
    fileprivate static let words = Option(
        "text", .words("WORDS…"),
        "the text to find: words, or a search such as FIND {Acme} RETURNING Account(Id, Name)",
        missing: "no text to find; give words or a FIND statement")
    fileprivate static let externalField = Option(
        "field", .text("EXTERNALFIELD"), "the field of the external id",
        missing: "no external id field; give one, such as ExternalId__c")
    fileprivate static let externalValue = Option(
        "value", .text("VALUE"), "the external id", missing: "no external id; give the value of the field")
}

// MARK: - Reading

extension Operation {
    static let describe = Operation(
        "describe", "list the objects of the org, or the fields of an object",
        advice: """
            With 'object' it includes picklists and relationships. Defaults are omitted: a field is nillable, \
            createable, updateable, filterable, sortable and groupable unless stated otherwise.
            """,
        [Option.object.asking(nil)]
    ) { arguments, org in
        guard let object = arguments[.object] else { return .objects(try await org.objects()) }
        return .object(try await org.object(object))
    }

    static let limits = Operation("limits", "print the org's limits and what remains of them", []) { _, org in
        .rows(Listing(try await org.client.send(.limits).limits))
    }

    static let explain = Operation(
        "explain", "print how the org would run a query, without running it",
        advice: "The first plan is the one that the org would use. With a cost above 1 a query is not selective.",
        [.soql]
    ) { arguments, org in
        if let query = org.query { return .rows(Listing(try await org.client.plans(of: query))) }
        return .rows(Listing(try await org.client.send(.explain(SOQL(raw: arguments.text(.soql))))))
    }

    static let query = Operation(
        "query", "run queries and print their records",
        advice: """
            Give 'soql' with one query, or the 'cursor' of a previous response to continue. Long texts are truncated.
            """,
        [Option.soql.asking(nil), .allRows]
    ) { arguments, org in
        let soql = SOQL(raw: arguments.text(.soql))
        return .pages(
            org.client.pages(
                soql, batchSize: 200, includingDeleted: arguments.has(.allRows), completingChildren: false))
    }

    static let get = Operation(
        "get", "print a record", advice: "The record has all fields, or only 'fields'.", [.object, .id, .names]
    ) { arguments, org in
        let (object, id, fields) = (arguments.text(.object), arguments.text(.id), arguments.names(.names))
        let request: RestRequest =
            if let field = arguments[.byExternalID] {
                .retrieve(object, externalID: field, id, fields: fields)
            } else {
                .retrieve(object, id: id, fields: fields)
            }
        let record = try await org.client.send(request).payload.dictionary ?? [:]
        let names = record.map(\.key).filter { $0 != "attributes" }
        // The server returns fields in the object's order. The order that the user chose has priority.
        let wanted = fields.compactMap { name in names.first { $0.lowercased() == name.lowercased() } }
        return .record(record, columns: wanted.isEmpty ? names : wanted)
    }
}

// MARK: - Changes

extension Operation {
    static let create = Operation(
        "create", "create a record", effect: .adds,
        [.object, Option.fields.asking("no fields; give FIELD=VALUE…")]
    ) { arguments, org in
        let (object, record) = try await arguments.record(at: org)
        return .change(.create(object, record))
    }

    static let update = Operation(
        "update", "update a record", effect: .changes,
        [.object, .id, Option.fields.asking("no fields to change; give FIELD=VALUE…")]
    ) { arguments, org in
        let (object, record) = try await arguments.record(at: org)
        return .change(.update(object, id: arguments.text(.id), record))
    }

    static let upsert = Operation(
        "upsert", "update the record with an external id, or create it", effect: .changes,
        [.object, .externalField, .externalValue, .fields]
    ) { arguments, org in
        let form = RecordForm(object: try await org.object(arguments.text(.object)))
        let field = try form.column(arguments.text(.externalField)).name
        let record = try form.record(FieldAssignment.all(arguments.all(.fields)))
        return .change(.upsert(form.object.name, externalID: field, arguments.text(.externalValue), record))
    }

    static let delete = Operation(
        "delete", "delete a record", effect: .removes,
        [.object, Option.id.asking("give one id; use 'soql import' to delete many records")]
    ) { arguments, _ in .change(.delete(arguments.text(.object), id: arguments.text(.id))) }
}

extension Arguments {
    /// The record to write, converted by the object's description unless it is JSON, and the object name as the org
    /// spells it.
    fileprivate func record(at org: OrgAccess) async throws -> (object: String, record: JSONObject) {
        let object = text(.object)
        if let record { return (object, record) }
        let form = RecordForm(object: try await org.object(object))
        return (form.object.name, try form.record(FieldAssignment.all(all(.fields))))
    }
}

// MARK: - Search

extension Operation {
    static let search = Operation(
        "search", "find records by the words in them",
        advice: "A string that begins with FIND is a SOSL statement, which specifies the objects to search.",
        [.words, .searchIn]
    ) { arguments, org in
        let (text, isStatement) = try searchText(of: arguments)
        return .found(try await records(of: text, isStatement, arguments, org))
    }

    /// The text of a search, and whether it is a complete SOSL statement, which must not be combined with search
    /// options.
    @discardableResult
    static func searchText(of arguments: Arguments) throws(UsageError) -> (text: String, isStatement: Bool) {
        let text = arguments.text(.words)
        let rest = text.lowercased().removing(prefix: "find")?.unicodeScalars
        guard rest?.first(where: { !$0.properties.isWhitespace }) == "{" else { return (text, false) }
        let options = [Option.searchIn, .searchFields, .searchScope, .searchLimit]
        if let option = options.first(where: arguments.has) {
            throw UsageError("\(option.name) cannot be used with a FIND statement; specify it in the statement")
        }
        return (text, true)
    }

    /// Not inlined, because the optimizer of Swift 6.3.1 crashes if both calls are inlined into the connection's call.
    @inline(never)
    private static func records(
        of text: String, _ isStatement: Bool, _ arguments: Arguments, _ org: OrgAccess
    ) async throws -> [Record] {
        if isStatement { return try await org.client.send(.search(SOSL(raw: text))) }
        return try await org.client.send(.search(try await plain(text, arguments, org)))
    }

    private static func plain(
        _ text: String, _ arguments: Arguments, _ org: OrgAccess
    ) async throws -> ParameterizedSearch {
        var search = ParameterizedSearch(
            text, in: arguments[.searchScope].flatMap { ParameterizedSearch.Scope(rawValue: $0.uppercased()) })
        search.overallLimit = arguments.number(.searchLimit)
        search.fields = arguments.names(.searchFields)
        for name in arguments.names(.searchIn) {
            guard search.fields.isEmpty else {
                search.objects.append(.init(name))
                continue
            }
            let nameField = try await org.object(name).fields.first(where: \.isNameField)?.name
            search.objects.append(.init(name, fields: ["Id"] + (nameField.map { [$0] } ?? [])))
        }
        return search
    }
}
