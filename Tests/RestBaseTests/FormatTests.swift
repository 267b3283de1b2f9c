// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestCSV
import RestJSON
import RestTesting
import RestTransport
import Testing

@testable import RestSDK

/// Written values are read back unchanged by the package's own readers and by Python's.
@Suite("Formats for machines")
struct FormatTests {
    @Test("CSV is read back as it was written", arguments: AwkwardText.seeds)
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

    @Test("JSON is read back as it was written", arguments: AwkwardText.seeds)
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

    @Test("members whose names are two encodings of one letter are two members")
    func spellings() throws {
        let object = try #require(try JSONValue(parsing: "{\"\u{E9}\": 1, \"e\u{301}\": 2}").object)
        #expect(object["\u{E9}"] == 1 && object["e\u{301}"] == 2 && object.count == 2)
    }

    /// Returns what a Python script prints, given a file of these bytes.
    private func python(_ script: String, _ bytes: [UInt8]) throws -> JSONValue {
        let file = FileManager.default.temporaryDirectory.appending(path: "text-\(UUID())")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try JSONValue(parsing: try Python.run(["-c", script, file.path], environment: [:]))
    }
}

/// The headers are compared with the bytes that a server received.
@Suite("Headers")
struct HeaderTests {
    @Test("a header value is sent unchanged, or the request is rejected", arguments: AwkwardText.seeds)
    func values(seed: UInt64) async throws {
        let server = try ScriptServer([.readRequest, .respond(fields: [("Connection", "close")], "ok")])
        var sent: [String] = []
        for text in AwkwardText.texts(60, seed: seed, 8) {
            var request = HTTPRequest(method: .get, url: server.url())
            request.fields["X-Text"] = "<" + text + ">"
            do throws(TransportError) {
                _ = try await PlatformTransport.shared.send(request, deadline: .now + .seconds(10))
                sent.append(text)
            } catch {
                #expect(error.code == .invalidRequest, "\(text.hex): \(error)")
            }
        }
        let heads = await server.stop().requests
        #expect(heads.count == sent.count && sent.count > 10)
        for (head, text) in zip(heads, sent) {
            let lines = Array(head.utf8).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
            #expect(lines.filter { $0.utf8.starts(with: "X-Text".utf8) }.map(\.hex) == ["X-Text: <\(text)>\r".hex])
            #expect(!lines.dropFirst().contains { $0.utf8.first == UInt8(ascii: "<") })
        }
    }

    @Test("a form part has one line with its names, and two quotes around each name", arguments: AwkwardText.seeds)
    func parts(seed: UInt64) {
        for text in AwkwardText.texts(200, seed: seed, 9) {
            let part = RestRequest.FormPart.bytes(text, [], fileName: text)
            let lines = part.head(boundary: "b").split(separator: 0x0A)
            #expect(lines.count == 4 && lines[1].count { $0 == UInt8(ascii: "\"") } == 4, "\(text.hex)")
        }
    }
}

/// SQLite, queried through the embedded org, returns and finds values as they were written.
@Suite("SOQL and SQL with awkward strings", .timeLimit(.minutes(5)))
struct QueryTextTests {
    private func client(_ org: LocalOrg) throws -> RestClient {
        try RestClient(loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
    }

    @Test("a bound string finds exactly the record that has it", arguments: AwkwardText.seeds)
    func bound(seed: UInt64) async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 0))
        let client = try client(org)
        // The org trims strings, and ignores the case of ASCII letters in comparisons.
        let texts = AwkwardText.texts(60, seed: seed, 6).enumerated().map { "\($0)<" + $1.withoutNUL + ">" }
        let drafts = texts.map { Record.Draft("Account", ["Name": JSONValue($0)]) }
        var ids: [String] = []
        for start in stride(from: 0, to: drafts.count, by: 200) {
            let part = Array(drafts[start..<min(start + 200, drafts.count)])
            ids += try await client.send(.create(part)).map { $0.id ?? "" }
        }
        for (text, id) in zip(texts, ids) {
            let found = try await client.records("SELECT Id, Name FROM Account WHERE Name = \(text)").collect(limit: 9)
            #expect(found.compactMap { $0["Id"]?.string } == [id], "\(text.hex)")
            #expect(found.first?["Name"]?.string?.hex == text.hex)
            let like = client.records("SELECT Id FROM Account WHERE Name LIKE \(like: text)")
            #expect(try await like.collect(limit: 9).count == 1, "\(text.hex)")
        }
        await org.stop()
    }

    @Test(
        "picklist values of an object description are strings in SQL, whatever they contain",
        arguments: AwkwardText.seeds)
    func picklists(seed: UInt64) async throws {
        let texts = AwkwardText.texts(30, seed: seed, 7).enumerated().map { "\($0)<" + $1.withoutNUL + ">" }
        let values = texts.map { text -> JSONValue in ["value": JSONValue(text), "label": JSONValue("L" + text)] }
        let object: JSONValue = [
            "name": "Thing__c",
            "fields": [["name": "Kind__c", "type": "picklist", "picklistValues": JSONValue(JSONArray(values))]],
        ]
        var configuration = LocalOrgConfiguration(records: 0)
        configuration.schema = try OrgSchema(describe: object.bytes())
        let org = try await LocalOrg.start(configuration)
        let client = try client(org)
        for start in stride(from: 0, to: texts.count, by: 200) {
            let drafts = texts[start..<min(start + 200, texts.count)].map {
                Record.Draft("Thing__c", ["Kind__c": JSONValue($0)])
            }
            #expect(try await client.send(.create(Array(drafts))).allSatisfy { $0.id != nil })
        }
        let read = try await client.records("SELECT Kind__c, toLabel(Kind__c) label FROM Thing__c ORDER BY Kind__c")
            .collect(limit: 1_000)
        #expect(read.compactMap { $0["Kind__c"]?.string?.hex } == texts.map(\.hex))
        #expect(read.compactMap { $0["label"]?.string?.hex } == texts.map { ("L" + $0).hex })
        await org.stop()
    }
}
