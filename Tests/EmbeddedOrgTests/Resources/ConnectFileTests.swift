// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import LocalServer
import RestBase
import RestJSON
import RestTesting
import RestTransport
import Testing

@Suite("Connect files")
struct ConnectFileTests {
    private static let files = "\(OrgClient.data)/connect/files"

    /// Uploads a file like Salesforce's own SDK: a part with JSON, then the file.
    private func upload(
        _ client: OrgClient, _ content: String, name: String = "a.txt", about: String? = #"{"title":"A","desc":"d"}"#,
        to path: String = files + "/users/me", part: String = "fileData"
    ) throws -> RawClient.Response {
        let json = about.map {
            "--b-1\r\nContent-Disposition: form-data; name=\"json\"\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n\($0)\r\n"
        }
        let body = """
            \(json ?? "")--b-1\r\nContent-Disposition: form-data; name="\(part)"; filename="\(name)"\r
            Content-Type: text/plain; charset=UTF-8\r\n\r\n\(content)\r\n--b-1--\r\n
            """
        return try client.send(
            "POST", path, body: body, fields: ["Content-Type: multipart/form-data; boundary=\"b-1\""])
    }

    private func entity(_ client: OrgClient, _ query: String) throws -> String {
        try #require(try client.query(query).json["records"]?[0]?["Id"]?.string)
    }

    @Test("a file is uploaded, described, read, renamed, given versions and deleted")
    func life() async throws {
        let client = try await OrgClient.start()
        let made = try upload(client, "first")
        #expect(made.status == 201 && made.json["title"] == "A" && made.json["description"] == "d", "\(made.text)")
        let id = try #require(made.json["id"]?.string)
        #expect(id.hasPrefix("069") && made.json["contentSize"] == 5 && made.json["versionNumber"] == "1")
        #expect(made.json["fileExtension"] == "txt" && made.json["owner"]?["id"]?.string == client.org.userID)
        let content = try client.send("GET", made.json["downloadUrl"]?.string ?? "")
        #expect(content.text == "first" && content.field("Content-Type") == "text/plain")
        #expect(content.field("Content-Disposition") == "attachment")
        let part = try client.send("GET", "\(Self.files)/\(id)/content", fields: ["Range: bytes=1-2"])
        #expect(part.status == 206 && part.text == "ir")
        let second = try upload(client, "second", about: nil, to: "\(Self.files)/\(id)")
        #expect(second.status == 201 && second.json["versionNumber"] == "2" && second.json["title"] == "A")
        #expect(try client.send("GET", "\(Self.files)/\(id)/content").text == "second")
        #expect(try client.send("GET", "\(Self.files)/\(id)/content?versionNumber=1").text == "first")
        #expect(try client.send("GET", "\(Self.files)/\(id)?versionNumber=3").status == 404)
        let renamed = try client.send("PATCH", "\(Self.files)/\(id)", body: #"{"title":"B"}"#)
        #expect(renamed.json["title"] == "B")
        let rows = try client.query(
            "SELECT Title, VersionNumber, IsLatest FROM ContentVersion WHERE ContentDocumentId = '\(id)'")
        #expect(rows.json["totalSize"] == 2)
        #expect(try client.send("DELETE", "\(Self.files)/\(id)").status == 204)
        for path in ["", "/content", "/rendition", "/file-shares"] {
            #expect(try client.send("GET", "\(Self.files)/\(id)\(path)").status == 404)
        }
    }

    @Test("own files, shared files and files of groups are listed page by page")
    func lists() async throws {
        let client = try await OrgClient.start()
        let me = client.org.userID
        let other = try entity(client, "SELECT Id FROM User WHERE Id != '\(me)' LIMIT 1")
        var ids: [String] = []
        for number in 0..<7 {
            let made = try upload(client, "x", about: #"{"title":"List \#(number)"}"#)
            ids.append(made.json["id"]?.string ?? "")
        }
        let owned = "\(Self.files)/users/me?pageSize=3"
        let first = try client.send("GET", owned).json
        #expect(first["files"]?.array?.count == 3 && first["previousPageUrl"]?.isNull == true)
        let second = try client.send("GET", first["nextPageUrl"]?.string ?? "").json
        let third = try client.send("GET", second["nextPageUrl"]?.string ?? "").json
        #expect(third["files"]?.array?.count == 2 && third["nextPageUrl"]?.isNull == true)
        #expect(try client.send("GET", "\(Self.files)/users/\(me)?page=0").json["files"]?.array?.count == 8)
        let shared = "\(Self.files)/users/\(other)/filter/sharedwithme"
        #expect(try client.send("GET", shared).json["files"]?.array?.isEmpty == true)
        let link = try client.create(
            "ContentDocumentLink",
            #"{"ContentDocumentId":"\#(ids[0])","LinkedEntityId":"\#(other)","ShareType":"V"}"#)
        #expect(try client.send("GET", shared).json["files"]?[0]?["id"]?.string == ids[0])
        let shares = try client.send("GET", "\(Self.files)/\(ids[0])/file-shares?page=0").json["shares"]?.array
        #expect(Set(shares?.compactMap { $0["sharingType"]?.string } ?? []) == ["I", "V"])
        #expect(try client.send("DELETE", "\(OrgClient.data)/sobjects/ContentDocumentLink/\(link)").status == 204)
        #expect(try client.send("GET", shared).json["files"]?.array?.isEmpty == true)
        let group = try client.create("Group", #"{"Name":"Files","DeveloperName":"Files","Type":"Regular"}"#)
        _ = try client.create("GroupMember", #"{"GroupId":"\#(group)","UserOrGroupId":"\#(me)"}"#)
        let share = try client.create(
            "ContentDocumentLink",
            #"{"ContentDocumentId":"\#(ids[1])","LinkedEntityId":"\#(group)","ShareType":"C"}"#)
        let groups = try client.send("GET", "\(Self.files)/users/me/filter/groups").json["files"]
        #expect(groups?.array?.count == 1 && groups?[0]?["id"]?.string == ids[1])
        #expect(try client.send("DELETE", "\(OrgClient.data)/sobjects/ContentDocumentLink/\(share)").status == 204)
        #expect(try client.send("GET", "\(Self.files)/users/me/filter/groups").json["files"]?.array?.isEmpty == true)
    }

    @Test("details of several files are returned together, each with its status")
    func batch() async throws {
        let client = try await SharedOrg.client
        let id = try upload(client, "x").json["id"]?.string ?? ""
        let good = try client.send("GET", "\(Self.files)/batch/\(id)").json
        #expect(good["hasErrors"]?.bool == false && good["results"]?[0]?["result"]?["id"]?.string == id)
        let mixed = try client.send("GET", "\(Self.files)/batch/\(id),069000000000000AAA,x").json
        #expect(mixed["hasErrors"]?.bool == true)
        #expect(mixed["results"]?.array?.compactMap { $0["statusCode"]?.int } == [200, 404, 404])
        #expect(mixed["results"]?[1]?["result"]?[0]?["errorCode"] == "NOT_FOUND")
        let many = Array(repeating: id, count: 101).joined(separator: ",")
        #expect(try client.send("GET", "\(Self.files)/batch/\(many)").status == 400)
    }

    @Test("invalid files, users, pages and uploads are rejected, and nothing is created")
    func rejections() async throws {
        let client = try await OrgClient.start()
        let before = try client.query("SELECT COUNT() FROM ContentDocument").json["totalSize"]
        for (path, status) in [
            ("/users/005000000000000AAA", 404), ("/users/x", 404), ("/users/me/filter/x", 404),
            ("/users/me/filter/", 404), ("/users/me?page=-1", 400), ("/users/me?page=9999999999", 400),
            ("/users/me?pageSize=0", 400), ("/users/me?pageSize=101", 400), ("/x", 404), ("/069", 404), ("", 404),
            ("/batch", 404), ("/users/me/x", 404),
        ] {
            #expect(try client.send("GET", Self.files + path).status == status, "\(path)")
        }
        #expect(
            try client.send("GET", "\(OrgClient.data)/connect/communities/0DB000000000000AAA/files/users/me").status
                == 404)
        #expect(try upload(client, "x", about: "{").errorCode == "JSON_PARSER_ERROR")
        #expect(try upload(client, "x", part: "other").status == 400)
        for body in ["", "--b-1", "--b-1\r\n", "--b-1\r\n\r\n", "--b-1\r\n\r\nx", "--other--"] {
            let response = try client.send(
                "POST", "\(Self.files)/users/me", body: body,
                fields: ["Content-Type: multipart/form-data; boundary=b-1"])
            #expect(response.status == 400)
        }
        #expect(try client.send("PUT", "\(Self.files)/users/me", body: "{}").status == 405)
        #expect(try client.query("SELECT COUNT() FROM ContentDocument").json["totalSize"] == before)
    }
}

@Suite("Ranges of files")
struct ContentRangeTests {
    private func upload(_ client: OrgClient, _ bytes: [UInt8]) throws -> String {
        let parent = try client.query("SELECT Id FROM Account LIMIT 1").json["records"]?[0]?["Id"]?.string ?? ""
        let id = try client.create(
            "Attachment", #"{"Name":"f","ParentId":"\#(parent)","Body":"\#(Base64.encode(bytes))"}"#)
        return "\(OrgClient.data)/sobjects/Attachment/\(id)/Body"
    }

    @Test("a single range is answered with its bytes, across the chunks in the database")
    func ranges() async throws {
        let client = try await OrgClient.start()
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let path = try upload(client, bytes)
        let whole = try client.send("GET", path)
        #expect(whole.status == 200 && whole.body == bytes && whole.field("Accept-Ranges") == "bytes")
        let tag = try #require(whole.field("ETag"))
        for (field, range) in [
            ("0-0", 0..<1), ("262143-262144", 262_143..<262_145), ("100-270000", 100..<270_001),
            ("299999-", 299_999..<300_000), ("-5", 299_995..<300_000), ("200000-9000000", 200_000..<300_000),
            ("-9000000", 0..<300_000),
        ] {
            let part = try client.send("GET", path, fields: ["Range: bytes=\(field)", "If-Range: \(tag)"])
            #expect(part.status == 206 && part.body == Array(bytes[range]))
            #expect(part.field("Content-Range") == "bytes \(range.lowerBound)-\(range.upperBound - 1)/300000")
        }
    }

    @Test("a range after the end is rejected, and multiple, malformed or outdated ranges return the whole file once")
    func others() async throws {
        let client = try await OrgClient.start()
        let path = try upload(client, Array("0123456789".utf8))
        for field in ["10-", "100-200", "-0", "9223372036854775807-"] {
            let refused = try client.send("GET", path, fields: ["Range: bytes=\(field)"])
            #expect(refused.status == 416 && refused.field("Content-Range") == "bytes */10" && refused.body.isEmpty)
        }
        let many = (0..<400).map { "\($0 % 10)-" }.joined(separator: ",")
        for field in ["bytes=\(many)", "bytes=5-2", "bytes=x-", "bytes=", "bytes=-", "lines=1-2", "bytes=1-2-3", "5-6"]
        {
            let whole = try client.send("GET", path, fields: ["Range: \(field)"])
            #expect(whole.status == 200 && whole.text == "0123456789")
        }
        let outdated = try client.send("GET", path, fields: ["Range: bytes=1-2", "If-Range: \"other\""])
        #expect(outdated.status == 200 && outdated.text == "0123456789")
        let head = try client.send("HEAD", path, fields: ["Range: bytes=1-2"])
        #expect(head.status == 200 && head.field("Content-Length") == "10")
    }

    @Test("new content replaces the old content, and an empty file is a file")
    func replaced() async throws {
        let client = try await OrgClient.start()
        let path = try upload(client, Array("old".utf8))
        let tag = try client.send("GET", path).field("ETag")
        let record = path.split(separator: "/").dropLast().joined(separator: "/")
        #expect(try client.send("PATCH", "/" + record, body: #"{"Body":"bmV3ZXI="}"#).status == 204)
        let newer = try client.send("GET", path)
        #expect(newer.text == "newer" && newer.field("ETag") != tag)
    }
}

@Suite("Documents, versions and links of files")
struct ContentFileTests {
    private func upload(_ client: OrgClient, _ more: String = "", path: String = "a/report.final.pdf") throws -> String
    {
        try client.create("ContentVersion", #"{"PathOnClient":"\#(path)","VersionData":"AAEC"\#(more)}"#)
    }

    private func read(_ client: OrgClient, _ object: String, _ id: String) throws -> JSONValue {
        try client.get("/sobjects/\(object)/\(id)").json
    }

    @Test("a version without a document creates one, which is shared with its owner and its first publish location")
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
    }

    @Test("further versions are numbered, the document has the latest one, and both have the same title")
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
    }

    @Test("an invalid file is rejected, and nothing is written")
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
            let response = try client.send(
                method, "\(OrgClient.data)/sobjects/\(path)", body: body.isEmpty ? nil : body)
            #expect(response.errorCode == code, "\(method) \(path) \(body): \(response.text)")
        }
        #expect(try client.query(count).json["totalSize"] == before)
    }
}
