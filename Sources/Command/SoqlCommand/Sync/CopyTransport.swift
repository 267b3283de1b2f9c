// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import RestSync
import RestTransport
import SOQLStore
import Synchronization

/// A transport that responds to queries and descriptions from an offline copy, as an org would.
///
/// So every format, the pages and the session work without a network.
final class CopyTransport: HTTPTransport {
    /// The rows of a result with several pages.
    private struct Cursor {
        let query: CompiledQuery
        let rows: RowNumbers
    }

    private struct State {
        var cursors: [Int: Cursor] = [:]
        var lastCursor = 0
    }

    /// The number of results whose further pages can be read.
    private static let mostCursors = 8

    let store: SyncStore
    private let objects: JSONArray
    private let state = Mutex(State())

    init(_ store: SyncStore) {
        self.store = store
        objects = (try? JSONValue(parsing: store.descriptions))?.array ?? []
    }

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard !Task.isCancelled else {
            throw TransportError(.cancelled, "the task was cancelled", mayHaveReachedServer: false)
        }
        let (status, body): (Int, [UInt8])
        do throws(OrgError) {
            (status, body) = (200, try content(for: request, before: deadline))
        } catch {
            let fault: JSONValue = ["errorCode": JSONValue(error.code), "message": JSONValue(error.message)]
            (status, body) = (error.code == OrgError.notFound.code ? 404 : 400, JSONValue(JSONArray([fault])).bytes())
        }
        return HTTPResponse(head: .init(status: status, fields: ["Content-Type": "application/json"]), body: body)
    }

    func shutdown() async {}

    private func content(
        for request: HTTPRequest, before deadline: ContinuousClock.Instant
    ) throws(OrgError) -> [UInt8] {
        // `/services/data/v66.0/…`
        let parts = request.url.path.split(byte: "/").map(String.init)
        let call = Call(path: parts.prefix(3).map { "/" + $0 }.joined(), limit: deadline - .now, request)
        switch Array(parts.dropFirst(3)) {
        case ["query"], ["queryAll"]:
            guard let text = try? PercentEncoding.formPairs(request.url.query ?? "").first(where: { $0.name == "q" })
            else { break }
            return try firstPage(of: text.value, includingDeleted: parts.last == "queryAll", call)
        case let rest where rest.count == 2 && rest[0] == "query": return try page(at: rest[1], call)
        case ["sobjects"]:
            let list = objects.map { object -> JSONValue in
                var summary = object.object ?? [:]
                for name in ["fields", "childRelationships", "recordTypeInfos"] { summary[name] = JSONValue?.none }
                return JSONValue(summary)
            }
            return JSONValue(["sobjects": JSONValue(JSONArray(list))]).bytes()
        case let rest where rest.count == 3 && rest[0] == "sobjects" && rest[2] == "describe":
            guard let object = objects.first(where: { $0["name"]?.string?.lowercased() == rest[1].lowercased() })
            else { throw .unknownObject(rest[1]) }
            return object.bytes()
        case ["composite"]: return try composite(request, before: deadline)
        default: break
        }
        throw OrgError("NOT_FOUND", "an offline copy has only queries and descriptions; use an org for this request")
    }

    /// A long query as the only part of a composite request.
    private func composite(
        _ request: HTTPRequest, before deadline: ContinuousClock.Instant
    ) throws(OrgError) -> [UInt8] {
        let part = try? JSONValue(parsing: request.body.inMemory ?? [])["compositeRequest"]?[0]
        guard let target = part?["url"]?.string,
            var query = try? HTTPRequest(url: HTTPURL(origin: request.url.origin, target: target))
        else { throw .notFound }
        query.fields["Sforce-Query-Options"] = part?["httpHeaders"]?["Sforce-Query-Options"]?.string
        let body = try content(for: query, before: deadline)
        let response = Array(#"{"compositeResponse":[{"httpStatusCode":200,"referenceId":"query","body":"#.utf8)
        return response + body + Array("}]}".utf8)
    }
}

extension CopyTransport {
    /// The properties of a request that pages need.
    private struct Call {
        /// The path of the API version.
        let path: String
        let limit: Duration
        /// The number of records per page.
        let size: Int

        init(path: String, limit: Duration, _ request: HTTPRequest) {
            (self.path, self.limit) = (path, limit)
            let wish = request.fields["Sforce-Query-Options"]?.removing(prefix: "batchSize=")
            size = wish.flatMap { Int(outside: $0, in: .count) }.map { min(max($0, 200), 2_000) } ?? 2_000
        }

        var version: Int {
            (path.cut(lastByte: "/")?.after.removing(prefix: "v")).flatMap { APIVersion(String($0)) }?.number
                ?? APIVersion.current.number
        }
    }

    private func firstPage(
        of text: String, includingDeleted: Bool, _ call: Call
    ) throws(OrgError) -> [UInt8] {
        let options = QueryOptions(
            now: WireTime.milliseconds, version: call.version, includesDeleted: includingDeleted,
            userID: store.records.userID)
        let query = try QueryCompiler(schema: store.schema).compile(text, options: options)
        let (first, rows) = try store.records.database.read {
            (connection) throws(OrgError) -> ((bytes: [UInt8], count: Int), RowNumbers?) in
            let reader = QueryReader(connection: connection, timeLimit: call.limit)
            guard case .records(let shape) = query.shape else { return (try reader.result(of: query), nil) }
            let page = try reader.records(query.rows(limit: call.size + 1), shape)
            return (page, page.count > call.size ? try reader.rowNumbers(query) : nil)
        }
        guard let rows else { return Self.page(first.bytes, of: first.count, next: nil) }
        let number = state.withLock { state in
            state.lastCursor += 1
            state.cursors[state.lastCursor] = Cursor(query: query, rows: rows)
            state.cursors[state.lastCursor - Self.mostCursors] = nil
            return state.lastCursor
        }
        return try page(at: "\(number)-0", call)
    }

    /// Returns a page at a locator: the number of a cursor and the number of records before the page.
    private func page(at locator: String, _ call: Call) throws(OrgError) -> [UInt8] {
        let numbers = locator.split(byte: "-").compactMap { Int(outside: $0, in: .count) }
        guard numbers.count == 2, let cursor = state.withLock({ $0.cursors[numbers[0]] }),
            numbers[1] < cursor.rows.count, case .records(let shape) = cursor.query.shape
        else { throw OrgError("INVALID_QUERY_LOCATOR", "invalid query locator") }
        let end = numbers[1] + min(call.size, cursor.rows.count - numbers[1])
        let page = try store.records.database.read { (connection) throws(OrgError) in
            try QueryReader(connection: connection, timeLimit: call.limit)
                .records(cursor.query.page(of: cursor.rows[numbers[1]..<end]), shape)
        }
        let next = end < cursor.rows.count ? "\(call.path)/query/\(numbers[0])-\(end)" : nil
        return Self.page(page.bytes, of: cursor.rows.count, next: next)
    }

    private static func page(_ records: [UInt8], of total: Int, next: String?) -> [UInt8] {
        let link = next.map { #","nextRecordsUrl":"\#($0)""# } ?? ""
        let head = #"{"totalSize":\#(total),"done":\#(next == nil)\#(link),"records":["#
        return Array(head.utf8) + records + Array("]}".utf8)
    }
}
