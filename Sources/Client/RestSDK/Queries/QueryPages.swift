// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Synchronization

/// All pages of a query's result, in order.
///
/// While the caller processes a page, only the next page is fetched, so that at most two pages are in memory.
///
/// If the server truncated a list of children, the list is completed before the page is returned, by reading its pages
/// one after another. All children of the page are then in memory. Without `completingChildren`, the lists are returned
/// as received, with `done` and `nextRecordsUrl`.
///
/// If an error occurs between two pages, ``RestError/queryPosition`` is the position from which the query can be
/// resumed.
public struct QueryPages: AsyncSequence, Sendable {
    /// The element type of the sequence.
    public typealias Element = QueryPage
    /// The error type of the sequence.
    public typealias Failure = RestError

    let client: RestClient
    let first: RestRequest
    var completesChildren: Bool
    /// The position from which the query is resumed, or `nil` for a new query.
    var start: QueryPage.Position?
    /// The number of records after which no page is fetched ahead, or `nil` to fetch ahead until the end.
    package var recordsWanted: Int?
    private var report: (@Sendable (QueryPage.Position) -> Void)?
    /// Makes another source of the pages of an iteration, such as a job, or `nil` for the query.
    package var makeSource: (@Sendable () -> Source)?

    /// Returns the next page, or `nil` after the last one.
    package typealias Source = () async throws(RestError) -> QueryPage?

    init(client: RestClient, first: RestRequest, completesChildren: Bool) {
        self.client = client
        self.first = first
        self.completesChildren = completesChildren
    }

    /// Returns a copy that reports the position after each page, before the page is returned.
    ///
    /// The first report comes before the first record and contains the total number of records. A query that is resumed
    /// from a report continues after the page that follows the report. Store a report only after you have processed the
    /// records of that page, and keep the previous report until then. ``RestError/queryPosition`` of an error never
    /// skips records that were not returned.
    public func reportingProgress(to report: @escaping @Sendable (QueryPage.Position) -> Void) -> QueryPages {
        var copy = self
        copy.report = report
        return copy
    }

    /// Makes an iterator that starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Returns page after page.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            /// Send this request and wait for the page.
            case request(RestRequest)
            /// Wait for the page that is already being fetched.
            case fetching(PageFetch, RestRequest)
            case other(Source)
            /// Return `nil`, because the last page was returned or the iteration failed.
            case finished
        }

        private let pages: QueryPages
        private var state: State
        private var recordsWanted: Int
        private var walk = QueryWalk()
        /// The total number of records, as reported by the first page.
        private var total: Int?
        /// The number of the iteration among the client's calls, for events.
        private let call: UInt64
        private var pageCount = 0
        /// The position after the last page that was returned, or `nil` before the first page.
        public private(set) var position: QueryPage.Position?

        init(_ pages: QueryPages) {
            self.pages = pages
            call = pages.client.runner.observer.nextCall()
            recordsWanted = pages.recordsWanted ?? .max
            position = pages.start
            total = pages.start?.totalSize
            let isOver = pages.start.map { $0.nextRecordsPath == nil } ?? false
            state = pages.makeSource.map { .other($0()) } ?? (isOver ? .finished : .request(pages.first))
        }

        /// Ends the iteration and stops fetching the next page.
        mutating func end() { state = .finished }

        /// The number of records that the iteration returns, as reported so far, and 0 for a query that only counts.
        var expectedCount: Int {
            guard let position else { return 0 }
            let end = position.nextRecordsPath == nil ? position.recordCount : position.totalSize
            return Swift.max(0, end - (pages.start?.recordCount ?? 0))
        }

        /// Returns the next page, or `nil` after the last page.
        ///
        /// - Throws: ``RestError``, which ends the iteration.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError)
            -> QueryPage?
        {
            do throws(RestError) {
                return try await following()
            } catch {
                state = .finished
                throw resumption.map { error.at($0) } ?? error
            }
        }

        /// The position from which the query can be resumed, or `nil` for pages of another source.
        var resumption: QueryPage.Position? { pages.makeSource == nil ? position : nil }

        private mutating func following() async throws(RestError) -> QueryPage? {
            let request: RestRequest
            var page: QueryPage
            var begun: PageFetch?
            switch state {
            case .finished: return nil
            case .other(let source):
                guard let page = try await source() else {
                    state = .finished
                    return nil
                }
                return given(page)
            case .request(let due):
                request = due
                page = try QueryPage(await pages.client.send(due))
            case .fetching(let fetch, let due):
                request = due
                let outcome = try await fetch.outcome()
                (page, begun) = (outcome.page, outcome.following)
            }
            state = try state(after: page, of: request, begun)
            if pages.completesChildren {
                page.records = try await ChildCompletion(client: pages.client, query: request).completed(page.records)
            }
            return given(page)
        }

        private mutating func given(_ page: QueryPage) -> QueryPage {
            let position = QueryPage.Position(
                totalSize: page.totalSize, recordCount: (position?.recordCount ?? 0) + page.records.count,
                nextRecordsPath: page.nextRecordsPath)
            self.position = position
            pages.report?(position)
            guard pages.makeSource == nil else { return page }
            pages.client.runner.observer.pageGiven(pageCount, at: position, of: pages.first, call: call)
            pageCount += 1
            return page
        }

        private mutating func state(
            after page: QueryPage, of request: RestRequest, _ begun: PageFetch?
        ) throws(RestError) -> State {
            guard let path = page.nextRecordsPath else { return .finished }
            let (total, given) = (total ?? page.totalSize, (position?.recordCount ?? 0) + page.records.count)
            self.total = total
            guard walk.getsOn(to: path, after: page.records, given: given, of: total) else {
                throw RestError(.decoding, "the query cannot continue: the server returned the same next page again")
            }
            let next = request.following(path)
            recordsWanted = Swift.max(0, recordsWanted - page.records.count)
            guard recordsWanted > 0 else { return .request(next) }
            return .fetching(begun ?? PageFetch(next, through: pages.client, isLast: pages.recordsWanted != nil), next)
        }
    }
}

extension RestRequest {
    /// Returns the request for the page at `path`, with the headers and limits of this request.
    func following(_ path: String) -> RestRequest {
        var request = RestRequest.nextPage(path)
        request.fields = fields
        (request.options, request.trace) = (options, trace)
        request.timeout = timeout
        request.retryPolicy = retryPolicy
        request.ignoresLimits = ignoresLimits
        return request
    }
}

/// A page that is being fetched ahead, and cancelled with the page after it when it is no longer awaited.
final class PageFetch: Sendable {
    /// A page, with the fetch of the page after it if that fetch was started.
    struct Outcome: Sendable {
        let page: QueryPage
        let following: PageFetch?
    }

    private let task: Task<Result<QueryPage, RestError>, Never>
    private let relay: PageRelay

    /// Starts fetching a page and, unless `isLast`, the page after it when this page is awaited.
    init(_ request: RestRequest, through client: RestClient, isLast: Bool) {
        let relay = PageRelay(request, client, isLast: isLast)
        self.relay = relay
        task = Task(name: request.name) {
            do throws(RestError) { return .success(try await relay.page()) } catch { return .failure(error) }
        }
    }

    deinit { task.cancel() }

    /// Waits for the page, or throws ``RestError/Code/cancelled`` and cancels the fetch if the waiting task is
    /// cancelled.
    func outcome() async throws(RestError) -> Outcome {
        if !Task.isCancelled { relay.expect() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        guard !Task.isCancelled else { throw RestError(.cancelled, "the task was cancelled between two pages") }
        let page = try result.get()
        return Outcome(page: page, following: relay.takeFetch(of: page.nextRecordsPath))
    }
}

/// Requests the page after an awaited page while that page is still being parsed.
///
/// The caller takes the awaited page immediately, so at most one page is fetched ahead. The path at the beginning of
/// the body is only a hint: the parsed page decides, and a fetch of another path is dropped.
final class PageRelay: Sendable {
    /// The page can be awaited before or after it arrives, and the later event starts the fetch.
    private struct State {
        var isExpected = false
        /// The path of the next page, after the page has arrived.
        var path: String?
        var isBegun = false
        var fetch: PageFetch?
    }

    private let state = Mutex(State())
    private let request: RestRequest
    private let client: RestClient
    private let isLast: Bool

    init(_ request: RestRequest, _ client: RestClient, isLast: Bool) {
        self.request = request
        self.client = client
        self.isLast = isLast
    }

    func expect() { begin { $0.isExpected = true } }

    /// Returns the page, after passing its body to the relay.
    func page() async throws(RestError) -> QueryPage {
        var options = Call.Options()
        if !isLast { options.onBody = { [weak self] in self?.relay($0) } }
        return try QueryPage(await client.content(of: request, options))
    }

    private func relay(_ body: [UInt8]) {
        guard !Task.isCancelled, let path = Self.nextPath(in: body), request.resource != .serverPath(path) else {
            return
        }
        begin { $0.path = path }
    }

    /// Records an event, and starts the fetch if both events have occurred.
    private func begin(_ note: (inout State) -> Void) {
        let due = state.withLock { state -> String? in
            note(&state)
            guard state.isExpected, !state.isBegun, let path = state.path else { return nil }
            state.isBegun = true
            return path
        }
        guard let due else { return }
        let fetch = PageFetch(request.following(due), through: client, isLast: false)
        state.withLock { $0.fetch = fetch }
    }

    /// Takes the fetch of the page at this path, if any, after the page has been received, and drops any other fetch.
    func takeFetch(of path: String?) -> PageFetch? {
        let begun = state.withLock { state in
            defer { state.fetch = nil }
            return (path: state.path, fetch: state.fetch)
        }
        return begun.path == path ? begun.fetch : nil
    }

    /// Returns the path of the next page if it is before the records, in the first bytes of the body.
    private static func nextPath(in body: [UInt8]) -> String? {
        let records = Array(#""records":["#.utf8)
        let bytes = body.prefix(512)
        guard let end = bytes.firstRange(of: records)?.upperBound else { return nil }
        let envelope = try? JSONValue(parsing: body[..<end] + Array("]}".utf8))
        return envelope?["done"]?.bool == false ? envelope?["nextRecordsUrl"]?.string : nil
    }
}
