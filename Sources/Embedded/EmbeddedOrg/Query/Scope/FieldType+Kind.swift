// SPDX-License-Identifier: Apache-2.0

/// What a column holds, as far as comparing and printing are concerned.
enum ValueKind: Sendable, Hashable {
    /// Ids compare by case, texts do not.
    case id, text
    case boolean, integer, real, date, dateTime, time
    /// A JSON text.
    case compound

    /// The type's name in the platform's messages.
    var name: String {
        switch self {
        case .id, .text: "string"
        case .boolean: "boolean"
        case .integer: "int"
        case .real: "double"
        case .date: "date"
        case .dateTime: "dateTime"
        case .time: "time"
        case .compound: "location"
        }
    }

    /// Whether literals of this kind stand in quotes.
    var isQuoted: Bool { self == .id || self == .text }

    /// How `<`, ORDER BY and GROUP BY compare values of this kind.
    var collation: SQLFragment { self == .text ? " COLLATE UNICODE_NOCASE" : "" }
}

extension FieldType {
    var kind: ValueKind {
        switch self {
        case .id, .reference: .id
        case .string, .picklist, .multipicklist, .textarea, .email, .phone, .url, .combobox, .encryptedstring, .base64:
            .text
        case .boolean: .boolean
        case .int: .integer
        case .double, .currency, .percent: .real
        case .date: .date
        case .datetime: .dateTime
        case .time: .time
        case .location, .address: .compound
        }
    }
}

extension FieldSchema {
    /// What cannot be filtered, sorted or grouped: it is not in the platform's indexes.
    package var isUnindexed: Bool {
        switch type {
        case .textarea: length > 255
        case .encryptedstring, .base64, .location, .address: true
        default: false
        }
    }
}

extension StringProtocol {
    /// Whether no character is beyond ASCII.
    var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
