// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import Synchronization

/// A record as a model is given it: without the addresses of the API, and not larger than an answer.
struct FittingValue {
    let value: JSONValue
    /// In bytes.
    let size: Int
    private(set) var isCut = false

    /// The lengths that texts are cut to, one after the other, until the value fits.
    private static let lengths = [20_000, 2_000, 200]

    init(_ record: JSONValue, maxBytes: Int) {
        let plain = Self.plain(record, longest: .max)
        let size = plain.bytes().count
        guard size > maxBytes else {
            (value, self.size) = (plain, size)
            return
        }
        isCut = true
        for length in Self.lengths {
            let short = Self.plain(record, longest: length)
            let size = short.bytes().count
            if size <= maxBytes {
                (value, self.size) = (short, size)
                return
            }
        }
        let id = record["Id"] ?? .null
        value = ["Id": id, "note": JSONValue("the record has \(size) bytes, more than an answer may have")]
        self.size = value.bytes().count
    }

    private static func plain(_ value: JSONValue, longest: Int) -> JSONValue {
        if let object = value.object {
            return JSONValue(
                JSONObject(
                    members: object.filter { $0.key != "attributes" && $0.key != "nextRecordsUrl" }.map {
                        ($0.key, plain($0.value, longest: longest))
                    }))
        }
        if let array = value.array { return JSONValue(JSONArray(array.map { plain($0, longest: longest) })) }
        guard let text = value.string, text.utf8.count > longest else { return value }
        return JSONValue("\(text.prefix(longest))… (\(text.count) characters)")
    }
}

extension JSONValue {
    /// The JSON schema of a text.
    static func text(_ description: String) -> JSONValue {
        ["type": "string", "description": JSONValue(description)]
    }

    /// The JSON schema of a list of names.
    static func names(_ description: String) -> JSONValue {
        ["type": "array", "items": ["type": "string"], "description": JSONValue(description)]
    }
}

/// Where answers of queries stopped, until others have taken their place.
final class QueryCursors: Sendable {
    /// What is still to be given.
    struct Rest: Sendable {
        let totalSize: Int
        /// How many records were given.
        var given: Int
        /// Records that came and were not given.
        var records: [JSONValue]
        let nextPath: String?
    }

    private let rests = Mutex<[(name: String, rest: Rest)]>([])
    /// How many are kept; each has a page of records at most.
    private static let most = 32

    /// Keeps a rest.
    ///
    /// - Returns: the cursor.
    func keep(_ rest: Rest) -> String {
        let name = "q" + String(UInt64.random(in: .min ... .max), radix: 36)
        rests.withLock { rests in
            rests.append((name, rest))
            if rests.count > Self.most { rests.removeFirst() }
        }
        return name
    }

    /// The rest of a cursor, which may be asked for again.
    func rest(of name: String) -> Rest? { rests.withLock { $0.first { $0.name == name }?.rest } }
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

/// A list that is cut where the answer would get too long.
struct ListAnswer {
    private let name: String
    private let maxBytes: Int
    private var values: [JSONValue] = []
    private var bytes = 0
    private var isFull = false

    init(_ name: String, maxBytes: Int) {
        (self.name, self.maxBytes) = (name, maxBytes)
    }

    var count: Int { values.count }

    mutating func add(_ value: JSONValue) {
        let size = value.bytes().count + 1
        isFull = isFull || (bytes + size > maxBytes && !values.isEmpty)
        guard !isFull else { return }
        values.append(value)
        bytes += size
    }

    /// The list with what stands in front of it, and a note when others were left out.
    func json(of total: Int, _ head: [(key: String, value: JSONValue)] = [], note: String) -> JSONValue {
        var members = head + [("total", JSONValue(total)), (name, JSONValue(JSONArray(values)))]
        if values.count < total { members.append(("note", JSONValue("\(values.count) of \(total) are here; \(note)"))) }
        return JSONValue(JSONObject(members: members))
    }
}
