// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// What the library's fast ways and the plain ones do not agree on.
public enum PageDifference: String, Sendable {
    /// One takes the text, the other refuses it.
    case acceptance
    /// The values are not the same.
    case values
    /// A lookup by name gives another member.
    case lookups
    /// The text as it was sent is another one.
    case asSent
    /// The rows are not the same, or only one takes the page for rows.
    case rows
    /// The same for a record by itself.
    case singleRows

    fileprivate static let maximumDepth = 32

    /// The first difference over a text; `nil` when there is none.
    public static func first(in bytes: [UInt8]) -> PageDifference? {
        let plain = PlainParser.value(of: bytes, maximumDepth: maximumDepth)
        let value = try? JSONValue(parsing: bytes, limits: JSONLimits(maximumDepth: maximumDepth))
        guard let plain, let value else { return plain == nil && value == nil ? nil : .acceptance }
        guard isSame(value, plain) else { return .values }
        guard hasSameMembers(value, plain) else { return .lookups }
        var sent: [UInt8] = []
        value.appendAsSent(to: &sent)
        guard sent == plain.asSent else { return .asSent }
        guard (try? value.decode(PageRows.self)) == (try? PageRows(plain)) else { return .rows }
        return hasSameRows(value, plain) ? nil : .singleRows
    }

    /// Whether each record by itself gives the same row, or none.
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

    /// Whether each name of each object leads to its last member.
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
    /// Whether the plain parser takes the page, and its records for rows.
    public var kind: (isJSON: Bool, hasRows: Bool) {
        let plain = PlainParser.value(of: bytes, maximumDepth: PageDifference.maximumDepth)
        return (plain != nil, plain.map { (try? PageRows($0)) != nil } ?? false)
    }
}
