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
        feed(records, columns, JSONRow())
    }

    /// Creates a source from records as JSON objects (see ``records(_:columns:)``).
    public static func records(_ records: [JSONObject], columns: [String]? = nil) -> BulkSource {
        list(records, columns, JSONRow())
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
        feed(values, columns, EncodableRow<Values.Element>())
    }

    /// Creates a source from values of an `Encodable` type (see ``values(_:columns:)``).
    public static func values(_ values: [some Encodable & Sendable], columns: [String]? = nil) -> BulkSource {
        list(values, columns, EncodableRow())
    }

    private static func feed<Rows: AsyncSequence & Sendable, Row: FeedRow<Rows.Element> & Sendable>(
        _ rows: Rows, _ columns: [String]?, _ row: Row
    ) -> BulkSource {
        BulkSource(content: .feed(columns: columns) { SequenceFeed(rows: rows.makeAsyncIterator(), row: row) })
    }

    private static func list<Row: FeedRow & Sendable>(
        _ rows: [Row.Element], _ columns: [String]?, _ row: Row
    ) -> BulkSource where Row.Element: Sendable {
        BulkSource(content: .feed(columns: columns) { ListFeed(rows: rows, row: row) })
    }
}

/// A source of rows that are written with a CSV writer.
protocol RowFeed {
    /// The names of the first row's columns, or `nil` if there is no row.
    mutating func columns() async throws(BulkError) -> [String]?

    /// Writes rows until the writer has a number of bytes, or after a row that must be checked for its length.
    ///
    /// - Returns: the number of written rows, which is 0 at the end, and the position of the last one in the writer.
    mutating func write(
        to writer: inout CSVWriter, rows: Int, bytes: Int
    ) async throws(BulkError) -> (rows: Int, last: Int)
}

/// The form of the rows of a feed.
protocol FeedRow<Element> {
    associatedtype Element

    func names(of element: Element) throws(CSVError) -> [String]

    mutating func write(_ element: Element, to writer: inout CSVWriter) throws(CSVError)
}

/// Rows in memory.
private struct ListFeed<Row: FeedRow>: RowFeed {
    let rows: [Row.Element]
    var row: Row
    private var position = 0

    init(rows: [Row.Element], row: Row) { (self.rows, self.row) = (rows, row) }

    func columns() throws(BulkError) -> [String]? {
        guard let first = rows.first else { return nil }
        do throws(CSVError) { return try row.names(of: first) } catch { throw BulkError(error, row: 1) }
    }

    mutating func write(
        to writer: inout CSVWriter, rows most: Int, bytes: Int
    ) throws(BulkError) -> (rows: Int, last: Int) {
        let (start, end) = (position, min(rows.count, position + most))
        var last = writer.count
        while position < end {
            last = writer.count
            do throws(CSVError) { try row.write(rows[position], to: &writer) } catch {
                throw BulkError(error, row: position + 1)
            }
            position += 1
            if writer.count >= bytes || writer.count - last > RowLimits.longestField { break }
        }
        return (position - start, last)
    }
}

private struct SequenceFeed<Rows: AsyncIteratorProtocol, Row: FeedRow<Rows.Element>>: RowFeed {
    private var rows: Rows
    private var row: Row
    private var held: Rows.Element?
    private var count = 0

    init(rows: Rows, row: Row) { (self.rows, self.row) = (rows, row) }

    mutating func columns() async throws(BulkError) -> [String]? {
        guard let first = try await read() else { return nil }
        held = first
        do throws(CSVError) { return try row.names(of: first) } catch { throw BulkError(error, row: 1) }
    }

    mutating func write(
        to writer: inout CSVWriter, rows: Int, bytes: Int
    ) async throws(BulkError) -> (rows: Int, last: Int) {
        var (written, last) = (0, writer.count)
        while written < rows, let element = try await read() {
            last = writer.count
            do throws(CSVError) { try row.write(element, to: &writer) } catch { throw BulkError(error, row: count + 1) }
            (count, written) = (count + 1, written + 1)
            if writer.count >= bytes || writer.count - last > RowLimits.longestField { break }
        }
        return (written, last)
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

private struct EncodableRow<Element: Encodable>: FeedRow {
    func names(of element: Element) throws(CSVError) -> [String] {
        guard let object = (try? element.json()).flatMap({ try? JSONValue(parsing: $0) })?.object else {
            throw CSVError(reason: .invalidValue, row: 2, expected: "a value that encodes as one row")
        }
        return try JSONRow().names(of: object)
    }

    func write(_ element: Element, to writer: inout CSVWriter) throws(CSVError) {
        try writer.append(record: element)
    }
}

private struct JSONRow: FeedRow {
    private enum Field {
        case absent
        case null
        case text(String)
    }

    func names(of record: JSONObject) throws(CSVError) -> [String] {
        var names: [String] = []
        try Self.walk(record, "") { name, _ in names.append(name) }
        return names
    }

    func write(_ record: JSONObject, to writer: inout CSVWriter) throws(CSVError) {
        guard let header = writer.header else { return }
        if try !Self.writeInOrder(record, header, to: &writer) {
            writer.dropRow()
            var fields = [Field](repeating: .absent, count: header.names.count)
            try Self.walk(record, "") { (name, field) throws(CSVError) in
                fields[try Self.column(name, header)] = field
            }
            for field in fields { Self.append(field, to: &writer) }
        }
        try writer.endRow()
    }

    /// Writes fields in the order of the columns as they come, or returns `false` for another order or a repeated name.
    private static func writeInOrder(
        _ record: JSONObject, _ header: CSVHeader, to writer: inout CSVWriter
    ) throws(CSVError) -> Bool {
        let names = header.names
        var (next, isInOrder) = (0, true)
        try walk(record, "") { (name, field) throws(CSVError) in
            guard isInOrder else { return }
            let column = next < names.count && names[next] == name ? next : try column(name, header)
            isInOrder = column >= next
            guard isInOrder else { return }
            for _ in next..<column { writer.appendEmpty() }
            append(field, to: &writer)
            next = column + 1
        }
        for _ in next..<names.count where isInOrder { writer.appendEmpty() }
        return isInOrder
    }

    private static func column(_ name: String, _ header: CSVHeader) throws(CSVError) -> Int {
        guard let column = header[name] else {
            throw CSVError(reason: .unknownColumn, name: name, expected: "one of the columns of the load")
        }
        return column
    }

    private static func append(_ field: Field, to writer: inout CSVWriter) {
        switch field {
        case .absent: writer.appendEmpty()
        case .null: writer.appendNull()
        case .text(let text): writer.append(text)
        }
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
