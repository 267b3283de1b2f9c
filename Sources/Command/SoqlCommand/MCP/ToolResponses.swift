// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import Synchronization

/// A record or an event prepared for a model: small enough for a response, and records without URLs of the API.
struct FittingValue {
    /// The kind of a value, which determines what is omitted.
    struct Kind {
        /// The members that are always omitted.
        let omitted: Set<String>
        /// The members of a value that is still too large.
        let kept: [String]
        let noun: String
        let advice: String

        static let record = Kind(
            omitted: ["attributes", "nextRecordsUrl"], kept: ["Id"], noun: "record", advice: "read fewer fields")
        static let event = Kind(
            omitted: [], kept: ["channel", "replayId"], noun: "event", advice: "its data is omitted")
    }

    let value: JSONValue
    /// The size in bytes.
    let size: Int
    let isCut: Bool

    /// The lengths to which strings are cut, tried in order until the value fits.
    private static let lengths = [20_000, 2_000, 200]

    init(_ whole: JSONValue, _ kind: Kind = .record, maxBytes: Int) {
        var size = 0
        for length in [.max] + Self.lengths {
            let value = Self.plain(whole, kind.omitted, longest: length)
            size = value.bytes().count
            if size <= maxBytes {
                (self.value, self.size, isCut) = (value, size, length != .max)
                return
            }
        }
        isCut = true
        let kept = kind.kept.map { (key: $0, value: whole[$0] ?? .null) }
        let note = JSONValue("the \(kind.noun) has \(size) bytes, more than a response can have; \(kind.advice)")
        value = JSONValue(JSONObject(members: kept + [("note", note)]))
        self.size = value.bytes().count
    }

    private static func plain(_ value: JSONValue, _ omitted: Set<String>, longest: Int) -> JSONValue {
        value.rewriting {
            omitted.contains($0) ? .none : $1
        } leaf: { value in
            guard let text = value.string, text.utf8.count > longest else { return value }
            return JSONValue("\(text.prefix(longest))… (\(text.count) characters)")
        }
    }
}

/// The positions at which query responses stopped, where newer positions replace old ones.
final class QueryCursors: Sendable {
    /// The remaining part of a query result.
    struct Rest: Sendable {
        var totalSize = 0
        /// The number of records that were returned.
        var given = 0
        /// Records that were received but not returned.
        var records: [JSONValue] = []
        /// The position of the next page, or `nil` after the last page.
        var position: QueryPage.Position?
    }

    private let rests = Mutex<[(name: String, rest: Rest)]>([])
    /// The maximum number of stored positions, each with at most a page of records.
    private static let most = 32

    /// Stores a position and returns its cursor.
    func keep(_ rest: Rest) -> String {
        let name = "q" + String(UInt64.random(in: .min ... .max), radix: 36)
        rests.withLock { rests in
            rests.append((name, rest))
            if rests.count > Self.most { rests.removeFirst() }
        }
        return name
    }

    /// The position of a cursor, which can be requested repeatedly.
    func rest(of name: String) -> Rest? { rests.withLock { $0.first { $0.name == name }?.rest } }
}

/// The records of one response during its creation.
struct QueryResponse {
    private let limit: Int
    private var records: ListResponse
    private var isCut = false
    /// The position before this response, updated to the position for the next response.
    private(set) var rest = QueryCursors.Rest()

    init(limit: Int, maxBytes: Int) {
        (self.limit, records) = (limit, ListResponse("records", maxBytes: maxBytes))
    }

    var progress: ToolProgress {
        ToolProgress(done: records.count, total: Swift.min(limit, Swift.max(rest.totalSize - rest.given, 0)))
    }

    var wantsMore: Bool { !records.isFull && records.count < limit }

    /// The number of records that still fit the limit.
    var room: Int { limit - records.count }

    mutating func take(_ page: QueryPage) {
        let before = rest.position?.recordCount ?? 0
        rest.totalSize = Swift.max(rest.totalSize, page.totalSize)
        rest.position = page.nextRecordsPath.map { path in
            QueryPage.Position(
                totalSize: page.totalSize, recordCount: before + page.records.count, nextRecordsPath: path)
        }
        rest.records += page.records
        fill()
    }

    mutating func take(_ rest: QueryCursors.Rest) {
        self.rest = rest
        fill()
    }

    /// Moves as many of the waiting records to the response as fit.
    private mutating func fill() {
        var taken = 0
        for record in rest.records {
            guard records.count < limit else { break }
            let fitting = FittingValue(record, maxBytes: records.maxBytes)
            guard records.add(fitting.value, size: fitting.size) else { break }
            isCut = isCut || fitting.isCut
            taken += 1
        }
        rest.records.removeFirst(taken)
    }

    func json(_ cursors: QueryCursors) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("totalSize", JSONValue(rest.totalSize)), ("returned", JSONValue(records.count)),
            ("records", records.list),
        ]
        if !rest.records.isEmpty || rest.position != nil {
            var rest = rest
            rest.given += records.count
            let cursor = cursors.keep(rest)
            let note =
                "\(rest.given) of \(rest.totalSize) records so far; call query with cursor '\(cursor)' to continue"
            members += [("nextCursor", JSONValue(cursor)), ("note", JSONValue(note))]
        }
        if isCut { members.append(("cut", "long values are truncated; get the record to read them in full")) }
        return JSONValue(JSONObject(members: members))
    }
}

/// A list that is truncated if the response would get too long.
struct ListResponse {
    let maxBytes: Int
    private(set) var isFull = false
    private let name: String
    private var values: [JSONValue] = []
    private var bytes = 0

    init(_ name: String, maxBytes: Int) { (self.name, self.maxBytes) = (name, maxBytes) }

    var count: Int { values.count }
    var list: JSONValue { JSONValue(JSONArray(values)) }

    /// Adds a value with its size in bytes and returns whether it fit, as the first value always does.
    @discardableResult
    mutating func add(_ value: JSONValue, size: Int) -> Bool {
        isFull = isFull || (bytes + size > maxBytes && !values.isEmpty)
        guard !isFull else { return false }
        values.append(value)
        bytes += size
        return true
    }

    mutating func add(_ value: JSONValue) { add(value, size: value.bytes().count + 1) }

    /// The list after the members of `head`, with a note if values were omitted.
    func json(of total: Int, _ head: [(key: String, value: JSONValue)] = [], note: String) -> JSONValue {
        var members = head + [("total", JSONValue(total)), (name, list)]
        if count < total { members.append(("note", JSONValue("\(count) of \(total) shown; \(note)"))) }
        return JSONValue(JSONObject(members: members))
    }
}
