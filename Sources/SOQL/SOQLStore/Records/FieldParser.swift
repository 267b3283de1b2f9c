// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSQLite
import SOQLCheck

/// Converts a JSON value to the stored value of a field, or rejects it, without any silent change.
enum FieldParser {
    /// Returns the value for a field, which is `.null` for null and for the empty string.
    ///
    /// If `isChecked` is false, a string can exceed the length of the field, and need not be a value of the picklist.
    static func parse(
        _ value: JSONValue, for field: FieldSchema, isChecked: Bool = true
    ) throws(OrgError) -> SQLValue {
        if value.isNull { return field.type == .boolean ? .integer(0) : .null }
        switch field.type {
        case .boolean:
            guard let bool = value.bool else { throw mismatch(value, field) }
            return .integer(bool ? 1 : 0)
        case .int: return try integer(value, field)
        case .double, .currency, .percent: return try real(value, field)
        case .base64: return try file(value, field)
        case .id, .reference, .date, .datetime, .time, .location, .address, .string, .picklist, .multipicklist,
            .textarea, .email, .phone, .url, .combobox, .encryptedstring:
            guard let text = value.string else { throw mismatch(value, field) }
            return try parse(text: text, for: field, isChecked)
        }
    }

    private static func file(_ value: JSONValue, _ field: FieldSchema) throws(OrgError) -> SQLValue {
        guard let text = value.string, let size = Base64.decode(text)?.count else {
            throw mismatch(field, "VALUE_STRING", "that is not base 64")
        }
        guard size <= Blob.mostBytes else {
            throw field.error("STRING_TOO_LONG", "a file has at most \(Blob.mostBytes >> 20) MB")
        }
        return .text(text)
    }

    private static func parse(
        text: String, for field: FieldSchema, _ isChecked: Bool
    ) throws(OrgError) -> SQLValue {
        guard !text.isEmpty else { return .null }
        switch field.type {
        case .reference, .id: return try id(text, field).map { .text($0) } ?? .null
        case .date:
            guard WireTime.isDate(text) else { throw mismatch(field, "VALUE_STRING", text) }
            return .text(text)
        case .datetime:
            guard let normalized = WireTime.normalizedDatetime(text) else {
                throw mismatch(field, "VALUE_STRING", text)
            }
            return .text(normalized)
        case .time:
            guard let normalized = WireTime.normalizedTime(text) else { throw mismatch(field, "VALUE_STRING", text) }
            return .text(normalized)
        default: return .text(isChecked ? try checked(text, field) : text)
        }
    }

    private static func checked(_ text: String, _ field: FieldSchema) throws(OrgError) -> String {
        guard text.utf8.count <= field.length || text.utf16.count <= field.length else {
            throw field.error(
                "STRING_TOO_LONG", "data value too large: \(text.prefix(60)) (max length=\(field.length))")
        }
        guard !text.utf8.contains(0) else { throw mismatch(field, "VALUE_STRING", "with U+0000") }
        guard field.type != .email || isEmail(text) else {
            throw field.error("INVALID_EMAIL_ADDRESS", "invalid email address: \(text)")
        }
        if field.isRestricted { try checkChoice(text, field) }
        return text
    }

    /// Checks picklist values, which are separated by semicolons in a multi-select picklist.
    private static func checkChoice(_ text: String, _ field: FieldSchema) throws(OrgError) {
        let choices =
            field.type == .multipicklist
            ? text.split(byte: ";").map { $0.drop(anyOf: " ") } : [Substring(text)]
        let known = Set(field.picklistValues.filter(\.isActive).map { $0.value.lowercased() })
        guard let wrong = choices.first(where: { !known.contains($0.lowercased()) }) else { return }
        throw field.error(
            "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST", "bad value for restricted picklist field: \(wrong.prefix(60))")
    }

    private static func isEmail(_ text: String) -> Bool {
        let parts = text.split(byte: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && !text.unicodeScalars.contains(where: \.properties.isWhitespace)
    }

    /// Returns the id with 18 characters, or `nil` for the id that represents no record type.
    private static func id(_ text: String, _ field: FieldSchema) throws(OrgError) -> String? {
        if field.referenceTo == ["RecordType"], text.hasBytes(prefix: RecordID.masterRecordType.prefix(15)) {
            return nil
        }
        guard let id = RecordID.normalized(text) else {
            throw field.error("MALFORMED_ID", "id value of incorrect type: \(text.prefix(40))")
        }
        return id
    }

    private static func integer(_ value: JSONValue, _ field: FieldSchema) throws(OrgError) -> SQLValue {
        guard value.kind == .number else { throw mismatch(value, field) }
        // bounded: by the range of the field, below
        guard let number = value.int else { throw mismatch(value, field) }
        guard Int32(exactly: number) != nil else { throw field.outside("\(number)") }
        return .integer(Int64(number))
    }

    private static func real(_ value: JSONValue, _ field: FieldSchema) throws(OrgError) -> SQLValue {
        guard let text = value.numberText else { throw mismatch(value, field) }
        // bounded: the value is stored as it is
        guard let number = value.double, number.isFinite, DecimalText(text) == DecimalText(number.description) else {
            throw field.outside(text)
        }
        // bounded: only its magnitude is compared
        guard number.magnitude < limit(of: field) else { throw field.outside(text) }
        return .real(number)
    }

    /// Returns the lowest number that is too large for a field.
    static func limit(of field: FieldSchema) -> Double {
        field.precision > 0 ? powerOfTen(field.precision - field.scale) : .infinity
    }

    private static func powerOfTen(_ exponent: Int) -> Double {
        (0..<max(0, exponent)).reduce(1) { power, _ in power * 10 }
    }

    private static func mismatch(_ value: JSONValue, _ field: FieldSchema) -> OrgError {
        let token =
            switch value.kind {
            case .null: "VALUE_NULL"
            case .bool: value.bool == true ? "VALUE_TRUE" : "VALUE_FALSE"
            // bounded: only whether the number is an integer matters
            case .number: value.int == nil ? "VALUE_NUMBER_FLOAT" : "VALUE_NUMBER_INT"
            case .string: "VALUE_STRING"
            case .array: "START_ARRAY"
            case .object: "START_OBJECT"
            }
        return mismatch(field, token, String((value.string ?? value.numberText ?? "").prefix(60)))
    }

    private static func mismatch(_ field: FieldSchema, _ token: String, _ text: String) -> OrgError {
        .parser(
            "Cannot deserialize instance of \(field.type.rawValue) from \(token) value \(text.prefix(60)) or request may be "
                + "missing a required field at \(field.name)")
    }
}

extension FieldSchema {
    /// Returns the error for an invalid value.
    package func error(_ code: String, _ message: String) -> OrgError {
        OrgError(code, "\(label): \(message)", fields: [name])
    }

    fileprivate func outside(_ number: String) -> OrgError {
        error("NUMBER_OUTSIDE_VALID_RANGE", "value outside of valid range on numeric field: \(number.prefix(60))")
    }
}

/// The significant digits and the exponent of a decimal number, to check that a double preserves the whole number.
struct DecimalText: Equatable {
    private let isNegative: Bool
    private let digits: [UInt8]
    private let exponent: Int

    /// Creates the value from a valid JSON number (RFC 8259, section 6).
    init(_ text: String) {
        let parts = text.lowercased().split(byte: "e", maxSplits: 1)
        let mantissa = (parts.first ?? "").utf8
        let fraction = mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        var digits = mantissa.filter { (0x30...0x39).contains($0) }[...]
        var exponent = (parts.count > 1 ? Self.exponent(parts[1]) : 0) - fraction.count
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        digits = digits.drop { $0 == UInt8(ascii: "0") }
        self.digits = Array(digits)
        self.exponent = digits.isEmpty ? 0 : exponent
        isNegative = mantissa.first == UInt8(ascii: "-") && !digits.isEmpty
    }

    /// Returns a power of ten, clamped to an exponent that is still outside of a double's range.
    private static func exponent(_ text: Substring) -> Int {
        let isNegative = text.hasBytes(prefix: "-")
        let digits = text.drop(anyOf: "-+").drop(anyOf: "0")
        let size = digits.isEmpty ? 0 : Int(outside: digits, in: .exponent) ?? NumberRange.exponent.clamped(.max)
        return isNegative ? -size : size
    }
}
