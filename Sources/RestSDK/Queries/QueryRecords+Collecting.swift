// SPDX-License-Identifier: Apache-2.0

extension QueryRecords {
    /// All records in an array, if there are no more than the limit; never a part of them.
    ///
    /// - Parameters:
    ///   - limit: how many records are accepted.
    ///   - actor: where the records are read.
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
