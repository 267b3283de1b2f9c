// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestJSON
import RestTransport

/// Random values and random ways to write them, the same for the same seed.
struct JSONRandom {
    private var numbers: SplitMix64

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    mutating func next(below bound: Int) -> Int { Int(numbers.next() % UInt64(bound)) }

    /// A value with containers up to a depth; names in one object differ.
    mutating func value(depth: Int) -> JSONValue {
        switch next(below: depth > 0 ? 9 : 6) {
        case 0: return nil
        case 1: return JSONValue(next(below: 2) == 0)
        case 2: return JSONValue(next(below: 2_000_000) - 1_000_000)
        case 3: return JSONValue(Double(next(below: 1 << 50) - 1 << 49) / 1e7) ?? nil
        case 4, 5: return JSONValue(string())
        case 6: return JSONValue(JSONArray((0..<next(below: 6)).map { _ in value(depth: depth - 1) }))
        default:
            let names = Set((0..<next(below: 20)).map { _ in string() }).sorted()
            return JSONValue(JSONObject(members: names.map { ($0, value(depth: depth - 1)) }))
        }
    }

    private mutating func string() -> String {
        let pieces = [
            "a", "Name", "é", "日本", "😀", "\"", "\\", "\n", "\u{0}", "\u{1F}", "/", " ", "0123456789", "\u{10FFFF}",
            "{[,:]}",
        ]
        return (0..<next(below: 9)).map { _ in pieces[next(below: pieces.count)] }.joined()
    }

    /// The value with random white space, and with escapes where none is needed.
    mutating func text(of value: JSONValue) -> [UInt8] {
        var text = space()
        if let array = value.array {
            let parts = array.map { self.text(of: $0) }
            text += [0x5B] + (parts.isEmpty ? space() : Array(parts.joined(separator: [0x2C]))) + [0x5D]
        } else if let object = value.object {
            var parts: [[UInt8]] = []
            for (key, member) in object {
                parts.append(space() + quoted(key) + space() + [0x3A] + self.text(of: member))
            }
            text += [0x7B] + (parts.isEmpty ? space() : Array(parts.joined(separator: [0x2C]))) + [0x7D]
        } else if let string = value.string {
            text += quoted(string)
        } else {
            text += value.bytes()
        }
        return text + space()
    }

    private mutating func space() -> [UInt8] {
        (0..<max(0, next(below: 8) - 5)).map { _ in [0x20, 0x0A, 0x0D, 0x09][next(below: 4)] }
    }

    private mutating func quoted(_ string: String) -> [UInt8] {
        guard next(below: 3) == 0 else { return JSONValue(string).bytes() }
        return Array(("\"" + string.utf16.map { String(format: "\\u%04x", $0) }.joined() + "\"").utf8)
    }
}

/// Compares our values with what Foundation reads.
enum JSONComparison {
    /// Whether a number is beyond the range of doubles, which Foundation refuses.
    static func hasHugeNumber(_ value: JSONValue) -> Bool {
        switch value.kind {
        case .number: value.double == nil
        case .array: value.array?.contains { hasHugeNumber($0) } ?? false
        case .object: value.object?.contains { hasHugeNumber($0.value) } ?? false
        default: false
        }
    }

    static func isSame(_ value: JSONValue, _ theirs: Any) -> Bool {
        switch value.kind {
        case .null: return theirs is NSNull
        case .bool: return (theirs as? NSNumber)?.boolValue == value.bool
        case .number:
            // Foundation reads long integers over a decimal, which does not always give the nearest double.
            guard let theirs = (theirs as? NSNumber)?.doubleValue, let ours = value.double else { return false }
            return abs(theirs - ours) <= abs(ours) * 1e-15
        case .string: return (theirs as? String).map { Array($0.utf8) == Array(value.string?.utf8 ?? "".utf8) } ?? false
        case .array:
            guard let theirs = theirs as? [Any], let ours = value.array, theirs.count == ours.count else {
                return false
            }
            return zip(ours, theirs).allSatisfy { isSame($0, $1) }
        case .object:
            guard let theirs = theirs as? [String: Any], let ours = value.object else { return false }
            // Foundation's dictionaries treat canonically equivalent names as one.
            return ours.allSatisfy { key, _ in
                guard let member = ours[key], let their = theirs[key] else { return false }
                return isSame(member, their)
            }
        }
    }
}
