// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import RestJSON
import RestTransport
import Testing

@Suite("Links")
struct LinkTests {
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
