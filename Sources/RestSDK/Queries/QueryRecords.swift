// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// The records of a query's result, page after page, in order, all of them.
public struct QueryRecords<Element: Sendable>: AsyncSequence, Sendable {
    /// What an iteration can throw.
    public typealias Failure = RestError

    let pages: QueryPages
    let read: @Sendable (JSONValue) throws(RestError) -> Element

    /// Starts at the first record.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator(), read: read)
    }

    /// Hands out record after record and fetches a page when the one before is used up.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var pages: QueryPages.AsyncIterator
        let read: @Sendable (JSONValue) throws(RestError) -> Element
        var records = JSONArray([]).makeIterator()

        /// The next record, or `nil` after the last.
        ///
        /// - Throws: ``RestError``.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError)
            -> Element?
        {
            while true {
                if let record = records.next() { return try read(record) }
                guard let page = try await pages.next(isolation: actor) else { return nil }
                records = page.records.makeIterator()
            }
        }
    }
}
