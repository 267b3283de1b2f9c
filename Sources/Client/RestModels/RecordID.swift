// SPDX-License-Identifier: Apache-2.0

public import RestJSON
public import RestSDK
public import SOQLSyntax

/// The id of a record of one object, so that `RecordID<Account>` and `RecordID<Contact>` are different types.
///
/// An id of 15 characters is converted to 18 characters, so that both forms of an id are equal.
public struct RecordID<Object>: Sendable, Hashable {
    /// The id in 18 letters and digits.
    public let text: String

    /// Creates an id from 15 or 18 letters and digits, or returns `nil` for any other string.
    public init?(_ text: String) {
        guard text.isRecordID else { return nil }
        self.text = text.utf8.count == 18 ? text : text + Self.suffix(of: text)
    }

    /// Converts an id to an id of another object, for a reference to records of several objects.
    ///
    /// The object of the record is not checked. ``keyPrefix`` identifies it in most orgs.
    public init<Other>(_ other: RecordID<Other>) { text = other.text }

    /// The first three characters, which identify the object, such as `001` for an account.
    public var keyPrefix: String { String(text.prefix(3)) }

    /// Three characters that encode which letters are capitals, with five bits each.
    private static func suffix(of text: String) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345")
        let bytes = Array(text.utf8)
        return String(
            stride(from: 0, to: 15, by: 5).map { start in
                digits[(0..<5).reduce(0) { $0 | ((0x41...0x5A).contains(bytes[start + $1]) ? 1 << $1 : 0) }]
            })
    }
}

extension RecordID: LosslessStringConvertible, CustomDebugStringConvertible {
    /// The id in 18 letters and digits.
    public var description: String { text }
    /// The id in 18 letters and digits.
    public var debugDescription: String { text }
}

extension RecordID: FieldValue, SOQL.Bindable {
    /// Reads an id.
    public init?(field json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(text)
    }

    /// The id as a string.
    public var fieldJSON: JSONValue { JSONValue(text) }
    /// The id as a quoted literal.
    public var soqlLiteral: SOQLLiteral? { .string(text) }
}

extension RecordID: Codable {
    /// Decodes the string form of an id.
    public init(from decoder: any Decoder) throws { self = try decoder.fieldValue() }
    /// Encodes the string form of the id.
    public func encode(to encoder: any Encoder) throws { try encoder.write(self) }
}

/// An object of an org as a type, for the ids of its records.
///
/// Models conform to this protocol. For ids of an object without a model, declare an enum:
///
/// ```swift
/// enum Invoice: RecordObject { static let objectName = "Invoice__c" }
/// ```
public protocol RecordObject {
    /// The API name: `Invoice__c`.
    static var objectName: String { get }
}
