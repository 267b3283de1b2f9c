// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// A difference between the library's fast paths and the plain parser.
public enum PageDifference: String, Sendable {
    /// Only one of them accepts the text.
    case acceptance
    /// The values differ.
    case values
    /// A lookup by name returns different members.
    case lookups
    /// The unchanged source text of a value differs.
    case asSent
    /// The rows differ, or only one of them decodes the page as rows.
    case rows
    /// The rows differ when each record is decoded separately.
    case singleRows

    fileprivate static let maximumDepth = 32

    /// Returns the first difference for a text, or `nil` if there is none.
    public static func first(in bytes: [UInt8]) -> PageDifference? {
        let plain = PlainParser.value(of: bytes, maximumDepth: maximumDepth)
        let value = try? JSONValue(parsing: bytes, limits: JSONDocument.Limits(maximumDepth: maximumDepth))
        guard let plain, let value else { return plain == nil && value == nil ? nil : .acceptance }
        guard isSame(value, plain) else { return .values }
        guard hasSameMembers(value, plain) else { return .lookups }
        var sent: [UInt8] = []
        value.appendAsSent(to: &sent)
        guard sent == plain.asSent else { return .asSent }
        guard (try? value.decode(PageRows.self)) == (try? PageRows(plain)) else { return .rows }
        return hasSameRows(value, plain) ? nil : .singleRows
    }

    /// Whether each separately decoded record results in the same row, or in an error in both parsers.
    private static func hasSameRows(_ value: JSONValue, _ plain: PlainJSON) -> Bool {
        guard case .array(let records)? = plain["records"] else { return true }
        var decoder = JSONRowDecoder(options: JSONDecodingOptions())
        return zip(value["records"]?.array ?? [], records).allSatisfy { ours, theirs in
            (try? decoder.decode(PageRow.self, from: ours)) == (try? PageRow(theirs))
                && (try? ours.decode(PageRow.self)) == (try? PageRow(theirs))
        }
    }

    private static func isSame(_ value: JSONValue, _ plain: PlainJSON) -> Bool {
        switch plain {
        case .null: value.isNull
        case .bool(let flag): value.bool == flag
        case .number(let text): value.numberText.map { Array($0.utf8) } == text
        case .string(_, let characters): value.string.map { Array($0.utf8) } == characters
        case .array(let elements):
            value.array.map { $0.count == elements.count && zip($0, elements).allSatisfy(isSame) } ?? false
        case .object(let members):
            value.object.map { object in
                object.count == members.count
                    && zip(object, members).allSatisfy { ours, theirs in
                        Array(ours.key.utf8) == theirs.name.characters && isSame(ours.value, theirs.value)
                    }
            } ?? false
        }
    }

    /// Whether the lookup of each name in each object returns its last member.
    private static func hasSameMembers(_ value: JSONValue, _ plain: PlainJSON) -> Bool {
        switch plain {
        case .array(let elements): zip(value.array ?? [], elements).allSatisfy(hasSameMembers)
        case .object(let members):
            members.allSatisfy { member in
                let name = String(decoding: member.name.characters ?? [], as: UTF8.self)
                guard let last = plain[name], let found = value[name] else { return false }
                return isSame(found, last)
            }
                && zip(value.object ?? [:], members).allSatisfy { hasSameMembers($0.value, $1.value) }
        default: true
        }
    }
}

extension MutatedPage {
    /// Whether the plain parser accepts the page, and decodes its records as rows.
    public var kind: (isJSON: Bool, hasRows: Bool) {
        let plain = PlainParser.value(of: bytes, maximumDepth: PageDifference.maximumDepth)
        return (plain != nil, plain.map { (try? PageRows($0)) != nil } ?? false)
    }
}

/// A record of a page as an app declares it.
struct PageRow: Decodable, Equatable {
    struct Person: Decodable, Equatable {
        var Id: String?
        var Name: String?
    }

    var Id: String
    var Name: String?
    var Amount: Double?
    var Count: Int?
    var Small: Int8?
    var Active: Bool?
    var Owner: Person?
    var Numbers: [Int]?
    var Kids: [PageRow]?
}

struct PageRows: Decodable, Equatable {
    var records: [PageRow]
}

/// The error of a value that does not match its type.
struct Unfit: Error {}

/// Decodes the same types from the plain tree, field by field.
extension PageRows {
    init(_ plain: PlainJSON) throws {
        guard case .array(let records)? = plain["records"] else { throw Unfit() }
        self.records = try records.map(PageRow.init)
    }
}

extension PageRow {
    init(_ plain: PlainJSON) throws {
        guard case .object = plain, let id = try plain.optional("Id", \.text) else { throw Unfit() }
        Id = id
        Name = try plain.optional("Name", \.text)
        Amount = try plain.optional("Amount", \.double)
        Count = try plain.optional("Count") { $0.integer().flatMap { Int(exactly: $0) } }
        Small = try plain.optional("Small") { $0.integer().flatMap { Int8(exactly: $0) } }
        Active = try plain.optional("Active") { if case .bool(let flag) = $0 { flag } else { nil } }
        Owner = try plain.optional("Owner") { try PageRow.Person($0) }
        Numbers = try plain.optional("Numbers") { numbers in
            guard case .array(let numbers) = numbers else { throw Unfit() }
            return try numbers.map { number in
                guard let value = number.integer().flatMap({ Int(exactly: $0) }) else { throw Unfit() }
                return value
            }
        }
        Kids = try plain.optional("Kids") { kids in
            guard case .array(let kids) = kids else { throw Unfit() }
            return try kids.map(PageRow.init)
        }
    }
}

extension PageRow.Person {
    init(_ plain: PlainJSON) throws {
        guard case .object = plain else { throw Unfit() }
        Id = try plain.optional("Id", \.text)
        Name = try plain.optional("Name", \.text)
    }
}

extension PlainJSON {
    /// Returns the value of a member, or `nil` if it is absent or null.
    fileprivate func optional<Value>(_ name: String, _ read: (PlainJSON) throws -> Value?) throws -> Value? {
        guard let member = self[name] else { return nil }
        if case .null = member { return nil }
        guard let value = try read(member) else { throw Unfit() }
        return value
    }

    fileprivate var text: String? { characters.map { String(decoding: $0, as: UTF8.self) } }

    fileprivate var double: Double? {
        guard case .number(let text) = self, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }

    /// Returns the exact value of an integer of at most 30 digits, or `nil` for other numbers.
    fileprivate func integer() -> Int128? {
        guard case .number(let text) = self else { return nil }
        let parts = String(decoding: text, as: UTF8.self).lowercased().split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let fraction = mantissa.count > 1 ? String(mantissa[1]) : ""
        let isNegative = mantissa[0].hasPrefix("-")
        var digits = (isNegative ? String(mantissa[0].dropFirst()) : String(mantissa[0])) + fraction
        if digits.allSatisfy({ $0 == "0" }) { return 0 }
        guard let written = parts.count > 1 ? Int(parts[1]) : 0, abs(written) < 10_000 else { return nil }
        var exponent = written - fraction.count
        while exponent < 0, digits.hasSuffix("0") {
            digits.removeLast()
            exponent += 1
        }
        let significant = digits.drop { $0 == "0" }
        guard exponent >= 0, significant.count + exponent <= 30 else { return nil }
        return Int128((isNegative ? "-" : "") + significant + String(repeating: "0", count: exponent))
    }
}
