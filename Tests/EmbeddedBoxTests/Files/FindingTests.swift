// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import RestJSON
import RestTransport
import Testing

@Suite("Searches, tags and links")
struct FindingTests {
    @Test("a search finds names in a folder, page by page")
    func search() async throws {
        let client = try await BoxClient.start()
        for number in 0..<5 { try await client.put("/f/Report \(number).txt", "\(number)") }
        try await client.put("/report elsewhere", "1")
        let options = #""options":{"path":"/f","max_results":2}"#
        var page = try await client.call("files/search_v2", #"{"query":"REPORT",\#(options)}"#).json
        var names = page["matches"]?.array?.compactMap { $0["metadata"]?["metadata"]?["name"]?.string } ?? []
        while page["has_more"]?.bool == true {
            let cursor = page["cursor"]?.string ?? ""
            page = try await client.call("files/search/continue_v2", #"{"cursor":"\#(cursor)"}"#).json
            names += page["matches"]?.array?.compactMap { $0["metadata"]?["metadata"]?["name"]?.string } ?? []
        }
        #expect(names == (0..<5).map { "Report \($0).txt" })
        await client.box.stop()
    }

    @Test("tags are added, listed and removed")
    func tags() async throws {
        let client = try await BoxClient.start()
        try await client.put("/a", "1")
        try await client.call("files/tags/add", #"{"path":"/a","tag_text":"Red"}"#)
        try await client.call("files/tags/add", #"{"path":"/a","tag_text":"blue"}"#)
        try await client.call("files/tags/remove", #"{"path":"/a","tag_text":"blue"}"#)
        let tags = try await client.call("files/tags/get", #"{"paths":["/a"]}"#).json
        #expect(tags["paths_to_tags"]?[0]?["tags"]?.array?.compactMap { $0["tag_text"]?.string } == ["red"])
        let missing = try await client.call("files/tags/remove", #"{"path":"/a","tag_text":"blue"}"#)
        #expect(missing.summary == "tag_not_present/..")
        await client.box.stop()
    }

    @Test("a temporary link gives the file to anybody, also after it was changed")
    func temporaryLink() async throws {
        let client = try await BoxClient.start()
        try await client.put("/a", "content")
        let link = try await client.call("files/get_temporary_link", #"{"path":"/a"}"#).json["link"]?.string ?? ""
        try await client.put("/a", "changed")
        let path = String(link.dropFirst(client.box.origin.count))
        #expect(try await client.send(.get, path, [:]).text == "content")
        #expect(try await client.send(.get, "/temporary/guess", [:]).status == 404)
        await client.box.stop()
    }

    @Test("a shared link is made once, may want a password, leads into folders, and ends")
    func sharedLinks() async throws {
        let client = try await BoxClient.start()
        try await client.put("/f/a", "1")
        let settings = #""settings":{"require_password":true,"link_password":"secret"}"#
        let made = try await client.call(
            "sharing/create_shared_link_with_settings", #"{"path":"/f",\#(settings)}"#
        ).json
        #expect(made[".tag"]?.string == "folder")
        let again = try await client.call("sharing/create_shared_link_with_settings", #"{"path":"/f"}"#)
        #expect(again.summary?.hasPrefix("shared_link_already_exists/metadata") == true)
        let url = made["url"]?.string ?? ""
        let route = "sharing/get_shared_link_metadata"
        let denied = try await client.call(route, #"{"url":"\#(url)"}"#)
        #expect(denied.summary == "shared_link_access_denied/..")
        let inside = try await client.call(route, #"{"url":"\#(url)","path":"/a","link_password":"secret"}"#).json
        #expect(inside[".tag"]?.string == "file" && inside["name"]?.string == "a")
        #expect(try await client.call("sharing/list_shared_links", "{}").json["links"]?.array?.count == 1)
        #expect(try await client.call("sharing/revoke_shared_link", #"{"url":"\#(url)"}"#).text == "null")
        #expect(try await client.call(route, #"{"url":"\#(url)"}"#).summary == "shared_link_not_found/..")
        await client.box.stop()
    }
}
