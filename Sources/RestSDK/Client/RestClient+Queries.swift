// SPDX-License-Identifier: Apache-2.0

public import RestJSON

extension RestClient {
    /// The pages of a query, for whoever wants ``QueryPage/totalSize`` or to work page by page.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - batchSize: records per page, within ``RestRequest/batchSizes``.
    ///   - includingDeleted: whether deleted and archived records are seen.
    public func pages(_ query: SOQL, batchSize: Int? = nil, includingDeleted: Bool = false) -> QueryPages {
        QueryPages(
            client: self,
            first: includingDeleted ? .queryAll(query, batchSize: batchSize) : .query(query, batchSize: batchSize))
    }

    /// The records of a query, all of them, fetched as they are asked for.
    public func records(_ query: SOQL, batchSize: Int? = nil, includingDeleted: Bool = false) -> QueryRecords<Record> {
        QueryRecords(pages: pages(query, batchSize: batchSize, includingDeleted: includingDeleted)) {
            (value) throws(RestError) in
            guard let fields = value.object else { throw RestError(.decoding, "a record is not a JSON object") }
            return Record(fields: fields)
        }
    }

    /// The records of a query as values of your own type.
    public func records<Row: Decodable & Sendable>(
        _ query: SOQL, as type: Row.Type, batchSize: Int? = nil, includingDeleted: Bool = false,
        options: JSONDecodingOptions = .foundation()
    ) -> QueryRecords<Row> {
        QueryRecords(pages: pages(query, batchSize: batchSize, includingDeleted: includingDeleted)) {
            (value) throws(RestError) in
            do {
                return try value.decode(type, options: options)
            } catch {
                throw RestError(.decoding, "a record is not a \(type): \(error)", underlying: error)
            }
        }
    }
}
