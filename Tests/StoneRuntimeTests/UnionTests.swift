// SPDX-License-Identifier: Apache-2.0

import RestJSON
import StoneRuntime
import Testing

@Suite("Unions")
struct UnionTests {
    private func change(_ text: String) throws -> Change { try Change(json: Array(text.utf8)) }

    @Test("Every form of a tag is read, and the long one written")
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

    @Test("The fields of a struct stand beside its tag")
    func flattened() throws {
        var note = Note(id: "a")
        note.tags = ["x"]
        let text = #"{".tag":"added","id":"a","tags":["x"],"next":[]}"#
        #expect(try change(text) == .added(note))
        #expect(String(decoding: try Change.added(note).json(), as: UTF8.self) == text)
        #expect(try change(#"{".tag":"replaced","id":"a","tags":["x"]}"#) == .replaced(note))
    }

    @Test(
        "A tag that is not known comes back as it came",
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

    @Test("A bare tag that is not known is written in the long form")
    func bare() throws {
        let change = try change(#""moved""#)
        #expect(change == .other(UnknownTag("moved")))
        #expect(String(decoding: try change.json(), as: UTF8.self) == #"{".tag":"moved"}"#)
    }

    @Test("A closed union refuses what it does not know")
    func closed() {
        #expect(throws: JSONDecodingError.self) { try Mark(json: Array(#"{".tag":"worse"}"#.utf8)) }
        #expect(throws: JSONDecodingError.self) { try Mark(json: Array(#"{".tag":7}"#.utf8)) }
        #expect(throws: JSONDecodingError.self) { try Mark(json: Array("{}".utf8)) }
        #expect(throws: JSONDecodingError.self) { try Mark(json: Array("3".utf8)) }
    }

    @Test("A union with thousands of tags finds each")
    func many() throws {
        let tags = (0..<2_000).map { "a_rather_long_tag_\($0)" }
        let names = JSONNames(tags)
        for (number, tag) in tags.enumerated() {
            let document = try JSONDocument(parsing: #"{".tag":"\#(tag)"}"#)
            let found = try StoneReader.reading(document, at: JSONDocument.rootPlace) { (reader) throws(StoneFailure) in
                try reader.union(names).number
            }
            #expect(found == number)
        }
    }
}
