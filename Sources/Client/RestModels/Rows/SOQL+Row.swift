// SPDX-License-Identifier: Apache-2.0

public import RestSDK

extension SOQL {
    /// A row of one certain query, whose fields have types.
    ///
    /// `soqlgen` and its plugin write such types for queries in files.
    public protocol Row: Sendable {
        /// Takes the values of a row.
        ///
        /// - Throws: `SOQL.RowReader.Fault` for a value that is missing or of another type.
        init(row: RowReader) throws(RowReader.Fault)
    }
}

extension RestClient {
    /// The rows of a query, all of them, fetched as they are asked for.
    ///
    /// A row that cannot be read ends the sequence with `RestError.Code.decoding`, and the message names its place.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - type: the type of its rows.
    ///   - batchSize: records per page, within `RestRequest.batchSizes`.
    ///   - includingDeleted: whether deleted and archived records are seen.
    /// - Returns: the rows, their lists of children complete.
    public func records<Row: SOQL.Row>(
        _ query: SOQL, as type: Row.Type, batchSize: Int? = nil, includingDeleted: Bool = false
    ) -> QueryRecords<Row> {
        QueryRecords(pages(query, batchSize: batchSize, includingDeleted: includingDeleted)) {
            (value, index) throws(RestError) in
            do throws(SOQL.RowReader.Fault) {
                return try SOQL.RowReader.read(value)
            } catch {
                throw RestError(.decoding, "records[\(index)]\(error.path) \(error.reason)")
            }
        }
    }
}
