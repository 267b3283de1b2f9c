// SPDX-License-Identifier: Apache-2.0

import RestJSON
import StoneRuntime
import Testing

@Suite("Reading Stone values")
struct ReadingTests {
    /// Returns the path and the kind of the decoding error, or `none`.
    private func fault<T: StoneType>(_ type: T.Type, _ text: String) -> String {
        do throws(JSONDecodingError) {
            _ = try T(json: Array(text.utf8))
            return "none"
        } catch {
            return "\(error.path) \(error.reason)"
        }
    }

    @Test(
        "Integers are exact up to the limits of their types",
        arguments: [
            (#"{"small":2147483647}"#, "none"), (#"{"small":2147483648}"#, "small data-corrupted"),
            (#"{"small":-2147483648}"#, "none"), (#"{"large":9223372036854775807}"#, "none"),
            (#"{"large":-9223372036854775808}"#, "none"), (#"{"large":9223372036854775808}"#, "large data-corrupted"),
            (#"{"count":4294967295}"#, "none"), (#"{"count":-1}"#, "count data-corrupted"),
            (#"{"total":18446744073709551615}"#, "none"), (#"{"total":18446744073709551616}"#, "total data-corrupted"),
            (#"{"total":1e400}"#, "total data-corrupted"), (#"{"small":1.0}"#, "small data-corrupted"),
            (#"{"small":1e2}"#, "small data-corrupted"), (#"{"small":-0}"#, "none"),
        ])
    func integers(text: String, verdict: String) {
        #expect(fault(Numbers.self, text) == verdict)
    }

    @Test(
        "A number is not a Boolean, and a value of another type is rejected with its path",
        arguments: [
            (#"{"small":true}"#, "small type-mismatch"), (#"{"flag":1}"#, "flag type-mismatch"),
            (#"{"weight":"1"}"#, "weight type-mismatch"), (#"{"weight":[]}"#, "weight type-mismatch"),
            (#"{"ratio":3.5e38}"#, "ratio data-corrupted"), (#"{"ratio":-3.4e38}"#, "none"),
            (#"{"weight":1e309}"#, "weight data-corrupted"), (#"{"weight":7}"#, "none"), ("[]", "$ type-mismatch"),
            ("null", "$ value-not-found"), ("", "$ data-corrupted"), (#"{"small":null}"#, "none"),
        ])
    func kinds(text: String, verdict: String) {
        #expect(fault(Numbers.self, text) == verdict)
    }

    @Test(
        "A nested error has the whole path",
        arguments: [
            (
                #"{"entries":[{".tag":"added","id":"a","next":[{"id":1}]}],"cursor":"","has_more":false}"#,
                "entries[0].next[0].id type-mismatch"
            ),
            (
                #"{"entries":["deleted",{".tag":"added"}],"cursor":"","has_more":false}"#,
                "entries[1].id key-not-found"
            ),
            (
                #"{"entries":["deleted",{"tag":"added"}],"cursor":"","has_more":false}"#,
                "entries[1]..tag key-not-found"
            ),
            (#"{"entries":[{".tag":"renamed"}],"cursor":"","has_more":false}"#, "entries[0].renamed key-not-found"),
            (
                #"{"entries":[{".tag":"nested","nested":"worse"}],"cursor":"","has_more":false}"#,
                "entries[0].nested data-corrupted"
            ),
            (#"{"entries":{},"cursor":"","has_more":false}"#, "entries type-mismatch"),
            (#"{"entries":[7],"cursor":"","has_more":false}"#, "entries[0] type-mismatch"),
            (#"{"entries":[],"has_more":false}"#, "cursor key-not-found"),
            (#"{"entries":[],"cursor":null,"has_more":false}"#, "cursor value-not-found"),
        ])
    func paths(text: String, verdict: String) {
        #expect(fault(Page.self, text) == verdict)
    }

    @Test("Names may be escaped, repeated and unknown, and the last value of a name counts")
    func names() throws {
        let text = #"{"nope":{"id":"x"},"id":"a","\u0069d":"b","tags":["x"],"tags":["y","z"],"id":"c","idx":1}"#
        let note = try Note(json: Array(text.utf8))
        #expect(note.id == "c")
        #expect(note.tags == ["y", "z"])
        let change = try Change(json: Array(#"{".tag":"deleted","renamed":"n","\u002etag":"renamed"}"#.utf8))
        #expect(change == .renamed("n"))
    }

    @Test("Members of large objects are found by name")
    func wide() throws {
        let members = (0..<5_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let note = try Note(json: Array("{\(members),\"id\":\"a\",\"marks\":{\(members)}}".utf8))
        #expect(note.marks?.count == 5_000)
        #expect(note.marks?["k4999"] == 4_999)
    }

    @Test("Deep nesting is rejected, and never ends the process")
    func depth() {
        func nested(_ count: Int) -> String {
            String(repeating: #"{"id":"a","next":["#, count: count) + String(repeating: "]}", count: count)
        }
        #expect(fault(Note.self, nested(99)) == "none")
        #expect(fault(Note.self, nested(120)).hasSuffix("data-corrupted"))
        #expect(fault(Note.self, nested(100_000)) == "$ data-corrupted")
    }

    @Test(
        "Bytes are base64",
        arguments: [
            ("AAEC", "none"), ("", "none"), ("AA", "content data-corrupted"), ("A*EC", "content data-corrupted"),
        ])
    func bytes(text: String, verdict: String) {
        #expect(fault(Note.self, #"{"id":"a","content":"\#(text)"}"#) == verdict)
    }

    @Test("Lists may contain null only if the spec says so")
    func nulls() throws {
        let note = try Note(json: Array(#"{"id":"a","sizes":[1,null,3],"text":null,"tags":null}"#.utf8))
        #expect(note.sizes == [1, nil, 3])
        #expect(note.text == nil)
        #expect(fault(Note.self, #"{"id":"a","tags":["x",null]}"#) == "tags[1] value-not-found")
        #expect(fault(Note.self, #"{"id":"a","marks":{"x":null}}"#) == "marks.x value-not-found")
        #expect(fault(Note.self, #"{"id":"a","next":[null]}"#) == "next[0] value-not-found")
    }
}
