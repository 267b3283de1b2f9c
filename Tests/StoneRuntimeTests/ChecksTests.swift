// SPDX-License-Identifier: Apache-2.0

import StoneRuntime
import Testing

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
}
