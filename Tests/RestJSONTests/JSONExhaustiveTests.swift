// SPDX-License-Identifier: Apache-2.0

import Foundation
import MutatedPages
import RestBase
import RestTransport
import Testing

@testable import RestJSON

@Suite("JSON parser, exhaustively")
struct JSONExhaustiveTests {
    /// A document with every kind of token, and escapes and multi-byte characters at odd offsets.
    private static let sample = Array(
        #"""
        {"totalSize":2,"done":true,"records":[{"attributes":{"type":"Account","url":"/x/001"},"Id":"001xx",
         "Name":"M\u00fcller \"&\" S\u00f6hne é日😀","Score":-12.50e+1,"Flag":false,"None":null,"Deep":[[],[{}],[1,[2]]]},
        {"Id":"\ud83d\ude00\\\/\b\f\n\r\t","Big":12345678901234567890,"Zero":0,"E":1e-7}],"next":"/q/01g"}
        """#.utf8)

    @Test func everyTruncationIsRefused() throws {
        let sample = JSONExhaustiveTests.sample
        _ = try JSONValue(parsing: sample)
        for length in sample.indices {
            let error = #expect(throws: JSONError.self, "length \(length)") {
                try JSONValue(parsing: Array(sample[..<length]))
            }
            let reasons: [JSONError.Reason] = [.unexpectedEnd, .emptyInput, .invalidUTF8, .loneSurrogate]
            #expect(error.map { reasons.contains($0.reason) && $0.offset <= length } ?? false, "length \(length)")
        }
    }

    /// Replaces every byte by every other value.
    ///
    /// A text that is accepted must have the value that Foundation reads. Foundation also accepts trailing commas, but
    /// the parser does not.
    @Test func everySingleByteCorruptionIsReadAsFoundationDoesOrRefused() throws {
        var accepted = 0
        for position in JSONExhaustiveTests.sample.indices {
            var bytes = JSONExhaustiveTests.sample
            for byte in UInt8.min...UInt8.max where byte != JSONExhaustiveTests.sample[position] {
                bytes[position] = byte
                guard let value = try? JSONValue(parsing: bytes) else { continue }
                accepted += 1
                // Only one in 16 is compared, because Foundation is slow.
                guard accepted % 16 == 0, !JSONComparison.hasHugeNumber(value) else { continue }
                let theirs = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
                #expect(JSONComparison.isSame(value, theirs), "byte \(byte) at \(position)")
            }
        }
        // Most accepted changes are other letters and digits in strings and numbers.
        #expect(accepted > 10_000)
    }

    @Test func everyByteRemovedOrDoubledNeverTraps() {
        for position in JSONExhaustiveTests.sample.indices {
            var shorter = JSONExhaustiveTests.sample
            let byte = shorter.remove(at: position)
            var longer = JSONExhaustiveTests.sample
            longer.insert(byte, at: position)
            for bytes in [shorter, longer] {
                guard let value = try? JSONValue(parsing: bytes) else { continue }
                #expect((try? JSONValue(parsing: value.bytes())) == value)
            }
        }
    }

    @Test func acceptedTableEntriesAreReadAsFoundationDoes() throws {
        // Foundation rejects numbers outside the range of doubles, and removes a U+FEFF from the start of a string.
        for row in JSONTable.valid where !["1e400", "e9999", "\u{FEFF}"].contains(where: { row.text.contains($0) }) {
            let value = try JSONValue(parsing: row.text)
            let theirs = try JSONSerialization.jsonObject(with: Data(row.text.utf8), options: .fragmentsAllowed)
            #expect(JSONComparison.isSame(value, theirs), "\(row.text)")
        }
    }

    @Test("Random trees survive every combination of writing and reading", arguments: 0..<200)
    func randomTrees(_ seed: UInt64) throws {
        var random = JSONRandom(seed: seed)
        let tree = random.value(depth: 5)
        let loose = random.text(of: tree)
        let parsed = try JSONValue(parsing: loose)
        #expect(parsed == tree)
        #expect(parsed.hashValue == tree.hashValue)
        #expect(parsed.bytes() == tree.bytes())
        #expect(try JSONValue(parsing: tree.bytes(pretty: true)) == tree)
        #expect(try JSONValue(parsing: tree.bytes(sortedKeys: true)) == tree)
        #expect(try tree.json() == tree.bytes())
        #expect(try parsed.decode(JSONValue.self) == tree)
        let foundation = try JSONSerialization.jsonObject(with: Data(loose), options: .fragmentsAllowed)
        #expect(JSONComparison.isSame(tree, foundation))
    }

    @Test(
        "Members of objects of every width are found, in any order",
        arguments: [1, 2, 15, 16, 17, 255, 256, 257, 3000])
    func wideObjects(_ width: Int) throws {
        let names = (0..<width).map { "name\($0)" + String(repeating: "x", count: $0 % 12) }
        let text = "{" + names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
        let object = try #require(JSONValue(parsing: text).object)
        var random = JSONRandom(seed: UInt64(width))
        for (index, name) in names.enumerated() { #expect(object[name]?.int == index) }
        for (index, name) in names.enumerated().reversed() { #expect(object[name]?.int == index) }
        for _ in 0..<min(width * 2, 500) {
            let index = random.next(below: width)
            #expect(object[names[index]]?.int == index)
            #expect(object[names[index] + "y"] == nil)
        }
        let twice = try #require(
            JSONValue(parsing: text.dropLast() + ",\"\(names[0])\":\"last\",\"\\u0065sc\":true}").object)
        #expect(twice[names[0]]?.string == "last")
        #expect(twice[names[0]]?.string == "last")
        #expect(twice["esc"]?.bool == true)
        #expect(twice[names[width - 1]]?.int == (width == 1 ? nil : width - 1))
    }

    @Test func manyReadersOfOneDocumentSeeTheSame() async throws {
        let record = "{" + (0..<20).map { "\"f\($0)\":\($0)" }.joined(separator: ",") + ",\"o\":{\"a\":1,\"b\":2}}"
        let array = try #require(
            JSONValue(parsing: "[" + Array(repeating: record, count: 200).joined(separator: ",") + "]").array)
        let sums = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    array.reduce(0) { sum, record in
                        sum + (0..<20).reduce(0) { $0 + (record["f\(($1 + task) % 20)"]?.int ?? 0) }
                            + (record["o"]?["b"]?.int ?? 0)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums.allSatisfy { $0 == sums[0] })
    }
}

@Suite("Fast and simple JSON parsers")
struct JSONDifferenceTests {
    @Test("mutated pages and their rows are read as the simplest parser reads them")
    func readsMutatedPages() {
        var (texts, rows) = (0, 0)
        for seed in 0..<UInt64(1_000) {
            let page = MutatedPage(seed: seed)
            #expect(PageDifference.first(in: page.bytes) == nil, "seed \(seed)")
            texts += page.kind.isJSON ? 1 : 0
            rows += page.kind.hasRows ? 1 : 0
        }
        // A test of pages that are all valid, or all damaged, would show nothing.
        #expect((500..<950).contains(texts), "\(texts) texts")
        #expect((250..<texts - 100).contains(rows), "\(rows) pages of rows")
    }
}

/// Random values and random spellings of them, determined by the seed.
struct JSONRandom {
    private var numbers: SplitMix64

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    mutating func next(below bound: Int) -> Int { Int(numbers.next() % UInt64(bound)) }

    /// Returns a value with nested containers up to a depth, and different names in each object.
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
        let chunks = [
            "a", "Name", "é", "日本", "😀", "\"", "\\", "\n", "\u{0}", "\u{1F}", "/", " ", "0123456789", "\u{10FFFF}",
            "{[,:]}",
        ]
        return (0..<next(below: 9)).map { _ in chunks[next(below: chunks.count)] }.joined()
    }

    /// Returns a text of the value with random whitespace and unnecessary escapes.
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

/// Compares values with those that Foundation reads.
enum JSONComparison {
    /// Whether the value contains a number outside the range of doubles, which Foundation rejects.
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
            // Foundation reads long integers through a decimal number, which does not always give the nearest double.
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
            // Foundation's dictionaries treat canonically equivalent names as equal.
            return ours.allSatisfy { key, _ in
                guard let member = ours[key], let their = theirs[key] else { return false }
                return isSame(member, their)
            }
        }
    }
}
