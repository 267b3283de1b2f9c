// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Options of requests")
struct OptionTests {
    @Test(
        "an option of another type is rejected, not taken for the default",
        arguments: [
            ("POST", "/composite", #"{"allOrNone":1,"compositeRequest":[{record}]}"#),
            ("POST", "/composite", #"{"allOrNone":"yes","compositeRequest":[{record}]}"#),
            ("POST", "/composite/sobjects", #"{"allOrNone":[],"records":[{"attributes":{"type":"Account"}}]}"#),
            ("POST", "/composite/batch", #"{"haltOnError":0,"batchRequests":[{"method":"GET","url":"v66.0/limits"}]}"#),
            ("POST", "/jobs/ingest", #"{"object":"Account","operation":"insert","lineEnding":5}"#),
            ("POST", "/jobs/ingest", #"{"object":"Account","operation":"insert","columnDelimiter":true}"#),
            ("POST", "/jobs/ingest", #"{"object":"Account","operation":"insert","contentType":["CSV"]}"#),
            ("POST", "/jobs/query", #"{"operation":"query","query":5}"#),
        ])
    func types(method: String, path: String, body: String) async throws {
        let client = try await SharedOrg.client
        let record = #"{"method":"GET","url":"\#(OrgClient.data)/limits","referenceId":"a"}"#
        let answer = try client.send(
            method, OrgClient.data + path, body: body.replacing("{record}", with: record))
        #expect(answer.status == 400 && answer.errorCode == "JSON_PARSER_ERROR", "\(answer.text)")
    }

    @Test("a flag may be a boolean or its text, as on the platform", arguments: ["true", "\"true\""])
    func flags(value: String) async throws {
        let client = try await OrgClient.start()
        let records = #"[{"attributes":{"type":"Account"},"Name":"Flagged"},{"attributes":{"type":"Account"}}]"#
        let answer = try client.send(
            "POST", "\(OrgClient.data)/composite/sobjects", body: #"{"allOrNone":\#(value),"records":\#(records)}"#)
        #expect(answer.json[0]?["success"]?.bool == false)
        #expect(try client.query("SELECT COUNT() FROM Account WHERE Name = 'Flagged'").json["totalSize"]?.int == 0)
        await client.org.stop()
    }
}
