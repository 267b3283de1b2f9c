// SPDX-License-Identifier: Apache-2.0

extension RestClient {
    /// How many records a query finds; `SELECT COUNT() FROM …` asks for nothing else.
    ///
    /// - Throws: ``RestError``.
    public func count(_ query: SOQL) async throws(RestError) -> Int {
        try await content(of: .query(query)) { (response) throws(RestError) in try QueryPage(response).totalSize }
    }
}
