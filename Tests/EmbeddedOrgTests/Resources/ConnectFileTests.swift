// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTransport
import Testing

@Suite("Connect files")
struct ConnectFileTests {
    private static let files = "\(OrgClient.data)/connect/files"

    /// Uploads as the platform's own SDK does: a part of JSON, then the file.
    private func upload(
        _ client: OrgClient, _ content: String, name: String = "a.txt", about: String? = #"{"title":"A","desc":"d"}"#,
        to path: String = files + "/users/me", part: String = "fileData"
    ) throws -> RawClient.Answer {
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

    @Test("a file is uploaded, told, read, renamed, given versions and deleted")
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
        await client.org.stop()
    }

    @Test("lists of own, shared and groups' files go page by page")
    func lists() async throws {
        let client = try await OrgClient.start()
        let me = client.org.userID
        let other = try entity(client, "SELECT Id FROM User WHERE Id != '\(me)' LIMIT 1")
        var ids: [String] = []
        for number in 0..<7 {
            let made = try upload(client, "x", about: #"{"title":"List \#(number)"}"#)
            ids.append(made.json["id"]?.string ?? "")
        }
        let owned = "\(Self.files)/users/me?pageSize=3&q=list"
        let first = try client.send("GET", owned).json
        #expect(first["files"]?.array?.count == 3 && first["previousPageUrl"]?.isNull == true)
        let second = try client.send("GET", first["nextPageUrl"]?.string ?? "").json
        let third = try client.send("GET", second["nextPageUrl"]?.string ?? "").json
        #expect(third["files"]?.array?.count == 1 && third["nextPageUrl"]?.isNull == true)
        #expect(try client.send("GET", "\(Self.files)/users/\(me)?page=0&q=List").json["files"]?.array?.count == 7)
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
        let wish = #"{"shares":[{"id":"\#(group)","sharingType":"C"}]}"#
        #expect(try client.send("POST", "\(Self.files)/\(ids[1])/file-shares", body: wish).status == 201)
        let groups = try client.send("GET", "\(Self.files)/users/me/filter/groups").json["files"]
        #expect(groups?.array?.count == 1 && groups?[0]?["id"]?.string == ids[1])
        let end = #"{"shares":[{"id":"\#(group)","sharingType":"N"}]}"#
        #expect(try client.send("POST", "\(Self.files)/\(ids[1])/file-shares", body: end).status == 201)
        #expect(try client.send("GET", "\(Self.files)/users/me/filter/groups").json["files"]?.array?.isEmpty == true)
        await client.org.stop()
    }

    @Test("details of several files come together, each with its status")
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

    @Test("a PDF and a small image are renditions of themselves; there are no others")
    func renditions() async throws {
        let client = try await SharedOrg.client
        let pdf = try upload(client, "%PDF-1.4", name: "a.PDF", about: nil).json
        let rendition = try client.send("GET", "\(Self.files)/\(pdf["id"]?.string ?? "")/rendition?type=PDF")
        #expect(rendition.status == 200 && rendition.field("Content-Type") == "application/pdf")
        #expect(pdf["pdfRenditionStatus"] == "Success" && pdf["thumb120By90RenditionStatus"] == "Na")
        let gif = "GIF89a\u{64}\u{0}\u{50}\u{0}"
        let image = try upload(client, gif, name: "a.gif", about: nil).json
        let thumbnail = try client.send("GET", image["renditionUrl"]?.string ?? "")
        #expect(thumbnail.status == 200 && thumbnail.text == gif && thumbnail.field("Content-Type") == "image/gif")
        let wide = try upload(client, "GIF89a\u{0}\u{1}\u{50}\u{0}", name: "b.gif", about: nil).json
        #expect(wide["renditionUrl"]?.isNull == true && wide["thumb720By480RenditionStatus"] == "Success")
        let id = try upload(client, "x").json["id"]?.string ?? ""
        let path = "\(Self.files)/\(id)/rendition"
        #expect(try client.send("GET", path + "?type=THUMB240BY180").status == 404)
        #expect(try client.send("GET", path + "?type=x").errorCode == "ILLEGAL_QUERY_PARAMETER_VALUE")
    }

    @Test("what is no file, user, page or upload is refused, and nothing is made")
    func refusals() async throws {
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
            let answer = try client.send(
                "POST", "\(Self.files)/users/me", body: body,
                fields: ["Content-Type: multipart/form-data; boundary=b-1"])
            #expect(answer.status == 400)
        }
        #expect(try client.send("PUT", "\(Self.files)/users/me", body: "{}").status == 405)
        #expect(try client.query("SELECT COUNT() FROM ContentDocument").json["totalSize"] == before)
        await client.org.stop()
    }
}
