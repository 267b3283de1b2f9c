// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@testable import StoneRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type with rules in the form of generated code.
private struct Ruled: StoneValidated {
    var name: String?
    var limit: Int32 = 1
    var tags: [String] = []
    var inner: [Ruled] = []

    init() {}
    init(from reader: StoneReader) throws(StoneFailure) { _ = try reader.fields("") }
    func write(to writer: StoneWriter) { writer.string("name", name) }

    func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("name", name, 2, 4, "[a-z\u{1F37A}]*")
        try checks.range("limit", limit, 1, 10)
        try checks.list("tags", tags, nil, 2)
        try checks.each("tags", tags) { (checks, name, value) throws(ValidationFailure) in
            try checks.string(name, value, 1)
        }
        try checks.each("inner", inner) { (checks, name, value) throws(ValidationFailure) in
            try checks.value(name, value)
        }
    }
}

@Suite("Rules of a spec")
struct ChecksTests {
    private func fault(_ change: (inout Ruled) -> Void) -> String {
        var value = Ruled()
        change(&value)
        do throws(ValidationFailure) {
            try value.validate()
            return "none"
        } catch {
            return error.path
        }
    }

    @Test("Each rule reports the path of the value that breaks it")
    func rules() {
        #expect(fault { _ in } == "none")
        #expect(fault { $0.name = "a" } == "name")
        #expect(fault { $0.name = "abcde" } == "name")
        #expect(fault { $0.name = "🍺🍺🍺🍺" } == "none")
        #expect(fault { $0.name = "ab1" } == "name")
        #expect(fault { $0.limit = 11 } == "limit")
        #expect(fault { $0.limit = 0 } == "limit")
        #expect(fault { $0.tags = ["a", "b", "c"] } == "tags")
        #expect(fault { $0.tags = ["a", ""] } == "tags[1]")
        var inner = Ruled()
        inner.tags = [""]
        #expect(fault { $0.inner = [Ruled(), inner] } == "inner[1].tags[0]")
    }

    @Test("A pattern that Swift does not support is not applied")
    func patterns() throws {
        struct Odd: StoneValidated {
            init() {}
            init(from reader: StoneReader) throws(StoneFailure) { _ = try reader.fields("") }
            func write(to writer: StoneWriter) {}
            func check(_ checks: StoneChecks) throws(ValidationFailure) {
                try checks.string("a", "b", nil, nil, "(?P<x")
            }
        }
        try Odd().validate()
    }

    @Test(
        "Patterns match the same strings as in Python",
        arguments: [
            ("(/(.|[\\r\\n])*)?", "/a\r\nb", true), ("(/(.|[\\r\\n])*)?", "/a\u{2028}b\u{85}\r", true),
            ("e.", "e\u{301}", true), ("e.", "\u{E9}", false), (".", "\n", false), ("a.", "a\u{2028}", true),
            ("[\\w]+", "\u{4E2D}\u{E9}_\u{4E2D}", true), ("\\w+", "_\u{E9}", true), ("\\w", "-", false),
            ("\\w+", "9\u{4E2D}a\u{2160}\u{B2}", true), ("\\w+", "e\u{301}", false), ("\\d[\\d]", "7\u{661}", true),
            ("[\\D]\\D", "\u{4E2D}a", true), ("\\D", "7", false),

            ("[.]", "x", false), ("[.]", ".", true), ("\\.", "x", false), ("[]x]+", "]x", true), ("[^]]", "]", false),
            ("[^]]", ".", true), ("[[a]", "[", true), ("\\\\.", "\\x", true), ("[\\]]", "]", true),
            ("a|b", "ab", false),
        ])
    func patterns(pattern: String, text: String, isFitting: Bool) {
        #expect(StonePattern.fits(text, pattern) == isFitting)
    }

    @Test("Keys and values of maps have their own rules")
    func entries() {
        let failure = { (values: [String: Int32]?) -> String in
            do throws(ValidationFailure) {
                try StoneChecks().entries("marks", values) { (checks, name, key, value) throws(ValidationFailure) in
                    try checks.string(name, key, 2)
                    try checks.range(name, value, 0, 9)
                }
                return "none"
            } catch {
                return error.path
            }
        }
        #expect(failure(nil) == "none")
        #expect(failure(["aa": 9, "bb": 0]) == "none")
        #expect(failure(["aa": 9, "b": 0]) == "marks.b")
        #expect(failure(["aa": 9, "bb": 10, "cc": -1]) == "marks.bb")
    }
}

@Suite("Timestamps in Stone")
struct TimestampTests {
    private func seconds(_ text: String, _ format: StoneTimestamp) -> Double? {
        let coding = StoneCoding.date(format)
        return try? coding.decode(Array("\"\(text)\"".utf8)).timeIntervalSince1970
    }

    @Test(
        "Texts in the two usual formats are read",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:34:56Z", 951_827_696),
            ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("2016-12-31T23:59:60Z", 1_483_228_800),
        ] as [(String, Double)])
    func usual(text: String, expected: Double) throws {
        #expect(seconds(text, .seconds) == expected)
        #expect(seconds(String(text.prefix(10)), .day).map { expected >= $0 && expected <= $0 + 86_400 } == true)
    }

    @Test(
        "Invalid timestamps are rejected",
        arguments: [
            "", "2001-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2000-13-01T00:00:00Z", "2000-00-01T00:00:00Z",
            "2000-01-00T00:00:00Z", "2000-04-31T00:00:00Z", "2000-01-01T24:00:00Z", "2000-01-01T00:60:00Z",
            "2000-01-01T00:00:62Z", "2000-01-01T00:00:00", "2000-01-01T00:00:00Z ", "2000-01-01 00:00:00Z",
            "0000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "٢000-01-01T00:00:00Z", "2000-1-1T00:00:00Z",
        ])
    func none(text: String) {
        #expect(seconds(text, .seconds) == nil)
    }

    @Test("Both formats are written, without fractions of a second")
    func writing() throws {
        let text = { (seconds: Double, format: StoneTimestamp) in
            let date = Date(timeIntervalSince1970: seconds)
            return String(decoding: try StoneCoding.date(format).encode(date), as: UTF8.self)
        }
        #expect(try text(1_772_323_199.75, .seconds) == "\"2026-02-28T23:59:59Z\"")
        #expect(try text(1_772_323_199.75, .day) == "\"2026-02-28\"")
        #expect(try text(-0.25, .seconds) == "\"1969-12-31T23:59:59Z\"")
        #expect(try text(-62_135_596_800, .seconds) == "\"0001-01-01T00:00:00Z\"")
        #expect(try text((253_402_300_800.0 as Double).nextDown, .seconds) == "\"9999-12-31T23:59:59Z\"")
    }
}

@Suite("Stone unions")
struct UnionTests {
    private func change(_ text: String) throws -> Change { try Change(json: Array(text.utf8)) }

    @Test("Every form of a tag is read, and the long form is written")
    func forms() throws {
        #expect(try change(#""deleted""#) == .deleted)
        #expect(try change(#"{".tag":"deleted","deleted":{"more":1}}"#) == .deleted)
        #expect(try change(#""remarked""#) == .remarked(nil))
        #expect(try change(#"{".tag":"remarked","remarked":null}"#) == .remarked(nil))
        #expect(try change(#"{"renamed":"n",".tag":"renamed"}"#) == .renamed("n"))
        #expect(try change(#"{".tag":"nested","nested":"bad"}"#) == .nested(.bad))
        #expect(try change(#"{".tag":"replaced"}"#) == .replaced(nil))
        #expect(String(decoding: try Change.deleted.json(), as: UTF8.self) == #"{".tag":"deleted"}"#)
        let nested = String(decoding: try Change.nested(.good).json(), as: UTF8.self)
        #expect(nested == #"{".tag":"nested","nested":{".tag":"good"}}"#)
    }

    @Test("The fields of a struct are next to its tag")
    func flattened() throws {
        var note = Note(id: "a")
        note.tags = ["x"]
        let text = #"{".tag":"added","id":"a","tags":["x"],"next":[]}"#
        #expect(try change(text) == .added(note))
        #expect(String(decoding: try Change.added(note).json(), as: UTF8.self) == text)
        #expect(try change(#"{".tag":"replaced","id":"a","tags":["x"]}"#) == .replaced(note))
    }

    @Test(
        "An unknown tag is written as it was read",
        arguments: [
            #"{".tag":"moved","to":[1,2.50,{"a":null}],"x":"\u00e9"}"#, #"{".tag":"other"}"#, #"{".tag":"","a":{}}"#,
        ])
    func unknown(text: String) throws {
        let change = try change(text)
        guard case .other(let tag) = change else {
            Issue.record("\(text) is read as \(change)")
            return
        }
        #expect(try JSONValue(parsing: change.json()) == JSONValue(parsing: text))
        #expect(try JSONValue(parsing: text) == tag.json)
    }

    @Test("A bare unknown tag is written in the long form")
    func bare() throws {
        let change = try change(#""moved""#)
        #expect(change == .other(UnknownTag("moved")))
        #expect(String(decoding: try change.json(), as: UTF8.self) == #"{".tag":"moved"}"#)
    }

    @Test("A closed union rejects an unknown tag")
    func closed() {
        #expect(throws: JSONDecodingError.self) { try Mark(json: Array(#"{".tag":"worse"}"#.utf8)) }
        #expect(throws: JSONDecodingError.self) { try Mark(json: Array(#"{".tag":7}"#.utf8)) }
        #expect(throws: JSONDecodingError.self) { try Mark(json: Array("{}".utf8)) }
        #expect(throws: JSONDecodingError.self) { try Mark(json: Array("3".utf8)) }
    }

    @Test("Each tag of a union with thousands of tags is found")
    func many() throws {
        let tags = (0..<2_000).map { "a_rather_long_tag_\($0)" }
        let names = JSONNames(tags)
        for (number, tag) in tags.enumerated() {
            let document = try JSONDocument(parsing: #"{".tag":"\#(tag)"}"#)
            let found = try StoneReader.reading(document, at: JSONDocument.rootIndex) { (reader) throws(StoneFailure) in
                try reader.union(names).number
            }
            #expect(found == number)
        }
    }
}

@Suite("Writing Stone values")
struct WritingTests {
    @Test("A value of every kind survives encoding and decoding")
    func roundTrip() throws {
        var note = Note(id: "é\"\\\n\u{1}🍺")
        note.text = ""
        note.changed = Date(timeIntervalSince1970: 1_772_323_199)
        note.content = [0, 1, 2, 255]
        note.sizes = [UInt64.max, nil]
        note.marks = ["b": 2, "a": -1]
        note.next = [Note(id: "inner")]
        let text = try note.json()
        #expect(try Note(json: text) == note)
        #expect(String(decoding: text, as: UTF8.self).contains(#""marks":{"a":-1,"b":2}"#))
        #expect(String(decoding: text, as: UTF8.self).contains(#""changed":"2026-02-28T23:59:59Z""#))
        #expect(try Note(json: note.json()).hashValue == note.hashValue)
    }

    @Test("A missing value is omitted")
    func absent() throws {
        #expect(String(decoding: try Note(id: "a").json(), as: UTF8.self) == #"{"id":"a","tags":[],"next":[]}"#)
    }

    @Test("A value that JSON cannot represent is an error, not a trap")
    func unwritable() {
        var numbers = Numbers()
        numbers.weight = .nan
        #expect(throws: JSONEncodingError.self) { try numbers.json() }
        #expect(numbers == numbers)
        numbers.weight = -.infinity
        #expect(throws: JSONEncodingError.self) { try numbers.json() }
        var note = Note(id: "a")
        note.changed = Date(timeIntervalSince1970: 1e20)
        #expect(throws: JSONEncodingError.self) { try note.json() }
        note.changed = Date(timeIntervalSince1970: .nan)
        #expect(throws: JSONEncodingError.self) { try note.json() }
    }

    @Test("A value that is nested too deep is an error, not a trap")
    func deep() {
        var note = Note(id: "a")
        for _ in 0..<300 {
            var outer = Note(id: "b")
            outer.next = [note]
            note = outer
        }
        #expect(throws: JSONEncodingError.self) { try note.json() }
    }

    @Test("A description is the type's name and JSON, even if a field is called description")
    func text() throws {
        var note = Note(id: "a")
        note.description = "words"
        #expect("\(note)" == #"Note{"id":"a","tags":[],"description":"words","next":[]}"#)
        #expect(String(describing: note) == "\(note)")
        // The content of an unknown tag may be secret.
        #expect(!String(describing: try Change(json: Array(#"{".tag":"new","secret":"hush"}"#.utf8))).contains("hush"))
    }

    @Test("Header values are printable ASCII")
    func header() {
        #expect(RouteEndpoint<Void, Never>.headerText(Array("hé\u{7F}🍺".utf8)) == #"h\u00e9\u007f\ud83c\udf7a"#)
    }
}
