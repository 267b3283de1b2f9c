// SPDX-License-Identifier: Apache-2.0

import RestJSON

extension RestRequest {
    /// Runs a query that the org keeps under a name; the payload is the first page.
    ///
    /// - Parameters:
    ///   - name: the query's name.
    ///   - parameters: the values of its parameters, as texts.
    ///   - batchSize: records per page, a hint within ``batchSizes``.
    /// - Returns: the request.
    public static func namedQuery(
        _ name: String, _ parameters: KeyValuePairs<String, String> = [:], batchSize: Int? = nil
    ) -> RestRequest {
        RestRequest(
            name: "namedQuery", resource: .data(["named", "query", name]),
            query: parameters.map { QueryItem($0.key, $0.value) }
        ).requiring(name, "name").batches(of: batchSize)
    }
}

extension RestClient {
    /// The records of a query that the org keeps under a name, all of them.
    ///
    /// - Parameters:
    ///   - name: the query's name.
    ///   - parameters: the values of its parameters, as texts.
    ///   - batchSize: records per page, within ``RestRequest/batchSizes``.
    /// - Returns: the records, which are fetched as they are asked for.
    public func records(
        named name: String, _ parameters: KeyValuePairs<String, String> = [:], batchSize: Int? = nil
    ) -> QueryRecords<Record> {
        QueryRecords(
            QueryPages(
                client: self, first: .namedQuery(name, parameters, batchSize: batchSize), completesChildren: true),
            read: Record.init(reading:at:))
    }
}
