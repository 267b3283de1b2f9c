// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The source of the rows of a load, which are read while the load runs.
///
/// The rows are never all in memory. A load that is run again reads its rows again from the beginning, so the source
/// must give the same rows.
public struct BulkSource: Sendable {
    enum Content: Sendable {
        case file(path: String, CSVDialect)
        case feed(columns: [String]?, @Sendable () -> any RowFeed)
    }

    let content: Content

    /// Creates a source from a CSV file whose first row contains the names of the columns.
    ///
    /// The file is sent unchanged. `#N/A` sets a field to null, and an empty field changes nothing.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - delimiter: the delimiter of the fields, one of the six that the platform supports.
    /// - Returns: the source.
    public static func csv(path: String, delimiter: CSVDialect.Delimiter = .comma) -> BulkSource {
        BulkSource(content: .file(path: path, CSVDialect(delimiter: delimiter, null: "#N/A")))
    }

    /// Creates a source from records as JSON objects.
    ///
    /// `null` empties a field. A missing field or an empty string changes nothing. An object inside a record refers to
    /// the related record by an external id: `"Owner": ["ExternalId__c": "7"]` is the column `Owner.ExternalId__c`. A
    /// member `attributes` is ignored.
    ///
    /// - Parameters:
    ///   - records: the records, in order.
    ///   - columns: the names of all fields, by default the fields of the first record.
    /// - Returns: the source.
    public static func records<Records: AsyncSequence & Sendable>(
        _ records: Records, columns: [String]? = nil
    ) -> BulkSource where Records.Element == JSONObject {
        feed(records, columns, names: JSONRow.names, write: JSONRow.write)
    }

    /// Creates a source from records as JSON objects (see ``records(_:columns:)``).
    public static func records(_ records: [JSONObject], columns: [String]? = nil) -> BulkSource {
        self.records(Elements(base: records), columns: columns)
    }

    /// Creates a source from values of an `Encodable` type.
    ///
    /// A property that is not encoded changes nothing, as with `nil` in synthesized code. A property that is encoded as
    /// null empties its field.
    ///
    /// - Parameters:
    ///   - values: the values, in order.
    ///   - columns: the names of all fields, by default the fields that the first value encodes.
    /// - Returns: the source.
    public static func values<Values: AsyncSequence & Sendable>(
        _ values: Values, columns: [String]? = nil
    ) -> BulkSource where Values.Element: Encodable {
        feed(values, columns) { value throws(CSVError) in
            guard let object = (try? value.json()).flatMap({ try? JSONValue(parsing: $0) })?.object else {
                throw CSVError(reason: .invalidValue, row: 2, expected: "a value that encodes as one row")
            }
            return try JSONRow.names(of: object)
        } write: { value, writer throws(CSVError) in
            try writer.append(record: value)
        }
    }

    /// Creates a source from values of an `Encodable` type (see ``values(_:columns:)``).
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

private struct Elements<Base: Sequence & Sendable>: AsyncSequence, Sendable {
    let base: Base

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.Iterator

        mutating func next() async -> Base.Element? { base.next() }
        mutating func next(isolation actor: isolated (any Actor)?) async -> Base.Element? { base.next() }
    }
}

/// A source of rows that writes each row with a CSV writer.
protocol RowFeed {
    /// The names of the first row's columns, or `nil` if there is no row.
    mutating func columns() async throws(BulkError) -> [String]?

    /// Writes the next row, or returns `false` after the last row.
    mutating func write(to writer: inout CSVWriter) async throws(BulkError) -> Bool
}

struct SequenceFeed<Rows: AsyncIteratorProtocol>: RowFeed {
    private var rows: Rows
    private let names: @Sendable (Rows.Element) throws(CSVError) -> [String]
    private let write: @Sendable (Rows.Element, inout CSVWriter) throws(CSVError) -> Void
    private var held: Rows.Element?
    private var count = 0

    init(
        rows: Rows, names: @escaping @Sendable (Rows.Element) throws(CSVError) -> [String],
        write: @escaping @Sendable (Rows.Element, inout CSVWriter) throws(CSVError) -> Void
    ) {
        (self.rows, self.names, self.write) = (rows, names, write)
    }

    mutating func columns() async throws(BulkError) -> [String]? {
        guard let first = try await read() else { return nil }
        held = first
        do throws(CSVError) { return try names(first) } catch { throw BulkError(error, row: 1) }
    }

    mutating func write(to writer: inout CSVWriter) async throws(BulkError) -> Bool {
        guard let row = try await read() else { return false }
        do throws(CSVError) { try write(row, &writer) } catch { throw BulkError(error, row: count + 1) }
        count += 1
        return true
    }

    private mutating func read() async throws(BulkError) -> Rows.Element? {
        if let held {
            self.held = nil
            return held
        }
        do {
            return try await rows.next(isolation: nil)
        } catch is CancellationError {
            throw BulkError(.cancelled, "cancelled while rows were read")
        } catch {
            throw BulkError(.source, "the rows cannot be read: \(error)", row: count + 1, underlying: error)
        }
    }
}

enum JSONRow {
    private enum Field {
        case absent
        case null
        case text(String)
    }

    static func names(of record: JSONObject) throws(CSVError) -> [String] {
        var names: [String] = []
        try walk(record, "") { name, _ in names.append(name) }
        return names
    }

    static func write(_ record: JSONObject, to writer: inout CSVWriter) throws(CSVError) {
        guard let header = writer.header else { return }
        var fields = [Field](repeating: .absent, count: header.names.count)
        try walk(record, "") { (name, value) throws(CSVError) in
            guard let column = header[name] else {
                throw CSVError(reason: .unknownColumn, name: name, expected: "one of the columns of the load")
            }
            fields[column] = value
        }
        for field in fields {
            switch field {
            case .absent: writer.appendEmpty()
            case .null: writer.appendNull()
            case .text(let text): writer.append(text)
            }
        }
        try writer.endRow()
    }

    private static func walk(
        _ record: JSONObject, _ prefix: String, _ each: (String, Field) throws(CSVError) -> Void
    ) throws(CSVError) {
        for (key, value) in record where key != "attributes" {
            let name = prefix.isEmpty ? key : prefix + key
            switch value.kind {
            case .null: try each(name, .null)
            case .string: try each(name, .text(value.string ?? ""))
            case .number: try each(name, .text(value.numberText ?? ""))
            case .bool: try each(name, .text(value.bool == true ? "true" : "false"))
            case .object where prefix.isEmpty: try walk(value.object ?? [:], name + ".", each)
            default:
                throw CSVError(
                    reason: .invalidValue, name: name, expected: "a value of one field, or a record one level below")
            }
        }
    }
}
