// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import EmbeddedBox
import RestJSON
import RestSDK
import RestTransport
import StoneRuntime
import Testing

@Suite("Files and folders")
struct FileTests {
    @Test("a file is written, described, read as a whole and in parts, and found by id, revision and path in any case")
    func roundTrip() async throws {
        let client = try await BoxClient.start()
        let written = try await client.upload(
            "files/upload",
            ##"{"path":"/Reports/M\u00e4rz.txt","client_modified":"2020-02-03T04:05:06Z"}"##,
            .bytes(Array("hello world".utf8)))
        #expect(written.json["path_display"]?.string == "/Reports/März.txt")
        #expect(written.json["path_lower"]?.string == "/reports/märz.txt")
        #expect(written.json["client_modified"]?.string == "2020-02-03T04:05:06Z")
        #expect(written.json["size"]?.int == 11)
        let found = try await client.call("files/get_metadata", #"{"path":"/REPORTS/märz.TXT"}"#).json
        #expect(found[".tag"]?.string == "file" && found["id"] == written.json["id"])
        let id = written.json["id"]?.string ?? ""
        let rev = written.json["rev"]?.string ?? ""
        let whole = try await client.download(id)
        #expect(whole.text == "hello world" && whole.status == 200)
        let result = try JSONValue(parsing: Array((whole.head.fields["Dropbox-API-Result"] ?? "").utf8))
        #expect(result["name"]?.string == "März.txt")
        #expect(whole.head.fields["Dropbox-API-Result"]?.contains("\\u00e4") == true)
        let part = try await client.download("rev:" + rev, range: "bytes=6-8")
        #expect(part.status == 206 && part.text == "wor")
        #expect(part.head.fields["Content-Range"] == "bytes 6-8/11")
        let end = try await client.download(id, range: "bytes=-5")
        #expect(end.text == "world")
        let beyond = try await client.download(id, range: "bytes=11-")
        #expect(beyond.status == 416)
    }

    @Test("the content hash is calculated from blocks of 4 MiB, and a wrong hash is rejected")
    func contentHash() async throws {
        let client = try await BoxClient.start()
        // SHA-256 of the SHA-256 of "abc".
        let hash = "4f8b42c22dd3729b519ba6f68d2da7cc5b2d606d05daed5ad5128cc03e6c6358"
        let right = try await client.upload(
            "files/upload", #"{"path":"/a","content_hash":"\#(hash)"}"#, .bytes(Array("abc".utf8)))
        #expect(right.json["content_hash"]?.string == hash)
        let wrong = try await client.upload(
            "files/upload", #"{"path":"/b","content_hash":"\#(hash)"}"#, .bytes(Array("abd".utf8)))
        #expect(wrong.status == 409 && wrong.summary == "content_hash_mismatch/..")
    }

    @Test("files are written with the modes add, overwrite and update, with strict conflicts and with autorename")
    func modes() async throws {
        let client = try await BoxClient.start()
        func write(_ text: String, _ rest: String) async throws -> JSONValue {
            try await client.upload("files/upload", #"{"path":"/a.txt"\#(rest)}"#, .bytes(Array(text.utf8))).json
        }
        let first = try await write("1", "")
        #expect(try await write("1", "")["rev"] == first["rev"])
        #expect(try await write("1", #","strict_conflict":true"#)["error_summary"]?.string == "path/conflict/file/..")
        #expect(try await write("2", #","autorename":true"#)["name"]?.string == "a (1).txt")
        let rev = first["rev"]?.string ?? ""
        let second = try await write("3", #","mode":{".tag":"update","update":"\#(rev)"}"#)
        #expect(second["id"] == first["id"] && second["rev"] != first["rev"])
        let late = try await write("4", #","mode":{".tag":"update","update":"\#(rev)"}"#)
        #expect(late["error_summary"]?.string == "path/conflict/file/..")
        #expect(try await write("5", #","mode":"overwrite""#)["id"] == first["id"])
        let inside = try await client.upload("files/upload", #"{"path":"/a.txt/b"}"#, .bytes([1]))
        #expect(inside.summary == "path/conflict/file_ancestor/..")
    }

    @Test("a folder is created with its parents, and a second time only with autorename")
    func folders() async throws {
        let client = try await BoxClient.start()
        let made = try await client.call("files/create_folder_v2", #"{"path":"/A/B"}"#).json
        #expect(made["metadata"]?["path_display"]?.string == "/A/B")
        let parent = try await client.call("files/get_metadata", #"{"path":"/a"}"#).json
        #expect(parent[".tag"]?.string == "folder" && parent["name"]?.string == "A")
        let again = try await client.call("files/create_folder_v2", #"{"path":"/a/b"}"#)
        #expect(again.summary == "path/conflict/folder/..")
        let other = try await client.call("files/create_folder_v2", #"{"path":"/a/b","autorename":true}"#).json
        #expect(other["metadata"]?["name"]?.string == "b (1)")
        for path in ["/a/", "/a//b", "/a/../b"] {
            let response = try await client.call("files/create_folder_v2", #"{"path":"\#(path)"}"#)
            #expect(response.summary == "path/malformed_path/..")
        }
    }

    @Test("deleting a folder deletes its content, and deleted entries can be listed on request")
    func deletion() async throws {
        let client = try await BoxClient.start()
        try await client.put("/a/b/c.txt", "1")
        let deleted = try await client.call("files/delete_v2", #"{"path":"/a"}"#).json
        #expect(deleted["metadata"]?[".tag"]?.string == "folder")
        #expect(try await client.call("files/get_metadata", #"{"path":"/a/b/c.txt"}"#).summary == "path/not_found/..")
        let known = try await client.call(
            "files/get_metadata", #"{"path":"/A/b/c.txt","include_deleted":true}"#
        ).json
        #expect(known[".tag"]?.string == "deleted" && known["path_display"]?.string == "/a/b/c.txt")
        #expect(try await client.call("files/delete_v2", #"{"path":"/a"}"#).summary == "path_lookup/not_found/..")
        try await client.put("/x", "1")
        let stale = try await client.call("files/delete_v2", #"{"path":"/x","parent_rev":"012345678"}"#)
        #expect(stale.summary == "path_write/conflict/file/..")
    }

    @Test("moving keeps ids, copying creates new ids, and both include the content")
    func relocation() async throws {
        let client = try await BoxClient.start()
        let file = try await client.put("/a/b/c.txt", "1")
        func relocate(_ kind: String, _ from: String, _ to: String, _ rest: String = "") async throws -> JSONValue {
            try await client.call("files/\(kind)_v2", #"{"from_path":"\#(from)","to_path":"\#(to)"\#(rest)}"#).json
        }
        #expect(try await relocate("copy", "/a", "/Copy")["metadata"]?["path_lower"]?.string == "/copy")
        let copied = try await client.call("files/get_metadata", #"{"path":"/copy/b/c.txt"}"#).json
        #expect(copied["content_hash"] == file["content_hash"] && copied["id"] != file["id"])
        #expect(try await relocate("move", "/a", "/Moved/here")["metadata"]?["name"]?.string == "here")
        let moved = try await client.call("files/get_metadata", #"{"path":"/moved/here/b/c.txt"}"#).json
        #expect(moved["id"] == file["id"] && moved["path_display"]?.string == "/Moved/here/b/c.txt")
        #expect(try await client.download("/moved/here/b/c.txt").text == "1")
        #expect(try await relocate("move", "/none", "/x")["error_summary"]?.string == "from_lookup/not_found/..")
        #expect(try await relocate("move", "/copy", "/moved")["error_summary"]?.string == "to/conflict/folder/..")
        #expect(
            try await relocate("move", "/copy", "/copy/b/x")["error_summary"]?.string
                == "cant_move_folder_into_itself/..")
        #expect(
            try await relocate("move", "/copy", "/moved", #","autorename":true"#)["metadata"]?["name"]?.string
                == "moved (1)")
        #expect(try await relocate("move", "/moved (1)", "/MOVED (1)")["metadata"]?["name"]?.string == "MOVED (1)")
        await client.box.stop()
    }
}

@Suite("The generated client with a test server")
struct SDKTests {
    @Test("a file is uploaded, listed in pages and downloaded, and a missing file is a typed error")
    func roundTrip() async throws {
        let box = try await LocalBox.start()
        let client = try RestClient(
            instanceURL: box.origin, accessToken: Secret(box.accessToken),
            configuration: RestClient.Configuration(services: box.services))
        let files = StoneClient(client).files
        for number in 0..<5 {
            _ = try await files.upload(
                body: .bytes(Array("\(number)".utf8)), path: "/sdk/\(number).txt"
            ).value
        }
        var names: [String] = []
        for try await entry in files.listFolder(path: "/sdk", limit: 2).elements { names.append(entry.name) }
        #expect(names == (0..<5).map { "\($0).txt" })
        await #expect { try await files.getMetadata(path: "/none").value } throws: { error in
            guard case .route(let problem, _)? = error as? CallError<Files.GetMetadataError> else { return false }
            return problem == .path(.notFound)
        }
        await box.stop()
    }
}

@Suite("Links")
struct LinkTests {
    @Test("a temporary link returns the file without a login, also after the file was changed")
    func temporaryLink() async throws {
        let client = try await BoxClient.start()
        try await client.put("/a", "content")
        let link = try await client.call("files/get_temporary_link", #"{"path":"/a"}"#).json["link"]?.string ?? ""
        try await client.put("/a", "changed")
        let path = String(link.dropFirst(client.box.origin.count))
        #expect(try await client.send(.get, path, [:]).text == "content")
        #expect(try await client.send(.get, "/temporary/guess", [:]).status == 404)
    }

    @Test("a shared link is created once, can have a password, leads into folders, and can be revoked")
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
    }
}
