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

/// Gives rows one after another, each written into a writer that knows the columns.
protocol RowFeed {
    /// The names of the columns that the first row has; `nil` when there is no row.
    mutating func columns() async throws(BulkError) -> [String]?

    /// Writes the next row; `false` when there is none.
    mutating func write(to writer: inout CSVWriter) async throws(BulkError) -> Bool
}

/// The elements of a sequence as rows.
struct SequenceFeed<Rows: AsyncIteratorProtocol>: RowFeed {
    private var rows: Rows
    private let names: @Sendable (Rows.Element) throws(CSVError) -> [String]
    private let write: @Sendable (Rows.Element, inout CSVWriter) throws(CSVError) -> Void
    /// An element that was read and not written.
    private var held: Rows.Element?
    /// How many rows were written.
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

/// A record of JSON as a row.
enum JSONRow {
    private enum Field {
        case absent
        case null
        case text(String)
    }

    /// The names of the columns that a record needs.
    static func names(of record: JSONObject) throws(CSVError) -> [String] {
        var names: [String] = []
        try walk(record, "") { name, _ in names.append(name) }
        return names
    }

    /// Writes a record into the columns of a writer.
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
