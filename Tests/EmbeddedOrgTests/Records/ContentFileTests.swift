// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import LocalServer
import RestJSON
import RestTesting
import Testing

@Suite("Documents, versions and links of files")
struct ContentFileTests {
    private func upload(_ client: OrgClient, _ more: String = "", path: String = "a/report.final.pdf") throws -> String
    {
        try client.create("ContentVersion", #"{"PathOnClient":"\#(path)","VersionData":"AAEC"\#(more)}"#)
    }

    private func read(_ client: OrgClient, _ object: String, _ id: String) throws -> JSONValue {
        try client.get("/sobjects/\(object)/\(id)").json
    }

    @Test("a version without a document makes one, shared with its owner and the place of its publication")
    func first() async throws {
        let client = try await OrgClient.start()
        let account = try client.create("Account", #"{"Name":"x"}"#)
        let id = try upload(client, #","FirstPublishLocationId":"\#(account)""#)
        let version = try read(client, "ContentVersion", id)
        #expect(version["Title"] == "report.final" && version["FileType"] == "PDF" && version["FileExtension"] == "pdf")
        #expect(version["VersionNumber"] == "1" && version["IsLatest"] == true && version["ContentSize"] == 3)
        let document = version["ContentDocumentId"]?.string ?? ""
        let shown = try read(client, "ContentDocument", document)
        #expect(document.hasPrefix("069") && shown["LatestPublishedVersionId"]?.string == id)
        #expect(shown["Title"] == "report.final" && shown["ContentSize"] == 3 && shown["FileType"] == "PDF")
        let links = try client.query(
            "SELECT LinkedEntityId, ShareType, LinkedEntity.Type FROM ContentDocumentLink WHERE ContentDocumentId = "
                + "'\(document)' ORDER BY Id"
        ).json["records"]?.array
        #expect(links?.map { $0["ShareType"]?.string } == ["I", "V"])
        #expect(links?.map { $0["LinkedEntityId"]?.string } == [client.org.userID, account])
        #expect(links?.map { $0["LinkedEntity"]?["Type"]?.string } == ["User", "Account"])
        let down = try client.query(
            "SELECT (SELECT ContentDocument.LatestPublishedVersion.PathOnClient FROM ContentDocumentLinks) FROM Account "
                + "WHERE Id = '\(account)'")
        let child = down.json["records"]?[0]?["ContentDocumentLinks"]?["records"]?[0]
        #expect(
            child?["ContentDocument"]?["LatestPublishedVersion"]?["PathOnClient"] == "a/report.final.pdf",
            "\(down.text)")
        await client.org.stop()
    }

    @Test("further versions are counted; the document shows the latest, and both have one title")
    func further() async throws {
        let client = try await OrgClient.start()
        let first = try upload(client)
        let document = try read(client, "ContentVersion", first)["ContentDocumentId"]?.string ?? ""
        let second = try upload(client, #","ContentDocumentId":"\#(document)","Title":"New""#, path: "x.TXT")
        #expect(try read(client, "ContentVersion", first)["IsLatest"] == false)
        #expect(try read(client, "ContentVersion", second)["VersionNumber"] == "2")
        var shown = try read(client, "ContentDocument", document)
        #expect(shown["LatestPublishedVersionId"]?.string == second && shown["Title"] == "New")
        #expect(shown["FileType"] == "TEXT" && shown["FileExtension"] == "TXT")
        let data = OrgClient.data
        try client.send("PATCH", "\(data)/sobjects/ContentDocument/\(document)", body: #"{"Title":"Newer"}"#)
        #expect(try read(client, "ContentVersion", second)["Title"] == "Newer")
        #expect(try read(client, "ContentVersion", first)["Title"] == "report.final")
        try client.send("PATCH", "\(data)/sobjects/ContentVersion/\(second)", body: #"{"Title":"Newest"}"#)
        shown = try read(client, "ContentDocument", document)
        #expect(shown["Title"] == "Newest")
        let all = try client.query(
            "SELECT (SELECT Id FROM ContentVersions) FROM ContentDocument WHERE Id = '\(document)'")
        #expect(all.json["records"]?[0]?["ContentVersions"]?["totalSize"] == 2)
        await client.org.stop()
    }

    @Test("what makes no file is refused, and nothing is written")
    func refused() async throws {
        let client = try await OrgClient.start()
        let version = try upload(client)
        let document = try read(client, "ContentVersion", version)["ContentDocumentId"]?.string ?? ""
        let count = "SELECT COUNT() FROM ContentDocument"
        let before = try client.query(count).json["totalSize"]
        let cases = [
            ("POST", "ContentVersion", #"{"PathOnClient":"a.txt"}"#, "REQUIRED_FIELD_MISSING"),
            ("POST", "ContentVersion", #"{"Title":"a","VersionData":"AAEC"}"#, "REQUIRED_FIELD_MISSING"),
            (
                "POST", "ContentVersion",
                #"{"PathOnClient":"a","VersionData":"AAEC","FirstPublishLocationId":"001bZ0009999999"}"#,
                "INVALID_CROSS_REFERENCE_KEY"
            ),
            (
                "POST", "ContentVersion",
                #"{"PathOnClient":"a","VersionData":"AAEC","ContentDocumentId":"069bZ0009999999"}"#,
                "INVALID_CROSS_REFERENCE_KEY"
            ),
            ("PATCH", "ContentVersion/\(version)", #"{"VersionData":"AAEC"}"#, "INVALID_FIELD_FOR_INSERT_UPDATE"),
            ("POST", "ContentDocument", #"{"Title":"a"}"#, "INVALID_TYPE_FOR_OPERATION"),
            ("DELETE", "ContentVersion/\(version)", "", "METHOD_NOT_ALLOWED"),
            (
                "POST", "ContentDocumentLink",
                #"{"ContentDocumentId":"\#(document)","LinkedEntityId":"\#(client.org.userID)","ShareType":"X"}"#,
                "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST"
            ),
            (
                "POST", "ContentDocumentLink", #"{"ContentDocumentId":"\#(document)"}"#, "REQUIRED_FIELD_MISSING"
            ),
        ]
        for (method, path, body, code) in cases {
            let answer = try client.send(
                method, "\(OrgClient.data)/sobjects/\(path)", body: body.isEmpty ? nil : body)
            #expect(answer.errorCode == code, "\(method) \(path) \(body): \(answer.text)")
        }
        #expect(try client.query(count).json["totalSize"] == before)
        await client.org.stop()
    }
}
