// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// All records of a query's result, page by page, in order.
///
/// There is no implicit limit: the sequence ends after the last record, or throws. At most two pages are in memory.
///
/// If the server truncated a list of children, the list is completed before its record is returned, by reading its
/// pages one after another. All children of the record are then in memory. Without `completingChildren`, the lists are
/// returned as received, with `done` and `nextRecordsUrl`.
///
/// ``RestError/queryPosition`` of an error is the position from which the query can be resumed. If a record cannot be
/// decoded or its children cannot be read, this is the position before its page: records of the page that were already
/// returned are returned again, and none is lost. In the first page there is no such position, so run the query again.
public struct QueryRecords<Element: Sendable>: AsyncSequence, Sendable {
    /// The error type of the sequence.
    public typealias Failure = RestError

    private var pages: QueryPages
    private let children: ChildCompletion?
    private let makeReader: @Sendable () -> Reader

    /// Reads a record with its index in the whole result.
    package typealias Reader = (JSONValue, Int) throws(RestError) -> Element

    /// Makes the sequence of the pages' records, with children completed record by record.
    package init(_ pages: QueryPages, read: @escaping @Sendable (JSONValue, Int) throws(RestError) -> Element) {
        self.init(pages, makeReader: { read })
    }

    /// Makes the sequence with a reader for each page, which can cache facts about the records of the page.
    init(_ pages: QueryPages, makeReader: @escaping @Sendable () -> Reader) {
        self.pages = pages
        self.pages.completesChildren = false
        self.makeReader = makeReader
        children = pages.completesChildren ? ChildCompletion(client: pages.client, query: pages.first) : nil
    }

    /// Returns a copy that reports the position after each page, before the records of the page are returned.
    ///
    /// The first report comes before the first record and contains the total number of records. Store a report only
    /// after you have processed the records of its page. See ``QueryPages/reportingProgress(to:)``.
    public func reportingProgress(to report: @escaping @Sendable (QueryPage.Position) -> Void) -> QueryRecords {
        var copy = self
        copy.pages = pages.reportingProgress(to: report)
        return copy
    }

    /// Makes an iterator that starts at the first record.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator(), children: children, makeReader: makeReader)
    }

    /// Returns record after record, and fetches a page after the previous page is used up.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var pages: QueryPages.AsyncIterator
        private let children: ChildCompletion?
        private let makeReader: @Sendable () -> Reader
        /// The reader of the page's records, or `nil` between pages, so that it does not retain a page.
        private var read: Reader?
        private var records = JSONArray([]).makeIterator()
        /// The next record, if its children must be fetched first.
        private var cutRecord: JSONValue?
        private var hasStarted = false
        /// The index of the next record in the whole result.
        private var index: Int
        /// The position before the page of `records`, or `nil` for the first page of a query.
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

        /// Returns the next record, or `nil` after the last record.
        ///
        /// - Throws: ``RestError``, which ends the iteration.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError)
            -> Element?
        {
            // Inlined, so that the caller does not change executors for a record that is available.
            if let element = try nextAtHand() { return element }
            return try await nextFetched(isolation: actor)
        }

        /// Returns the next record if it is available with all of its children.
        @usableFromInline
        mutating func nextAtHand() throws(RestError) -> Element? {
            guard let record = records.next() else { return nil }
            if let children, !children.isWhole(record) {
                cutRecord = record
                return nil
            }
            return try element(record)
        }

        /// Returns the next record after fetching its children or its page.
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

        /// Ends the iteration because of a record, and adds the position of its page to the error.
        private mutating func ended(by error: RestError) -> RestError {
            records = JSONArray().makeIterator()
            pages.end()
            return pageStart.map { error.at($0) } ?? error
        }

        /// Returns the total number of records of the query, which may fetch the first page.
        public mutating func totalSize(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError)
            -> Int
        {
            if !hasStarted { _ = try await fetch(isolation: actor) }
            return pages.position?.totalSize ?? 0
        }

        /// Returns the number of records that the iteration returns, as reported by the first page.
        mutating func expectedCount(isolation actor: isolated (any Actor)?) async throws(RestError) -> Int {
            _ = try await totalSize(isolation: actor)
            return pages.expectedCount
        }

        /// Fetches the next page, and returns `false` after the last page.
        private mutating func fetch(isolation actor: isolated (any Actor)?) async throws(RestError) -> Bool {
            hasStarted = true
            // Release the used page before the next page arrives.
            (records, read) = (JSONArray().makeIterator(), nil)
            pageStart = pages.resumption
            guard let page = try await pages.next(isolation: actor) else { return false }
            (records, read) = (page.records.makeIterator(), makeReader())
            return true
        }
    }
}

extension QueryRecords {
    /// Returns all records in an array, or throws if there are more than `limit`.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of records.
    ///   - actor: the actor on which the records are read.
    /// - Returns: all records of the query.
    /// - Throws: ``RestError/Code/tooLarge`` if there are more records, after the first page if the server reports the
    ///   total, and any other ``RestError`` of the query.
    public func collect(
        limit: Int, isolation actor: isolated (any Actor)? = #isolation
    ) async throws(RestError) -> [Element] {
        guard limit >= 0 else { throw .invalidRequest("limit", "must not be negative") }
        var iterator = makeAsyncIterator()
        let expected = try await iterator.expectedCount(isolation: actor)
        guard expected <= limit else { throw .tooMany(expected, limit) }
        var elements: [Element] = []
        // The total is untrusted, so capacity is reserved for a few pages only.
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

/// Completes the lists of children that the server truncated, by reading their pages one after another.
///
/// A record is in memory with all of its children.
struct ChildCompletion: Sendable {
    let client: RestClient
    /// The query whose headers and limits are used for the requests for children.
    let query: RestRequest

    /// The maximum number of levels of children, of which SOQL allows five.
    fileprivate static let mostLevels = 10

    func completed(_ records: JSONArray) async throws(RestError) -> JSONArray {
        guard records.contains(where: { $0.hasCutChildren(levels: Self.mostLevels) }) else { return records }
        var whole: [JSONValue] = []
        for record in records { whole.append(try await completed(record)) }
        return JSONArray(whole)
    }

    func isWhole(_ record: JSONValue) -> Bool { !record.hasCutChildren(levels: Self.mostLevels) }

    /// Returns the record with complete lists of children at all levels.
    func completed(_ record: JSONValue) async throws(RestError) -> JSONValue {
        try await completed(record, levels: Self.mostLevels)
    }

    private func completed(_ record: JSONValue, levels: Int) async throws(RestError) -> JSONValue {
        guard record.hasCutChildren(levels: levels), let fields = record.object else { return record }
        // Each fetched page may contain truncated lists, so one response does not limit their nesting.
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
                throw RestError(.decoding, "a list of children is incomplete but has no next page, or repeats a page")
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
    fileprivate var isChildList: Bool { self["records"]?.array != nil && self["done"]?.bool != nil }

    /// Whether a list of children at any level is truncated, or has any children at the last level.
    fileprivate func hasCutChildren(levels: Int) -> Bool {
        object?.contains { field in
            guard let children = field.value["records"]?.array else { return false }
            return levels == 0 || field.value["done"]?.bool == false
                || children.contains { $0.hasCutChildren(levels: levels - 1) }
        } ?? false
    }
}
