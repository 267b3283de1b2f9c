// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// The records of a query's result, page after page, in order, all of them.
///
/// There is no silent limit: the sequence ends after the last record, or throws. In memory are two pages at most,
/// however long the result is.
///
/// A list of children that the server cut is completed before its record is given, by following its own next pages one
/// after the other; such a record takes the memory of all its children. Ask without `completingChildren` to get the
/// lists as they came, with `done` and `nextRecordsUrl` in them.
///
/// A failure says in ``RestError/queryPosition`` where the query can be taken up. Where a record itself fails (its
/// children cannot be had, or it does not decode), that is before the record's page, of which some records were given
/// already: they come again, and none is lost. In the first page there is no such place; the query is run again then.
public struct QueryRecords<Element: Sendable>: AsyncSequence, Sendable {
    /// What an iteration can throw.
    public typealias Failure = RestError

    private var pages: QueryPages
    private let children: ChildCompletion?
    private let makeReader: @Sendable () -> Reader

    /// Reads a record with its place in the whole result, from 0.
    package typealias Reader = (JSONValue, Int) throws(RestError) -> Element

    /// Makes the sequence of the pages' records, each read with its place in the whole result, from 0; children are
    /// completed record by record, not for a page as a whole.
    package init(_ pages: QueryPages, read: @escaping @Sendable (JSONValue, Int) throws(RestError) -> Element) {
        self.init(pages, makeReader: { read })
    }

    /// Makes the sequence with a reader for each page, which may remember what it found out about the page's records.
    init(_ pages: QueryPages, makeReader: @escaping @Sendable () -> Reader) {
        self.pages = pages
        self.pages.completesChildren = false
        self.makeReader = makeReader
        children = pages.completesChildren ? ChildCompletion(client: pages.client, query: pages.first) : nil
    }

    /// The same records, with a function that is told the position after each page before the page's records are given.
    ///
    /// The first report comes before the first record and holds the total. Keep a report only once its page's records
    /// are done with; see ``QueryPages/reportingProgress(to:)``.
    public func reportingProgress(to report: @escaping @Sendable (QueryPage.Position) -> Void) -> QueryRecords {
        var copy = self
        copy.pages = pages.reportingProgress(to: report)
        return copy
    }

    /// Starts at the first record.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator(), children: children, makeReader: makeReader)
    }

    /// Hands out record after record and fetches a page when the one before is used up.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var pages: QueryPages.AsyncIterator
        private let children: ChildCompletion?
        private let makeReader: @Sendable () -> Reader
        /// The reader of the page's records; none without a page, so that no page is kept by it.
        private var read: Reader?
        private var records = JSONArray([]).makeIterator()
        /// The record that comes next, where its children must be fetched first.
        private var cutRecord: JSONValue?
        private var hasStarted = false
        /// The place of the next record in the whole result, from 0.
        private var index: Int
        /// Where the page of `records` can be had again; `nil` for the first page of a query.
        private var pageStart: QueryPage.Position?

        init(
            pages: QueryPages.AsyncIterator, children: ChildCompletion?,
            makeReader: @escaping @Sendable () -> Reader
        ) {
            self.pages = pages
            self.children = children
            self.makeReader = makeReader
            index = pages.position?.recordCount ?? 0
        }

        /// The next record, or `nil` after the last.
        ///
        /// - Throws: ``RestError``; the iteration is over then.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError)
            -> Element?
        {
            // Inlined, so that a record which is there costs its caller no change of executors.
            if let element = try nextAtHand() { return element }
            return try await nextFetched(isolation: actor)
        }

        /// The next record, if it is there with all of its children.
        @usableFromInline
        mutating func nextAtHand() throws(RestError) -> Element? {
            guard let record = records.next() else { return nil }
            if let children, !children.isWhole(record) {
                cutRecord = record
                return nil
            }
            return try element(record)
        }

        /// The next record, whose children or page come first.
        @usableFromInline
        mutating func nextFetched(isolation actor: isolated (any Actor)?) async throws(RestError) -> Element? {
            while true {
                if let children, let record = cutRecord {
                    cutRecord = nil
                    let whole: JSONValue
                    do throws(RestError) { whole = try await children.completed(record) } catch {
                        throw ended(by: error)
                    }
                    return try element(whole)
                }
                guard try await fetch(isolation: actor) else { return nil }
                if let element = try nextAtHand() { return element }
            }
        }

        private mutating func element(_ record: JSONValue) throws(RestError) -> Element {
            defer { index += 1 }
            let read = read ?? makeReader()
            do throws(RestError) { return try read(record, index) } catch { throw ended(by: error) }
        }

        /// Ends the iteration because of a record, and says where its page can be had again.
        private mutating func ended(by error: RestError) -> RestError {
            records = JSONArray().makeIterator()
            pages.end()
            return pageStart.map { error.at($0) } ?? error
        }

        /// How many records the whole query has; fetches the first page if no record was given yet.
        public mutating func totalSize(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError)
            -> Int
        {
            if !hasStarted { _ = try await fetch(isolation: actor) }
            return pages.position?.totalSize ?? 0
        }

        /// How many records the iteration gives in all, as far as its first page tells.
        mutating func expectedCount(isolation actor: isolated (any Actor)?) async throws(RestError) -> Int {
            _ = try await totalSize(isolation: actor)
            return pages.expectedCount
        }

        /// Makes the next page's records those to give; false after the last page.
        private mutating func fetch(isolation actor: isolated (any Actor)?) async throws(RestError) -> Bool {
            hasStarted = true
            // Lets go of the page that is used up before another one comes.
            (records, read) = (JSONArray().makeIterator(), nil)
            pageStart = pages.position
            guard let page = try await pages.next(isolation: actor) else { return false }
            (records, read) = (page.records.makeIterator(), makeReader())
            return true
        }
    }
}

extension QueryRecords {
    /// All records in an array, if there are no more than the limit; never a part of them.
    ///
    /// - Parameters:
    ///   - limit: how many records are accepted.
    ///   - actor: where the records are read.
    /// - Returns: every record of the query.
    /// - Throws: ``RestError/Code/tooLarge`` when there are more, after the first page where the server tells the
    ///   total; every other ``RestError`` of the query.
    public func collect(
        limit: Int, isolation actor: isolated (any Actor)? = #isolation
    ) async throws(RestError) -> [Element] {
        guard limit >= 0 else { throw .invalidRequest("limit", "must not be negative") }
        var iterator = makeAsyncIterator()
        let expected = try await iterator.expectedCount(isolation: actor)
        guard expected <= limit else { throw .tooMany(expected, limit) }
        var elements: [Element] = []
        // The total is the server's word: memory is taken on it for a few pages, and for more as records come.
        elements.reserveCapacity(Swift.min(expected, 10_000))
        while let element = try await iterator.next(isolation: actor) {
            guard elements.count < limit else { throw .tooMany(elements.count + 1, limit) }
            elements.append(element)
        }
        return elements
    }
}

extension RestError {
    fileprivate static func tooMany(_ count: Int, _ limit: Int) -> RestError {
        RestError(
            .tooLarge,
            "limit: the query has at least \(count) records and the limit is \(limit); raise the limit, add a "
                + "LIMIT to the query, or read the records one by one")
    }
}

/// Completes the lists of children that the server cut, by following their own next pages one after the other.
///
/// A record is held in memory with all of its children until the caller lets go of it.
struct ChildCompletion: Sendable {
    let client: RestClient
    /// The query whose header fields and limits the requests for children have too.
    let query: RestRequest

    /// How many levels of children are completed; the query language has five.
    fileprivate static let mostLevels = 10

    /// The records with their lists of children completed.
    func completed(_ records: JSONArray) async throws(RestError) -> JSONArray {
        guard records.contains(where: { $0.hasCutChildren(levels: Self.mostLevels) }) else { return records }
        var whole: [JSONValue] = []
        for record in records { whole.append(try await completed(record)) }
        return JSONArray(whole)
    }

    /// Whether a record has all of its children.
    func isWhole(_ record: JSONValue) -> Bool { !record.hasCutChildren(levels: Self.mostLevels) }

    /// The record with its lists of children completed, and those of the children themselves.
    func completed(_ record: JSONValue) async throws(RestError) -> JSONValue {
        try await completed(record, levels: Self.mostLevels)
    }

    private func completed(_ record: JSONValue, levels: Int) async throws(RestError) -> JSONValue {
        guard record.hasCutChildren(levels: levels), let fields = record.object else { return record }
        // Each page that is fetched may bring lists of its own, so their nesting is not bounded by one answer's.
        guard levels > 0 else {
            throw RestError(.decoding, "lists of children are nested deeper than a query allows")
        }
        var whole = fields
        for field in fields where field.value.isChildList {
            whole[field.key] = try await completedList(field.value, levels: levels - 1)
        }
        return JSONValue(whole)
    }

    private func completedList(_ list: JSONValue, levels: Int) async throws(RestError) -> JSONValue {
        guard var whole = list.object else { return list }
        var children: [JSONValue] = []
        var page = list
        var walk = QueryWalk()
        let total = whole.totalSize ?? 0
        while true {
            let records = page["records"]?.array ?? []
            for child in records { children.append(try await completed(child, levels: levels)) }
            guard page["done"]?.bool == false else { break }
            guard let path = page["nextRecordsUrl"]?.string,
                walk.getsOn(to: path, after: records, given: children.count, of: total)
            else {
                throw RestError(.decoding, "a list of children is not done but names no next page, or an old one")
            }
            page = JSONValue(try QueryPage.content(await client.send(query.following(path))))
        }
        whole["records"] = JSONValue(JSONArray(children))
        whole["done"] = true
        whole["nextRecordsUrl"] = nil
        return JSONValue(whole)
    }
}

extension JSONValue {
    /// Whether the value is a query result inside a record.
    fileprivate var isChildList: Bool { self["records"]?.array != nil && self["done"]?.bool != nil }

    /// Whether a list of children in the record, at any depth, ends before its last child.
    ///
    /// At the last level, any children count: whoever completes them says that they are too deep.
    fileprivate func hasCutChildren(levels: Int) -> Bool {
        object?.contains { field in
            guard let children = field.value["records"]?.array else { return false }
            return levels == 0 || field.value["done"]?.bool == false
                || children.contains { $0.hasCutChildren(levels: levels - 1) }
        } ?? false
    }
}
