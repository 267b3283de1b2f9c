// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Synchronization

/// The pages of a query's result, in order, all of them.
///
/// While the caller works on a page the next one is fetched, never more than one, so that memory stays that of two
/// pages.
///
/// Lists of children that the server cut are completed before their page is given, by following their own next pages
/// one after the other; such a page takes the memory of all its children. Ask without `completingChildren` to get the
/// lists as they came, with `done` and `nextRecordsUrl` in them.
///
/// A failure between two pages says in ``RestError/queryPosition`` where the query stood, so that it can be taken up
/// there.
public struct QueryPages: AsyncSequence, Sendable {
    /// What an iteration gives.
    public typealias Element = QueryPage
    /// What an iteration can throw.
    public typealias Failure = RestError

    let client: RestClient
    let first: RestRequest
    var completesChildren: Bool
    /// Where the query is taken up; `nil` for one that starts.
    var start: QueryPage.Position?
    /// Stops fetching ahead once this many records were given; `nil` fetches ahead to the end.
    package var recordsWanted: Int?
    private var report: (@Sendable (QueryPage.Position) -> Void)?

    init(client: RestClient, first: RestRequest, completesChildren: Bool) {
        self.client = client
        self.first = first
        self.completesChildren = completesChildren
    }

    /// The same pages, with a function that is told the position after each page before the page is given.
    ///
    /// The first report comes before the first record and holds the total. A query that is taken up at a report goes on
    /// after the page that is about to be given: keep a report only once that page's records are done with, and the one
    /// before it until then. ``RestError/queryPosition`` of a failure is always a place before which every record was
    /// given.
    public func reportingProgress(to report: @escaping @Sendable (QueryPage.Position) -> Void) -> QueryPages {
        var copy = self
        copy.report = report
        return copy
    }

    /// Starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// Gives page after page.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// What the next call to `next` does.
        private enum State {
            /// It sends this request and waits for the page.
            case request(RestRequest)
            /// It waits for the page that is being fetched already.
            case fetching(PageFetch, RestRequest)
            /// It gives `nil`: the last page was given, or the iteration failed.
            case finished
        }

        private let pages: QueryPages
        private var state: State
        private var recordsWanted: Int
        private var walk = QueryWalk()
        /// How many records the query has, as was said first.
        private var total: Int?
        /// The iteration's number among its client's calls, for events.
        private let call: UInt64
        private var pageCount = 0
        /// Where the iteration stands: after the page that was given last; `nil` before the first.
        public private(set) var position: QueryPage.Position?

        init(_ pages: QueryPages) {
            self.pages = pages
            call = pages.client.runner.observer.nextCall()
            recordsWanted = pages.recordsWanted ?? .max
            position = pages.start
            total = pages.start?.totalSize
            let isOver = pages.start.map { $0.nextRecordsPath == nil } ?? false
            state = isOver ? .finished : .request(pages.first)
        }

        /// Gives no page any more, and stops fetching the next one.
        mutating func end() { state = .finished }

        /// How many records the iteration gives in all, as far as the pages so far tell; a query that only counts gives
        /// none.
        var expectedCount: Int {
            guard let position else { return 0 }
            let end = position.nextRecordsPath == nil ? position.recordCount : position.totalSize
            return Swift.max(0, end - (pages.start?.recordCount ?? 0))
        }

        /// The next page, or `nil` after the last.
        ///
        /// - Throws: ``RestError``; the iteration is over then.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError)
            -> QueryPage?
        {
            do throws(RestError) {
                return try await following()
            } catch {
                state = .finished
                throw position.map { error.at($0) } ?? error
            }
        }

        private mutating func following() async throws(RestError) -> QueryPage? {
            let request: RestRequest
            var page: QueryPage
            var begun: PageFetch?
            switch state {
            case .finished: return nil
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
            let position = QueryPage.Position(
                totalSize: page.totalSize, recordCount: (position?.recordCount ?? 0) + page.records.count,
                nextRecordsPath: page.nextRecordsPath)
            self.position = position
            pages.report?(position)
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
                throw RestError(.decoding, "the query is stuck: the server names the same next page again")
            }
            let next = request.following(path)
            recordsWanted = Swift.max(0, recordsWanted - page.records.count)
            guard recordsWanted > 0 else { return .request(next) }
            return .fetching(begun ?? PageFetch(next, through: pages.client, isLast: pages.recordsWanted != nil), next)
        }
    }
}

extension RestRequest {
    /// The request for the page at `path`, with the header fields and limits of this one.
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

/// One page being fetched ahead.
///
/// When nobody waits for it any more, the fetch is cancelled, and with it the one of the page after it.
final class PageFetch: Sendable {
    /// A page, and the fetch of the one after it where that was begun already.
    struct Outcome: Sendable {
        let page: QueryPage
        let following: PageFetch?
    }

    private let task: Task<Result<QueryPage, RestError>, Never>
    private let relay: PageRelay

    /// Begins to fetch.
    ///
    /// - Parameters:
    ///   - request: the page's request.
    ///   - client: sends it.
    ///   - isLast: whether the page after this one is not to be fetched before it is asked for.
    init(_ request: RestRequest, through client: RestClient, isLast: Bool) {
        let relay = PageRelay(request, client, isLast: isLast)
        self.relay = relay
        task = Task(name: request.name) {
            do throws(RestError) { return .success(try await relay.page()) } catch { return .failure(error) }
        }
    }

    deinit {
        task.cancel()
    }

    /// Waits for the page; cancelling the waiting task cancels the fetch.
    ///
    /// - Throws: ``RestError/Code/cancelled`` in a cancelled task, also when the page is there already.
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

/// Asks for the page after one that has arrived, while that one is parsed, as soon as somebody waits for it.
///
/// Who waits takes the page at once, so no more than one page is ever ahead. The path in the page's beginning is taken
/// for a hint: the parsed page decides, and a fetch of another path is thrown away.
final class PageRelay: Sendable {
    /// The two come in any order; the second of them begins the fetch.
    private struct State {
        /// Whether somebody waits for the page.
        var isExpected = false
        /// Where the next page is, once the page has arrived.
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

    /// Says that somebody waits for the page.
    func expect() {
        begin { $0.isExpected = true }
    }

    /// The page, whose body is shown to the relay before it is parsed.
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

    /// Notes what came, and begins the fetch if nothing else is waited for.
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

    /// The fetch of the page at this path, if it was begun; any other is cancelled.
    ///
    /// Asked by who waited for the page, and has it: nothing begins a fetch any more.
    func takeFetch(of path: String?) -> PageFetch? {
        let begun = state.withLock { state in
            defer { state.fetch = nil }
            return (path: state.path, fetch: state.fetch)
        }
        return begun.path == path ? begun.fetch : nil
    }

    /// The next page's path where it stands before the records; it is short, and so is what is before it.
    private static func nextPath(in body: [UInt8]) -> String? {
        let records = Array(#""records":["#.utf8)
        let bytes = body.prefix(512)
        guard let end = bytes.firstRange(of: records)?.upperBound else { return nil }
        let envelope = try? JSONValue(parsing: body[..<end] + Array("]}".utf8))
        return envelope?["done"]?.bool == false ? envelope?["nextRecordsUrl"]?.string : nil
    }
}
