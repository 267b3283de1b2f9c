// SPDX-License-Identifier: Apache-2.0

/// An endpoint whose responses come in pages, each of which says what to ask next.
public protocol PagedEndpoint: Endpoint {
    /// The endpoint of the page after the one with this content; `nil` after the last.
    ///
    /// - Throws: ``RestError`` when the content does not say.
    func next(after content: Content) throws(RestError) -> Self?
}

extension RestClient {
    /// The pages of an endpoint, in order, all of them, each asked for when the one before is used up.
    public func pages<E: PagedEndpoint>(of endpoint: E) -> EndpointPages<E> {
        EndpointPages(client: self, first: endpoint)
    }
}

/// The pages of an endpoint, in order, all of them.
public struct EndpointPages<E: PagedEndpoint>: AsyncSequence, Sendable {
    /// What an iteration gives.
    public typealias Element = E.Content
    /// What an iteration can throw.
    public typealias Failure = E.CallFailure

    let client: RestClient
    let first: E

    /// Starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(client: client, next: first)
    }

    /// Gives page after page.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let client: RestClient
        private var next: E?
        private var sent: Set<RestRequest> = []

        init(client: RestClient, next: E) {
            self.client = client
            self.next = next
        }

        /// The next page, or `nil` after the last.
        ///
        /// - Throws: the endpoint's failure. It is ``RestError/Code/invalidRequest``, before anything is sent, when the
        ///   endpoint leads back to a page that was read already. The iteration is over then.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Element?
        {
            guard let endpoint = next else { return nil }
            next = nil
            do throws(RestError) {
                guard try sent.insert(endpoint.makeRequest()).inserted else {
                    throw .invalidRequest("next", "the endpoint leads back to a page that was already read")
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
