// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestSDK
import RestTesting
import Testing

/// SQLite is asked through the embedded org: what comes back, and what is found, is what went in.
@Suite("SOQL and SQL", .timeLimit(.minutes(5)))
struct QueryTextTests {
    private func client(_ org: LocalOrg) throws -> RestClient {
        try RestClient(loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
    }

    @Test("A bound text finds the record that has it, and no other", arguments: AwkwardText.seeds)
    func bound(seed: UInt64) async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 0))
        let client = try client(org)
        // The org takes whitespace from the ends of a text, and compares without the case of ASCII letters.
        let texts = AwkwardText.texts(60, seed: seed, 6).enumerated().map { "\($0)<" + $1.withoutNUL + ">" }
        let drafts = texts.map { RecordDraft("Account", ["Name": JSONValue($0)]) }
        var ids: [String] = []
        for start in stride(from: 0, to: drafts.count, by: 200) {
            ids += try await client.create(Array(drafts[start..<min(start + 200, drafts.count)])).map { $0.id ?? "" }
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

    @Test("Values of a picklist in a description are texts to SQL, whatever is in them", arguments: AwkwardText.seeds)
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
                RecordDraft("Thing__c", ["Kind__c": JSONValue($0)])
            }
            #expect(try await client.create(Array(drafts)).allSatisfy { $0.id != nil })
        }
        let read = try await client.records("SELECT Kind__c, toLabel(Kind__c) label FROM Thing__c ORDER BY Kind__c")
            .collect(limit: 1_000)
        #expect(read.compactMap { $0["Kind__c"]?.string?.hex } == texts.map(\.hex))
        #expect(read.compactMap { $0["label"]?.string?.hex } == texts.map { ("L" + $0).hex })
        await org.stop()
    }
}
