// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import Testing

/// Names that are kept and come back, and must do nothing on their way.
@Suite("Bad requests: names that are stored")
struct StoredNameTests {
    private static let names = [
        "a\r\nSet-Cookie: x=y", "../../x", "..\\..\\x", "/etc/passwd", "CON", "nul.txt", "a\u{1}b", "\u{202E}txt.exe",
        "a\"b; c=\"d",
        String(repeating: "n", count: 250), "é😀", "%0d%0aX:%20y",
    ]

    @Test("what a record is called stands in no header field as it is", arguments: names)
    func splitting(name: String) async throws {
        let client = try await SharedOrg.client
        let text = String(decoding: JSONValue(name).bytes(), as: UTF8.self)
        let made = try client.send(
            "POST", "\(OrgClient.data)/sobjects/Account", body: #"{"Name":\#(text),"Site":"s"}"#)
        let id = made.json["id"]?.string ?? ""
        let read = try client.get("/sobjects/Account/\(id)?fields=Name")
        #expect(read.json["Name"]?.string == name)
        for answer in [made, read] {
            #expect(answer.field("Set-Cookie") == nil && answer.field("X") == nil)
            #expect(answer.head.utf8.allSatisfy { $0 < 0x7F && ($0 >= 0x20 || $0 == 0x0D || $0 == 0x0A) })
        }
    }

    @Test("what a file is called is data, and its bytes come back by its id", arguments: names)
    func files(name: String) async throws {
        let client = try await SharedOrg.client
        let text = String(decoding: JSONValue(name).bytes(), as: UTF8.self)
        let quoted = name.replacing("\"", with: "%22").replacing("\r\n", with: " ")
        let body = """
            --b\r\nContent-Disposition: form-data; name="entity_content"\r\nContent-Type: application/json\r\n\r
            {"Title":\(text),"PathOnClient":\(text)}\r\n--b\r
            Content-Disposition: form-data; name="VersionData"; filename="\(quoted)"\r\n\r\n\(Self.content)\r\n--b--\r\n
            """
        let made = try client.send(
            "POST", "\(OrgClient.data)/sobjects/ContentVersion", body: body,
            fields: ["Content-Type: multipart/form-data; boundary=b"])
        #expect(made.status == 201, "\(made.text)")
        let id = made.json["id"]?.string ?? ""
        #expect(try client.get("/sobjects/ContentVersion/\(id)?fields=Title").json["Title"]?.string == name)
        let file = try client.get("/sobjects/ContentVersion/\(id)/VersionData")
        #expect(file.text == Self.content)
        #expect(file.head.utf8.allSatisfy { $0 < 0x7F && ($0 >= 0x20 || $0 == 0x0D || $0 == 0x0A) })
    }

    private static let content = "a--b\r\n--c\u{0}\r\n--"

    @Test(
        "a range that is none, or many, never makes an answer longer than the file",
        arguments: [
            "bytes=-0", "bytes=5-2", "bytes=0-18446744073709551616", "bytes=18446744073709551616-", "bytes=x", "bytes=",
            "bytes=-", "lines=0-1", "bytes=9-", "bytes=0-0,2-2",
            "bytes=" + String(repeating: "0-,", count: 1_000) + "0-",
        ])
    func ranges(range: String) async throws {
        let client = try await SharedOrg.client
        let data = Array("123456789".utf8).base64
        let made = try client.create(
            "ContentVersion", #"{"Title":"r","PathOnClient":"r.txt","VersionData":"\#(data)"}"#)
        let path = "\(OrgClient.data)/sobjects/ContentVersion/\(made)/VersionData"
        let answer = try client.send("GET", path, fields: ["Range: \(range)"])
        #expect([200, 206, 416].contains(answer.status))
        #expect(answer.status == 416 || "123456789".contains(answer.text))
        #expect(answer.field("Content-Type")?.contains("multipart") != true)
    }
}
