// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotesAPI
import RestJSON
import Testing

/// Generated code treats values of every type of the notes spec in the same way as the Stone runtime in Python.
///
/// `.ci/stone` does the same with Dropbox's whole spec.
@Suite struct ValueTests {
    @Test func valuesMeanTheSame() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "values-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let cases = try Self.cases(2_000, in: folder)
        #expect(cases.count > 4_000)
        let responses = ValueResponses(NotesAPITypes.all)
        let lines = try cases.map { try responses.line($0) }
        try lines.joined(separator: "\n").write(
            to: folder.appending(path: "answers.jsonl"), atomically: true, encoding: .utf8)
        let verdict = try StonePython.lines("check_values.py", [folder.path])
        #expect(verdict.last == "0 complaints")
    }

    @Test func damagedTextsAreReadOrRefused() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "values-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let responses = ValueResponses(NotesAPITypes.all)
        var damage = TextDamage(seed: 7)
        var (read, refused) = (0, 0)
        for line in try Self.cases(0, in: folder) {
            let work = try JSONValue(parsing: Array(line.utf8))
            let (type, text) = (try #require(work["type"]?.string), try #require(work["text"]?.string))
            for _ in 0..<100 {
                let damaged = damage.next(Array(text.utf8))
                let response = responses.respond(to: damaged, as: type)
                let isRead = response["text"] != nil
                #expect(
                    isRead || response["path"] != nil,
                    "\(type) \(String(decoding: damaged, as: UTF8.self)): \(response)")
                if isRead { read += 1 } else { refused += 1 }
            }
        }
        #expect(read > 500 && refused > 5_000)
    }

    /// Returns the work list of the Python Stone: examples, a value of each tag and struct, and `count` random values.
    private static func cases(_ count: Int, in folder: URL) throws -> [Substring] {
        let specs = try Specs.files(in: Specs.notes).map(\.path)
        _ = try StonePython.lines("make_values.py", [folder.path, "\(count)"] + specs)
        return try String(contentsOf: folder.appending(path: "cases.jsonl"), encoding: .utf8).split(separator: "\n")
    }
}

/// Damages JSON texts, determined by the seed.
private struct TextDamage {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    private static let chunks: [[UInt8]] =
        [
            "\"\\ud800\"", "null", "true", "-0", "1e400", "{}", "[]", "{\".tag\":\"note\"}", "{\".tag\":{}}",
            "\"\\u002etag\"",
            "99999999999999999999", "\"", "\\", "[", "]", "{", "}", ",", ":", "\u{0}", "[[[[[[[[", ".tag", "1.",
            "\u{FEFF}", "",
        ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]]

    /// Returns a number below a bound (SplitMix64).
    private mutating func number(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    /// Returns the text with one or two characters replaced, removed or doubled.
    mutating func next(_ text: [UInt8]) -> [UInt8] {
        var text = text
        for _ in 0...number(below: 2) {
            let start = number(below: text.count + 1)
            let end = min(text.count, start + number(below: 9))
            let part = number(below: 4) == 0 ? text[start..<end] + text[start..<end] : []
            text.replaceSubrange(start..<end, with: part + Self.chunks[number(below: Self.chunks.count)])
        }
        return text
    }
}
