// SPDX-License-Identifier: Apache-2.0

import RestJSON

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

    /// The server's code, such as `MALFORMED_QUERY`; an open set.
    public let errorCode: String
    /// The server's message.
    public let message: String
    /// The fields it is about.
    public let fields: [String]

    /// Makes a fault.
    public init(errorCode: String, message: String, fields: [String] = []) {
        self.errorCode = errorCode
        self.message = message
        self.fields = fields
    }

    /// Where the query is wrong, read from `ERROR at Row:1:Column:8` in the message.
    public var position: Position? {
        guard let start = message.firstRange(of: "ERROR at Row:")?.upperBound else { return nil }
        let parts = message[start...].split(separator: ":", maxSplits: 2)
        guard parts.count == 3, parts[1] == "Column", let row = Int(parts[0]),
            let column = Int(parts[2].prefix { $0.isASCII && $0.isNumber })
        else { return nil }
        return Position(row: row, column: column)
    }

    /// The value as text, for people and logs.
    public var description: String { "\(errorCode): \(message)" }
}

extension APIFault {
    /// Reads the faults in an error body: an array of faults, a single one, or an OAuth error object.
    ///
    /// Empty for anything else.
    static func faults(in body: [UInt8]) -> [APIFault] {
        guard let root = try? JSONValue(parsing: body) else { return [] }
        if let array = root.array { return array.compactMap(APIFault.init(reading:)) }
        return [APIFault(reading: root)].compactMap { $0 }
    }

    private init?(reading value: JSONValue) {
        guard let code = (value["errorCode"] ?? value["statusCode"] ?? value["error"])?.string else { return nil }
        self.init(
            errorCode: code,
            message: (value["message"] ?? value["error_description"])?.string ?? "",
            fields: value["fields"]?.array?.compactMap(\.string) ?? [])
    }
}
