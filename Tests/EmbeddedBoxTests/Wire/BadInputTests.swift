// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import Foundation
import RestBase
import RestJSON
import RestTransport
import Testing

@Suite("Invalid input")
struct BadInputTests {
    /// The values that are sent as an argument, as a field or as a body.
    private static let arguments = [
        "", "{", "[]", "5", "null", "true", #""text""#, #"{"path":5}"#, #"{"path":null}"#, #"{"path":[]}"#,
        #"{"path":{}}"#, #"{"path":""}"#, #"{"path":"/"}"#, #"{"path":"none"}"#, #"{"path":"/a/../b"}"#,
        #"{"path":"/./a"}"#, #"{"path":"/a//b"}"#, #"{"path":"/a\u0000b"}"#, #"{"path":"/a\nb"}"#,
        #"{"path":"/\ud800"}"#, #"{"path":"id:"}"#, #"{"path":"id:none"}"#, #"{"path":"rev:"}"#,
        #"{"path":"rev:01zzzzzzzzzzzzz"}"#, #"{"path":"ns:"}"#, #"{"path":"ns:99999999999999999999/a"}"#,
        #"{"path":"/a","mode":5}"#, #"{"path":"/a","mode":{".tag":"update"}}"#, #"{"path":"/a","mode":"none"}"#,
        #"{"path":"/a","client_modified":"never"}"#, #"{"path":"/a","content_hash":"short"}"#,
        #"{"path":"/a","limit":0,"max_results":0}"#, #"{"cursor":{"session_id":5,"offset":0}}"#,
        #"{"cursor":{"session_id":"a","offset":9223372036854775808},"commit":{"path":"/a"}}"#,
        #"{"cursor":{"session_id":"a","offset":18446744073709551615},"commit":{"path":"/a"}}"#,
        #"{"cursor":{"session_id":"a","offset":18446744073709551616},"commit":{"path":"/a"}}"#,
        #"{"cursor":{"session_id":"a","offset":-1},"commit":{"path":"/a"}}"#,
        #"{"cursor":{"session_id":"a","offset":1.5},"commit":{"path":"/a"}}"#, #"{"cursor":"x"}"#,
        #"{"entries":[{"path":"/none"}]}"#, #"{"entries":5}"#, #"{"from_path":"/a","to_path":"/a"}"#,
        #"{"from_path":"/","to_path":""}"#, #"{"async_job_id":"guess"}"#, #"{"url":"guess"}"#,
    ]

    private static let uploads = [
        "files/upload", "files/upload_session/start", "files/upload_session/append", "files/upload_session/append_v2",
        "files/upload_session/append_batch", "files/upload_session/finish",
    ]

    private static let calls = [
        "files/get_metadata", "files/list_folder", "files/list_folder/continue", "files/list_folder/longpoll",
        "files/create_folder_v2", "files/delete_v2", "files/permanently_delete", "files/move_v2", "files/copy_v2",
        "files/restore", "files/list_revisions", "files/get_temporary_link", "files/get_temporary_upload_link",
        "files/upload_session/finish_batch_v2", "files/upload_session/start_batch", "files/move_batch_v2",
        "files/delete_batch", "files/delete_batch/check", "sharing/list_shared_links",
        "sharing/get_shared_link_metadata", "sharing/create_shared_link_with_settings", "users/get_account",
    ]

    private func state(_ client: BoxClient) async throws -> String {
        let list = try await client.call("files/list_folder", #"{"path":"","recursive":true,"include_deleted":true}"#)
        let entries = list.json["entries"]?.array?.map { String(decoding: $0.bytes(), as: UTF8.self) } ?? []
        return entries.joined(separator: "\n")
    }

    @Test("no argument results in status 500, and a rejected argument changes nothing")
    func arguments() async throws {
        let client = try await BoxClient.start()
        try await client.put("/kept/file", "content")
        for argument in Self.arguments {
            for route in Self.uploads + Self.calls {
                let before = try await state(client)
                let isUpload = Self.uploads.contains(route)
                let response =
                    isUpload
                    ? try await client.upload(route, argument, .bytes([1, 2, 3]))
                    : try await client.call(route, argument)
                #expect([200, 400, 409].contains(response.status), "\(route) \(argument): \(response.status)")
                if response.status != 200 {
                    let after = try await state(client)
                    #expect(after == before, "\(route) \(argument)")
                }
            }
            try await client.call("files/delete_v2", #"{"path":"/a"}"#)
        }
        #expect(try await client.download("/kept/file").text == "content")
    }

    @Test("a name has at most 255 scalars and no control characters, and is compared without case and byte by byte")
    func names() async throws {
        let client = try await BoxClient.start()
        func upload(_ path: String) async throws -> HTTPResponse {
            let argument = JSONValue(path).bytes()
            let text = String(decoding: argument, as: UTF8.self).unicodeScalars.map { scalar in
                scalar.isASCII && scalar != "\u{7F}"
                    ? String(scalar) : String(scalar).utf16.map { "\\u" + Self.hex($0) }.joined()
            }.joined()
            return try await client.upload("files/upload", #"{"path":\#(text)}"#, .bytes([1]))
        }
        #expect(try await upload("/" + String(repeating: "a", count: 255)).status == 200)
        #expect(try await upload("/" + String(repeating: "ü", count: 255)).status == 200)
        for path in [
            "/" + String(repeating: "a", count: 256), "/" + String(repeating: "e\u{301}", count: 200), "/a\tb",
            "/a\u{7F}",
            "/..", "/a\\b", "/a/", "//",
        ] {
            let summary = try await upload(path).summary
            #expect(summary?.hasPrefix("path/malformed_path") == true, "\(path)")
        }
        #expect(try await upload("/Straße").status == 200)
        #expect(
            try await client.upload("files/upload", #"{"path":"/STRA\u00dfE"}"#, .bytes([2])).summary
                == "path/conflict/file/..")
        // The two names are equal in Swift, but not on the server.
        let composed = try await upload("/caf\u{E9}").json
        let decomposed = try await upload("/cafe\u{301}").json
        #expect(composed["id"] != nil && decomposed["id"] != nil && composed["id"] != decomposed["id"])
        let move = #"{"from_path":"/caf\u00e9","to_path":"/cafe\u0301"}"#
        #expect(try await client.call("files/move_v2", move).summary == "to/conflict/file/..")
    }

    private static func hex(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    @Test("a full account accepts no more bytes, also not by copies, until there is space again")
    func quota() async throws {
        let client = try await BoxClient.start { $0.quota = 10 }
        try await client.put("/a", "123456")
        let full = try await client.upload("files/upload", #"{"path":"/b"}"#, .bytes([1, 2, 3, 4, 5]))
        #expect(full.summary == "path/insufficient_space/..")
        let copy = try await client.call("files/copy_v2", #"{"from_path":"/a","to_path":"/c"}"#)
        #expect(copy.summary == "insufficient_quota/..")
        #expect(try await client.put("/a", "1234567890")["size"]?.int == 10)
        try await client.call("files/delete_v2", #"{"path":"/a"}"#)
        #expect(try await client.put("/b", "1234567890")["size"]?.int == 10)
        #expect(try await client.call("users/get_space_usage").json["used"]?.int == 10)
    }

    @Test("a body that is shorter or longer than its declared length does not become a file")
    func lengths() async throws {
        let client = try await BoxClient.start()
        for length in [20, 500_000] {
            let socket = try Socket.connected(port: client.box.port)
            let request = """
                POST /2/files/upload HTTP/1.1\r\nHost: 127.0.0.1:\(client.box.port)\r
                Authorization: Bearer \(client.token)\r\nContent-Type: application/octet-stream\r
                Dropbox-API-Arg: {"path":"/short"}\r\nContent-Length: \(length)\r\n\r\nonly this
                """
            #expect(socket.send(request.utf8))
            socket.interrupt()
        }
        let socket = try Socket.connected(port: client.box.port)
        let request = """
            POST /2/files/upload HTTP/1.1\r\nHost: 127.0.0.1:\(client.box.port)\r
            Authorization: Bearer \(client.token)\r\nContent-Type: application/octet-stream\r
            Dropbox-API-Arg: {"path":"/long"}\r\nContent-Length: 4\r\n\r\nfourmore\r\n\r\n
            """
        #expect(socket.send(request.utf8))
        // The remaining bytes are not a request.
        var received: [UInt8] = []
        while let bytes = socket.receive(), !bytes.isEmpty { received += bytes }
        let responses = String(decoding: received, as: UTF8.self)
        #expect(responses.hasPrefix("HTTP/1.1 200") && responses.split(separator: "HTTP/1.1 200").count == 1)
        #expect(try await client.download("/long").text == "four")
        #expect(try await client.call("files/get_metadata", #"{"path":"/short"}"#).status == 409)
    }
}
