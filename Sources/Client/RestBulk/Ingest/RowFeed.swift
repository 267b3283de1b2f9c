// SPDX-License-Identifier: Apache-2.0

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
