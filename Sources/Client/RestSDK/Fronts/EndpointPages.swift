// SPDX-License-Identifier: Apache-2.0

/// An endpoint with paged responses, each of which determines the next request.
public protocol PagedEndpoint: Endpoint {
    /// Returns the endpoint for the page after this content, or `nil` after the last page.
    ///
    /// - Throws: ``RestError`` if the content does not determine the next page.
    func next(after content: Content) throws(RestError) -> Self?
}

extension RestClient {
    /// Returns all pages of an endpoint in order, each requested when the previous page is used up.
    public func pages<E: PagedEndpoint>(of endpoint: E) -> EndpointPages<E> {
        EndpointPages(client: self, first: endpoint)
    }
}

/// All pages of an endpoint, in order.
public struct EndpointPages<E: PagedEndpoint>: AsyncSequence, Sendable {
    /// The element type of the sequence.
    public typealias Element = E.Content
    /// The error type of the sequence.
    public typealias Failure = E.CallFailure

    let client: RestClient
    let first: E

    /// Makes an iterator that starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(client: client, next: first)
    }

    /// Returns page after page.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let client: RestClient
        private var next: E?
        private var sent: Set<RestRequest> = []

        init(client: RestClient, next: E) {
            self.client = client
            self.next = next
        }

        /// Returns the next page, or `nil` after the last page.
        ///
        /// - Throws: the error of the endpoint, which ends the iteration. If the endpoint leads back to an earlier
        ///   page, the error is ``RestError/Code/invalidRequest``, before the request is sent.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Element?
        {
            guard let endpoint = next else { return nil }
            next = nil
            do throws(RestError) {
                guard try sent.insert(endpoint.makeRequest()).inserted else {
                    throw .invalidRequest("next", "the endpoint returns to a page that was already read")
                }
            } catch {
                throw E.CallFailure(error, own: nil)
            }
            let content = try await client.send(endpoint)
            do throws(RestError) {
                next = try endpoint.next(after: content)
            } catch {
                throw E.CallFailure(error, own: nil)
            }
            return content
        }
    }
}
