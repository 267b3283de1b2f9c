// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Where the rows of a load come from; they are read while the load runs, and never all in memory.
///
/// A load that is run again after it ended early reads its rows again from the beginning: they must be the same.
public struct BulkSource: Sendable {
    enum Content: Sendable {
        case file(path: String, CSVDialect)
        case feed(columns: [String]?, @Sendable () -> any RowFeed)
    }

    let content: Content

    /// A CSV file whose first row has the names of the columns.
    ///
    /// It is sent as it is: nothing is copied. In it `#N/A` means null and an empty field that nothing changes.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - delimiter: what stands between its fields: one of the six that the platform knows.
    /// - Returns: the source.
    public static func csv(path: String, delimiter: CSVDialect.Delimiter = .comma) -> BulkSource {
        BulkSource(content: .file(path: path, CSVDialect(delimiter: delimiter, null: "#N/A")))
    }

    /// Records as JSON: `null` empties a field, and one that is absent or an empty text changes nothing.
    ///
    /// An object inside of a record names the related record by an external id: `"Owner": ["ExternalId__c": "7"]` is
    /// the column `Owner.ExternalId__c`. A member `attributes` is left out.
    ///
    /// - Parameters:
    ///   - records: the records, in order.
    ///   - columns: the names of all fields; by default those of the first record.
    /// - Returns: the source.
    public static func records<Records: AsyncSequence & Sendable>(
        _ records: Records, columns: [String]? = nil
    ) -> BulkSource where Records.Element == JSONObject {
        feed(records, columns, names: JSONRow.names, write: JSONRow.write)
    }

    /// Records as JSON; see ``records(_:columns:)``.
    public static func records(_ records: [JSONObject], columns: [String]? = nil) -> BulkSource {
        self.records(Elements(base: records), columns: columns)
    }

    /// Values of your own type: a property that is `nil` is left out, as synthesized code does, and changes nothing;
    /// one that is encoded as null empties its field.
    ///
    /// - Parameters:
    ///   - values: the values, in order.
    ///   - columns: the names of all fields; by default those that the first value encodes.
    /// - Returns: the source.
    public static func values<Values: AsyncSequence & Sendable>(
        _ values: Values, columns: [String]? = nil
    ) -> BulkSource where Values.Element: Encodable {
        feed(values, columns) { value throws(CSVError) in
            guard let object = (try? value.json()).flatMap({ try? JSONValue(parsing: $0) })?.object else {
                throw CSVError(reason: .invalidValue, row: 2, expected: "a value that makes a row")
            }
            return try JSONRow.names(of: object)
        } write: { value, writer throws(CSVError) in
            try writer.append(record: value)
        }
    }

    /// Values of your own type; see ``values(_:columns:)``.
    public static func values(_ values: [some Encodable & Sendable], columns: [String]? = nil) -> BulkSource {
        self.values(Elements(base: values), columns: columns)
    }

    private static func feed<Rows: AsyncSequence & Sendable>(
        _ rows: Rows, _ columns: [String]?,
        names: @escaping @Sendable (Rows.Element) throws(CSVError) -> [String],
        write: @escaping @Sendable (Rows.Element, inout CSVWriter) throws(CSVError) -> Void
    ) -> BulkSource {
        BulkSource(
            content: .feed(columns: columns) {
                SequenceFeed(rows: rows.makeAsyncIterator(), names: names, write: write)
            })
    }
}

/// Elements of a collection, for those who wait for each.
private struct Elements<Base: Sequence & Sendable>: AsyncSequence, Sendable {
    let base: Base

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.Iterator

        mutating func next() async -> Base.Element? { base.next() }
        mutating func next(isolation actor: isolated (any Actor)?) async -> Base.Element? { base.next() }
    }
}
