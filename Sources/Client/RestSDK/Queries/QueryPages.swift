// SPDX-License-Identifier: Apache-2.0

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
