// SPDX-License-Identifier: Apache-2.0

public import RestJSON
public import RestSDK
public import SOQLSyntax

/// The id of a record of one object: `RecordID<Account>` is no `RecordID<Contact>`.
///
/// An id of 15 characters becomes the one of 18 that means the same record, so that ids are equal whatever their form.
public struct RecordID<Object>: Sendable, Hashable {
    /// The 18 letters and digits.
    public let text: String

    /// The id of 15 or 18 letters and digits; `nil` for any other text.
    public init?(_ text: String) {
        guard text.isRecordID else { return nil }
        self.text = text.utf8.count == 18 ? text : text + Self.suffix(of: text)
    }

    /// The same id, for a record of another object: where a reference can lead to several.
    ///
    /// It is not asked whether the record is of that object; ``keyPrefix`` tells in most orgs.
    public init<Other>(_ other: RecordID<Other>) { text = other.text }

    /// The first three characters, by which an org tells its objects apart: `001` is an account.
    public var keyPrefix: String { String(text.prefix(3)) }

    /// Three characters that say which of the letters are capitals: five bits each.
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
    /// The 18 letters and digits.
    public var description: String { text }
    /// The 18 letters and digits.
    public var debugDescription: String { text }
}

extension RecordID: FieldValue, SOQL.Bindable {
    /// Reads an id.
    public init?(field json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(text)
    }

    /// The text of the id.
    public var fieldJSON: JSONValue { JSONValue(text) }
    /// The id as a quoted literal.
    public var soqlLiteral: SOQLLiteral? { .string(text) }
}

extension RecordID: Codable {
    /// Reads the text of an id.
    public init(from decoder: any Decoder) throws { self = try decoder.fieldValue() }
    /// Writes the text of the id.
    public func encode(to encoder: any Encoder) throws { try encoder.write(self) }
}

/// An object of an org as a type, whose records a ``RecordID`` can mean.
///
/// Models are such types. The ids of an object without one need no more than this:
///
/// ```swift
/// enum Invoice: RecordObject { static let objectName = "Invoice__c" }
/// ```
public protocol RecordObject {
    /// The API name: `Invoice__c`.
    static var objectName: String { get }
}
