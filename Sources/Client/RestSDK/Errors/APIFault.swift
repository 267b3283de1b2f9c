// SPDX-License-Identifier: Apache-2.0

import RestText
import RestTransport

/// One error as the server stated it: `{"errorCode": …, "message": …, "fields": […]}`.
public struct APIFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// A place in the text of a query, both counted from 1.
    public struct Position: Sendable, Hashable {
        /// The row.
        public let row: Int
        /// The column.
        public let column: Int

        /// Makes a position.
        public init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    /// The server's code, such as ``Code/malformedQuery``; an open set.
    public let errorCode: Code
    /// The server's message; empty where it sent a code alone.
    public let message: String
    /// The fields it is about.
    public let fields: [String]
    /// The part of a composite request or of a tree of records that it is about, by its `referenceId`.
    public let reference: String?

    /// Makes a fault.
    public init(errorCode: Code, message: String, fields: [String] = [], reference: String? = nil) {
        self.errorCode = errorCode
        self.message = message
        self.fields = fields
        self.reference = reference
    }

    /// Where the query is wrong, read from `ERROR at Row:1:Column:8` in the message; `nil` when there is no such place
    /// in a text of a million rows and columns.
    public var position: Position? {
        guard let start = message.firstRange(bytes: "ERROR at Row:")?.upperBound else { return nil }
        let parts = message[start...].split(byte: ":", maxSplits: 2)
        guard parts.count == 3, parts[1] == "Column", let row = Int(outside: parts[0], in: .textPosition),
            let column = Int(outside: parts[2].prefix { $0.isASCII && $0.isNumber }, in: .textPosition)
        else { return nil }
        return Position(row: row, column: column)
    }

    /// The value as text, for people and logs.
    public var description: String {
        let about = reference.map { "\($0): " } ?? ""
        return message.isEmpty ? "\(about)\(errorCode)" : "\(about)\(errorCode): \(message)"
    }
}
