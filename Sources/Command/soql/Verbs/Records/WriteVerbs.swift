// SPDX-License-Identifier: Apache-2.0

extension Verb {
    static let create = Verb(
        "create", operands: ["OBJECT FIELD=VALUE…", "OBJECT [--file ROWS | < ROWS]"],
        "creates a record, or one for each row of a table", notes: [valueNote, rowNote], Option.write
    ) { arguments in
        let (object, rest) = try arguments.object()
        guard !rest.isEmpty else { return try WriteRowsCommand(.create, object, arguments) }
        let fields = try rest.map { word throws(UsageError) in try FieldAssignment(word) }
        return try WriteRecordCommand(.create(fields), of: object, arguments)
    }

    static let update = Verb(
        "update", operands: ["OBJECT ID FIELD=VALUE…", "OBJECT [--file ROWS | < ROWS]"],
        "changes a record, or one for each row of a table",
        notes: [valueNote, rowNote, "Rows need a column Id."], Option.write
    ) { arguments in
        let (object, rest) = try arguments.object()
        guard let id = rest.first else { return try WriteRowsCommand(.update, object, arguments) }
        guard rest.count > 1 else { throw UsageError("say what to change: FIELD=VALUE…") }
        let fields = try rest.dropFirst().map { word throws(UsageError) in try FieldAssignment(word) }
        return try WriteRecordCommand(.update(id: id, fields), of: object, arguments)
    }

    static let upsert = Verb(
        "upsert", operands: ["OBJECT EXTERNALFIELD VALUE FIELD=VALUE…", "OBJECT EXTERNALFIELD [--file ROWS | < ROWS]"],
        "changes the record with an external id, or creates it",
        notes: [valueNote, rowNote, "Rows need a column for the external id."], Option.write
    ) { arguments in
        let (object, rest) = try arguments.object()
        guard let field = rest.first else { throw UsageError("name the external id field, such as ExternalId__c") }
        guard rest.count > 1 else {
            return try WriteRowsCommand(.upsert(externalID: field), object, arguments)
        }
        let fields = try rest.dropFirst(2).map { word throws(UsageError) in try FieldAssignment(word) }
        return try WriteRecordCommand(.upsert(field, rest[1], fields), of: object, arguments)
    }

    static let delete = Verb(
        "delete", operands: ["OBJECT ID…", "OBJECT [--file ROWS | < ROWS]"],
        "deletes records by their ids, or those of a table's rows",
        notes: [rowNote, "Of rows only the column Id is read."], Option.write.filter { $0.name != Option.null.name }
    ) { arguments in
        let (object, ids) = try arguments.object()
        guard ids.count == 1 else { return try WriteRowsCommand(.delete, object, arguments, ids: ids) }
        return try WriteRecordCommand(.delete(id: ids[0]), of: object, arguments)
    }

    private static let valueNote = """
        FIELD=VALUE is typed as the org describes the field: numbers are sent digit by digit, true and false as such. \
        FIELD= empties the field. FIELD:=JSON is sent as it stands. Parent.Field=VALUE names a related record by an \
        external id.
        """

    private static let rowNote = """
        Rows are CSV with a header, or NDJSON, in calls of 200. All of them are read and checked before the first call. \
        An empty cell of CSV changes nothing, and the text of --null empties a field. What became of each row is \
        printed in order; the exit code is 4 when some were written and others not. For more than 100,000 rows use \
        'soql import'.
        """
}

extension Option {
    /// The options of verbs that write records.
    static let write =
        [rows, rowFormat, null, failedRows, allOrNone, yes, dryRun, format, outputFile, raw, quiet] + Option.connection

    static let rows = Option("--file", short: "-f", .input, "the rows; - for standard input")
    static let rowFormat = Option(
        "--input-format", .choice("FORMAT", ["csv", "ndjson"]), "csv or ndjson; by default as the rows look")
    static let null = Option("--null", .text("TEXT"), "the text that empties a field; #N/A by default")
    static let failedRows = Option("--failed", .output, "write the rows that failed to a CSV file, with sf__Error")
    static let allOrNone = Option("--all-or-none", "a row that is refused undoes the others of its call")
}

extension Arguments {
    /// The object that a verb is about, and the words behind it.
    func object() throws(UsageError) -> (name: String, rest: [String]) {
        guard let name = words.first, !name.isEmpty else { throw UsageError("name the object, such as Account") }
        return (name, Array(words.dropFirst()))
    }
}
