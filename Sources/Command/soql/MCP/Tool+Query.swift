// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

extension Tool {
    static let query = Tool(
        name: "query", title: "Query",
        description: """
            Runs a SOQL query and gives its records. Give 'soql', or the 'cursor' of an answer before to go on. Long \
            texts in records are cut.
            """,
        arguments: [
            ("soql", .text("The query, such as SELECT Id, Name FROM Account WHERE Industry = 'Banking' LIMIT 10")),
            ("cursor", .text("nextCursor of the answer before; without soql")),
            ("limit", ["type": "integer", "minimum": 1, "description": "The most records of this answer"]),
            ("allRows", ["type": "boolean", "description": "Whether deleted records count too"]),
        ], required: []
    ) { box, arguments, report in
        let limit = Swift.min(try arguments.number("limit", 1...2_000) ?? box.maxRows, box.maxRows)
        var answer = QueryAnswer(limit: limit, maxBytes: box.maxBytes)
        let (soql, cursor) = (try arguments.text("soql"), try arguments.text("cursor"))
        switch (soql, cursor) {
        case (let soql?, nil):
            let text = SOQL(raw: soql)
            let isAll = try arguments.flag("allRows")
            let first: RestRequest = isAll ? .queryAll(text, batchSize: 200) : .query(text, batchSize: 200)
            answer.take(try await page(first, box))
        case (nil, let cursor?):
            guard let rest = box.cursors.rest(of: cursor) else {
                throw ToolFailure("the cursor is not known any more; run the query again")
            }
            answer.take(rest)
        default: throw ToolFailure("give 'soql' or 'cursor'")
        }
        report(answer.progress)
        while answer.wantsMore, let path = answer.nextPath {
            answer.take(try await page(.nextPage(path), box))
            report(answer.progress)
        }
        return answer.json(box.cursors)
    }

    private static func page(_ request: RestRequest, _ box: ToolBox) async throws -> QueryPage {
        try QueryPage(await box.client.send(request))
    }
}

/// The records of one answer while they come.
struct QueryAnswer {
    private let limit: Int
    private let maxBytes: Int
    private var totalSize = 0
    private var given = 0
    private var waiting: [JSONValue] = []
    private var records: [JSONValue] = []
    private var bytes = 0
    private var isFull = false
    private var isCut = false
    private(set) var nextPath: String?

    init(limit: Int, maxBytes: Int) {
        (self.limit, self.maxBytes) = (limit, maxBytes)
    }

    var progress: ToolProgress {
        ToolProgress(
            done: records.count, total: Swift.min(limit, Swift.max(totalSize - given, 0)), message: "records")
    }

    var wantsMore: Bool { !isFull && records.count < limit }

    mutating func take(_ page: QueryPage) {
        totalSize = Swift.max(totalSize, page.totalSize)
        (waiting, nextPath) = (waiting + page.records, page.nextRecordsPath)
        fill()
    }

    mutating func take(_ rest: QueryCursors.Rest) {
        (totalSize, given, waiting, nextPath) = (rest.totalSize, rest.given, rest.records, rest.nextPath)
        fill()
    }

    /// Moves what fits from the records that wait.
    private mutating func fill() {
        var taken = 0
        for record in waiting {
            guard records.count < limit else { break }
            let fitting = FittingValue(record, maxBytes: maxBytes)
            guard bytes + fitting.size <= maxBytes || records.isEmpty else {
                isFull = true
                break
            }
            records.append(fitting.value)
            bytes += fitting.size
            isCut = isCut || fitting.isCut
            taken += 1
        }
        waiting.removeFirst(taken)
    }

    func json(_ cursors: QueryCursors) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("totalSize", JSONValue(totalSize)), ("returned", JSONValue(records.count)),
            ("records", JSONValue(JSONArray(records))),
        ]
        let isDone = waiting.isEmpty && nextPath == nil
        if !isDone {
            let rest = QueryCursors.Rest(
                totalSize: totalSize, given: given + records.count, records: waiting, nextPath: nextPath)
            let cursor = cursors.keep(rest)
            members.append(("nextCursor", JSONValue(cursor)))
            members.append(
                (
                    "note",
                    JSONValue(
                        "\(rest.given) of \(totalSize) records were given; call query with cursor '\(cursor)' to go on")
                ))
        }
        if isCut { members.append(("cut", "Long values were cut; get the record to read them whole.")) }
        return JSONValue(JSONObject(members: members))
    }
}
