// SPDX-License-Identifier: Apache-2.0

/// The pages of a query's result, in order, all of them.
///
/// While the caller works on a page the next one is fetched, never more than one, so that memory stays that of two pages.
public struct QueryPages: AsyncSequence, Sendable {
    /// What an iteration gives.
    public typealias Element = QueryPage
    /// What an iteration can throw.
    public typealias Failure = RestError

    let client: RestClient
    let first: RestRequest
    /// Stops fetching ahead once this many records were given; `nil` fetches ahead to the end.
    package var recordsWanted: Int?

    /// Starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(client: client, first: first, recordsWanted: recordsWanted ?? .max)
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

        private let client: RestClient
        private var state: State
        private var recordsWanted: Int
        private var pathsSeen: Set<String> = []

        init(client: RestClient, first: RestRequest, recordsWanted: Int) {
            self.client = client
            self.recordsWanted = recordsWanted
            state = .request(first)
        }

        /// The next page, or `nil` after the last.
        ///
        /// - Throws: ``RestError``; the iteration is over then.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError)
            -> QueryPage?
        {
            let page: QueryPage
            let request: RestRequest
            switch state {
            case .finished: return nil
            case .request(let first):
                state = .finished
                request = first
                page = try QueryPage(await client.send(first))
            case .fetching(let fetch, let current):
                state = .finished
                request = current
                page = try await fetch.page()
            }
            recordsWanted = Swift.max(0, recordsWanted - page.records.count)
            if let path = page.nextRecordsPath { state = try state(after: request, path) }
            return page
        }

        private mutating func state(after request: RestRequest, _ path: String) throws(RestError) -> State {
            guard pathsSeen.insert(path).inserted else {
                throw RestError(.decoding, "the server named the same next page twice: \(path)")
            }
            let next = request.following(path)
            return recordsWanted > 0 ? .fetching(PageFetch(next, through: client), next) : .request(next)
        }
    }
}

/// One page being fetched ahead.
///
/// When nobody waits for it any more, the fetch is cancelled.
private final class PageFetch: Sendable {
    private let task: Task<Result<QueryPage, RestError>, Never>

    init(_ request: RestRequest, through client: RestClient) {
        task = Task(name: request.name) {
            do throws(RestError) {
                return .success(try QueryPage(await client.send(request)))
            } catch {
                return .failure(error)
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// Waits for the page; cancelling the waiting task cancels the fetch.
    func page() async throws(RestError) -> QueryPage {
        try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }
}

extension RestRequest {
    /// The request for the page at `path`, with the header fields and limits of this one.
    func following(_ path: String) -> RestRequest {
        var request = RestRequest.nextPage(path)
        request.fields = fields
        request.timeout = timeout
        request.retryPolicy = retryPolicy
        return request
    }
}
