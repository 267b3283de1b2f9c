// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoneRuntime

/// A type with rules, as generated code has them.
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

    @Test("Each rule names the path of what breaks it")
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

    @Test("A pattern that Swift does not know is not applied")
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
        "Patterns fit what they fit in Python",
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

    @Test("Keys and values of maps have rules of their own")
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
