// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestCSV
import RestJSON
import Testing

/// What is written comes back, from readers of ours and from Python's.
@Suite("Formats for machines")
struct FormatTests {
    @Test("CSV gives back what went in", arguments: AwkwardText.seeds)
    func csv(seed: UInt64) throws {
        let texts = AwkwardText.texts(300, seed: seed, 4).map(\.withoutNUL)
        var writer = try CSVWriter(columns: ["one", "two"])
        for text in texts { try writer.append(row: [text, "x" + text]) }
        let bytes = writer.takeBytes()
        let rows = try CSVDocument(parsing: bytes).rows
        #expect(rows.map { $0[0].hex } == texts.map(\.hex))
        #expect(rows.map { $0[1].hex } == texts.map { ("x" + $0).hex })
        let script =
            "import csv, io, json, sys\nt = open(sys.argv[1], newline='', encoding='utf-8').read()\n"
            + "print(json.dumps(list(csv.reader(io.StringIO(t, newline=''), strict=True))[1:]))"
        #expect(try python(script, bytes).array?.compactMap { $0[0]?.string?.hex } == texts.map(\.hex))
    }

    @Test("JSON gives back what went in", arguments: AwkwardText.seeds)
    func json(seed: UInt64) throws {
        let texts = AwkwardText.texts(300, seed: seed, 5)
        let value = JSONValue(JSONArray(texts.map { ["\($0)": JSONValue($0)] }))
        let read = try JSONValue(parsing: value.bytes())
        let members = (read.array ?? []).compactMap(\.object).flatMap { Array($0) }
        #expect(members.map(\.key.hex) == texts.map(\.hex))
        #expect(members.compactMap(\.value.string?.hex) == texts.map(\.hex))
        let script =
            "import json, sys\nd = json.load(open(sys.argv[1], encoding='utf-8'))\n"
            + "print(json.dumps([list(o.items())[0] for o in d]))"
        let pairs = try python(script, value.bytes())
        #expect(pairs.array?.compactMap { $0[0]?.string?.hex } == texts.map(\.hex))
        #expect(pairs.array?.compactMap { $0[1]?.string?.hex } == texts.map(\.hex))
    }

    @Test("Members whose names are two spellings of a letter are two members")
    func spellings() throws {
        let object = try #require(try JSONValue(parsing: "{\"\u{E9}\": 1, \"e\u{301}\": 2}").object)
        #expect(object["\u{E9}"] == 1 && object["e\u{301}"] == 2 && object.count == 2)
    }

    /// What a script prints that is given a file of these bytes.
    private func python(_ script: String, _ bytes: [UInt8]) throws -> JSONValue {
        let file = FileManager.default.temporaryDirectory.appending(path: "text-\(UUID())")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try JSONValue(parsing: try Python.run(["-c", script, file.path], environment: [:]))
    }
}
