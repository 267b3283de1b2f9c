// SPDX-License-Identifier: Apache-2.0

/// The pages of a query's result, each fetched when it is asked for.
///
/// Nothing is fetched before, nothing is left out.
public struct QueryPages: AsyncSequence, Sendable {
    /// What an iteration gives.
    public typealias Element = QueryPage
    /// What an iteration can throw.
    public typealias Failure = RestError

    let client: RestClient
    let first: RestRequest

    /// Starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(client: client, next: first)
    }

    /// Fetches page after page.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let client: RestClient
        var next: RestRequest?

        /// The next page, or `nil` after the last.
        ///
        /// - Throws: ``RestError``; the iteration is over then.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError)
            -> QueryPage?
        {
            guard let request = next else { return nil }
            next = nil
            let page = try QueryPage(await client.send(request))
            next = page.nextRecordsPath.map { request.following($0) }
            return page
        }
    }
}

extension RestRequest {
    /// The request for the page at `path`, with the header fields and limits of this one.
    func following(_ path: String) -> RestRequest {
        var request = RestRequest.nextPage(path)
        request.fields = fields
        request.timeout = timeout
        return request
    }
}
