// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@Suite("Record splitter")
struct JSONRecordSplitterTests {
    private static let page = #"""
        { "totalSize" : 6, "note": "\"records\":[", "inner": {"records": [9]},
          "records" : [ {"Id": "1", "Name": "é\n\ud83d\ude00 \\\" ,]}"}, 12.5e1, "a,b]",
            [1, [2, {}]] , true,{"Id":"日本","n":null} ] , "done": false, "next": "/q/01g"}
        """#

    /// Everything that a splitter hands out for a text cut in pieces.
    private func split(_ chunks: [[UInt8]], _ splitter: JSONRecordSplitter = .init()) throws -> ([String], String) {
        var splitter = splitter
        var records: [String] = []
        for chunk in chunks { records += try splitter.push(chunk).map(\.description) }
        return (records, try splitter.finish().description)
    }

    private func expected() throws -> ([String], String) {
        var page = try #require(JSONValue(parsing: JSONRecordSplitterTests.page).object)
        let records = try #require(page["records"]?.array).map(\.description)
        page["records"] = []
        return (records, page.description)
    }

    @Test func everyPairOfCutsGivesTheSame() throws {
        let bytes = Array(JSONRecordSplitterTests.page.utf8)
        let (records, page) = try expected()
        #expect(records.count == 6)
        for first in 0...bytes.count {
            for second in stride(from: first, through: bytes.count, by: 7) {
                let result = try split([Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])])
                #expect(result == (records, page), "cut at \(first) and \(second)")
            }
        }
    }

    @Test("Chunks of one size", arguments: [1, 2, 3, 5, 8, 13, 64, 1000])
    func chunksOfOneSize(_ size: Int) throws {
        let bytes = Array(JSONRecordSplitterTests.page.utf8)
        let chunks = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        #expect(try split(chunks) == expected())
    }

    @Test func recordsComeBeforeThePageIsWhole() throws {
        var splitter = JSONRecordSplitter()
        #expect(try splitter.push(Array(#"{"records":[{"a":1}"#.utf8)).description == #"[{"a":1}]"#)
        #expect(try splitter.push(Array(#",{"a":"#.utf8)).isEmpty)
        #expect(try splitter.push(Array(#"2},{"a":3},4"#.utf8)).description == #"[{"a":2},{"a":3}]"#)
        #expect(try splitter.push(Array("2".utf8)).isEmpty)
        #expect(try splitter.push(Array(" ]".utf8)).description == "[42]")
        #expect(try splitter.push(Array(#","done":true}"#.utf8)).isEmpty)
        #expect(try splitter.finish().description == #"{"records":[],"done":true}"#)
    }

    @Test(
        "Pages without records are given whole",
        arguments: [
            "[]", "{}", "null", #"[{"errorCode":"X"}]"#, #"{"records":null,"a":[1]}"#, #"{"x":{"records":[1]}}"#,
            #"[{"records":[1]}]"#,
            #"{"records":[]}"#, #"{"records": [ ] }"#, #"["records",["records"]]"#, #"{"a":"records","b":[1]}"#,
        ])
    func otherPages(_ text: String) throws {
        let whole = try JSONValue(parsing: text).description
        for size in 1...text.utf8.count {
            let bytes = Array(text.utf8)
            let chunks = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            #expect(try split(chunks) == ([], whole))
        }
    }

    @Test func namesMayBeEscapedOrChosen() throws {
        #expect(try split([Array(#"{"rec\u006frds":[1,2]}"#.utf8)]) == (["1", "2"], #"{"records":[]}"#))
        let rows = try split([Array(#"{"records":[1],"rows":[2]}"#.utf8)], JSONRecordSplitter(member: "rows"))
        #expect(rows == (["2"], #"{"records":[1],"rows":[]}"#))
    }

    @Test(
        "Faults are found at any cut, with the place in the whole page",
        arguments: [
            "x{\"records\":[1]}", "{\"records\":[1,]}", "{\"records\":[,1]}", "{\"records\":[1 2]}", "{\"records\":[1}",
            "{\"records\":[{]}",
            "{\"records\":[1],}", "{\"records\":[1]", "{\"records\":[1]}}", "{\"records\":[",
            "{\"records\":[\"\\ud800\"]}",
            "{\"records\":[1]\n,\n \"a\":tru}", "{\"a\":01,\"records\":[1]}",
            "{\"records\":[{\"a\":01},\n\n{\"b\":1}]}",
            "{\"records\":[\n{\"a\":1},\n{\"b\":\"\u{1}\"}]}", "{\"records\":[1,2", "{\"records\":[\"abc",
            "{\"records\":[tru", "{\"records\":[1,",
            "{\"records\":[{\"a\":1}", "{\"records\":[1.]}", "{\"records\":[1]]}", "{\"records\" [1]}", "", " ", "{",
            "{\"records\":[1]} x",
            "{\"records\":[{\"k\":\"vvvvvvvvvvvvvvvvvvvvvvvvvvv\",}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]}",
        ])
    func faults(_ text: String) throws {
        let bytes = Array(text.utf8)
        let whole = try #require(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        for size in 1...max(1, bytes.count) {
            let chunks = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            let error = #expect(throws: JSONError.self, "size \(size)") { try split(chunks) }
            #expect(error?.offset == whole.offset, "size \(size)")
            #expect(error?.line == whole.line && error?.column == whole.column, "size \(size)")
            #expect(error?.reason == whole.reason, "size \(size)")
        }
    }

    @Test func errorsStay() {
        var splitter = JSONRecordSplitter()
        #expect(throws: JSONError.self) { try splitter.push(Array(#"{"records":[nope, 1, 2, 3, 4, 5, 6]}"#.utf8)) }
        #expect(throws: JSONError.self) { try splitter.push([]) }
        #expect(throws: JSONError.self) { try splitter.finish() }
    }

    @Test func memoryIsBounded() throws {
        var splitter = JSONRecordSplitter(maximumHeldBytes: 1000)
        _ = try splitter.push(Array("{\"records\":[\"".utf8))
        let error = #expect(throws: JSONError.self) {
            for _ in 0..<200 { _ = try splitter.push(Array("0123456789".utf8)) }
        }
        #expect(error?.reason == .tooLarge)
        var outside = JSONRecordSplitter(maximumHeldBytes: 100)
        #expect(throws: JSONError.self) { try outside.push(Array(repeating: 0x20, count: 101)) }
    }

    @Test func longRecordsInShortChunksTakeLinearTime() throws {
        let long = "[" + Array(repeating: "{\"k\":\"v\"}", count: 40_000).joined(separator: ",") + "]"
        let bytes = Array("{\"records\":[\(long),1]}".utf8)
        let chunks = stride(from: 0, to: bytes.count, by: 10).map { Array(bytes[$0..<min($0 + 10, bytes.count)]) }
        let (records, page) = try split(chunks)
        #expect(records == [long, "1"])
        #expect(page == "{\"records\":[]}")
    }

    @Test func depthCountsFromThePage() throws {
        func page(_ depth: Int) -> [UInt8] {
            Array("{\"records\":[\(String(repeating: "[", count: depth))\(String(repeating: "]", count: depth))]}".utf8)
        }
        #expect(try split([page(510)]).0.count == 1)
        #expect(throws: JSONError.self) { try split([page(511)]) }
    }

    @Test func aSecondArrayOfTheNameIsRefused() {
        let error = #expect(throws: JSONError.self) { try split([Array(#"{"records":[1],"records":[2]}"#.utf8)]) }
        #expect(error?.reason == .unexpectedShape)
    }
}
