// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase
import RestJSON
import RestTransport
import Testing

@Suite("Parts of files")
struct ContentRangeTests {
    /// A file of several pieces as the database keeps them.
    private func upload(_ client: OrgClient, _ bytes: [UInt8]) throws -> String {
        let parent = try client.query("SELECT Id FROM Account LIMIT 1").json["records"]?[0]?["Id"]?.string ?? ""
        let id = try client.create(
            "Attachment", #"{"Name":"f","ParentId":"\#(parent)","Body":"\#(Base64.encode(bytes))"}"#)
        return "\(OrgClient.data)/sobjects/Attachment/\(id)/Body"
    }

    @Test("one range is answered with its bytes, across the pieces that the database has")
    func ranges() async throws {
        let client = try await OrgClient.start()
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let path = try upload(client, bytes)
        let whole = try client.send("GET", path)
        #expect(whole.status == 200 && whole.body == bytes && whole.field("Accept-Ranges") == "bytes")
        let tag = try #require(whole.field("ETag"))
        for (field, range) in [
            ("0-0", 0..<1), ("262143-262144", 262_143..<262_145), ("100-524300", 100..<524_301),
            ("699999-", 699_999..<700_000), ("-5", 699_995..<700_000), ("600000-9000000", 600_000..<700_000),
            ("-9000000", 0..<700_000),
        ] {
            let part = try client.send("GET", path, fields: ["Range: bytes=\(field)", "If-Range: \(tag)"])
            #expect(part.status == 206 && part.body == Array(bytes[range]))
            #expect(part.field("Content-Range") == "bytes \(range.lowerBound)-\(range.upperBound - 1)/700000")
        }
        await client.org.stop()
    }

    @Test("a range behind the end is refused; several, broken and outdated ones give the whole, once")
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
        await client.org.stop()
    }

    @Test("a new content replaces the old one, and an empty file is a file")
    func replaced() async throws {
        let client = try await OrgClient.start()
        let path = try upload(client, Array("old".utf8))
        let tag = try client.send("GET", path).field("ETag")
        let record = path.split(separator: "/").dropLast().joined(separator: "/")
        #expect(try client.send("PATCH", "/" + record, body: #"{"Body":"bmV3ZXI="}"#).status == 204)
        let newer = try client.send("GET", path)
        #expect(newer.text == "newer" && newer.field("ETag") != tag)
        await client.org.stop()
    }
}
