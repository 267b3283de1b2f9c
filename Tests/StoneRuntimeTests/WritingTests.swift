// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@testable import StoneRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Writing values of a spec")
struct WritingTests {
    @Test("A value of every kind comes back as it was")
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

    @Test("What is absent is left out")
    func absent() throws {
        #expect(String(decoding: try Note(id: "a").json(), as: UTF8.self) == #"{"id":"a","tags":[],"next":[]}"#)
    }

    @Test("What JSON cannot hold is an error, never a trap")
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

    @Test("A value that is too deep is an error, never a trap")
    func deep() {
        var note = Note(id: "a")
        for _ in 0..<300 {
            var outer = Note(id: "b")
            outer.next = [note]
            note = outer
        }
        #expect(throws: JSONEncodingError.self) { try note.json() }
    }

    @Test("Text for people is JSON behind the type's name, also where a field is called description")
    func text() throws {
        var note = Note(id: "a")
        note.description = "words"
        #expect("\(note)" == #"Note{"id":"a","tags":[],"description":"words","next":[]}"#)
        #expect(String(describing: note) == "\(note)")
        // What a tag that is not known carries may be a secret.
        #expect(!String(describing: try Change(json: Array(#"{".tag":"new","secret":"hush"}"#.utf8))).contains("hush"))
    }

    @Test("Header text is printable ASCII")
    func header() {
        #expect(RouteEndpoint<Void, Never>.headerText(Array("hé\u{7F}🍺".utf8)) == #"h\u00e9\u007f\ud83c\udf7a"#)
    }
}
