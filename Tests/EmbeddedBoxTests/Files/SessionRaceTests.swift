// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import Foundation
import RestJSON
import RestTesting
import RestTransport
import Testing

@Suite("Upload sessions with concurrent requests")
struct SessionRaceTests {
    @Test(
        "exactly one of several appends at one offset is accepted, and the others return the correct offset",
        arguments: [300, 200_000])
    func race(size: Int) async throws {
        let client = try await BoxClient.start()
        let id = try await client.start()
        var (end, expected): (Int, [UInt8]) = (0, [])
        for _ in 0..<5 {
            let offset = end
            let responses = try await withThrowingTaskGroup(of: (UInt8, HTTPResponse).self) { group in
                for number in 0..<6 as Range<UInt8> {
                    group.addTask {
                        (number, try await client.append(id, offset, Array(repeating: number, count: size)))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let taken = responses.filter { $0.1.status == 200 }
            try #require(taken.count == 1)
            end += size
            expected += Array(repeating: taken[0].0, count: size)
            for (_, response) in responses where response.status != 200 {
                #expect(response.summary == "incorrect_offset/..")
                #expect(response.json["error"]?["correct_offset"]?.int == end)
            }
        }
        #expect(try await client.finish(id, end, "/a").status == 200)
        #expect(try await client.download("/a").body == expected)
    }

    @Test(
        "a file of parts that cross blocks has the same content hash as a single upload",
        arguments: [5 << 20, 3_000_000, 4 << 20])
    func hashes(size: Int) async throws {
        let client = try await BoxClient.start()
        let whole = (0..<(11 << 20)).map { UInt8(truncatingIfNeeded: $0 >> 9 ^ $0) }
        let id = try await client.start()
        var offset = 0
        while offset < whole.count {
            let part = Array(whole[offset..<min(offset + size, whole.count)])
            #expect(try await client.append(id, offset, part).status == 200)
            offset += part.count
        }
        let parted = try await client.finish(id, offset, "/parted").json
        let single = try await client.upload("files/upload", #"{"path":"/single"}"#, .bytes(whole)).json
        #expect(parted["content_hash"] == single["content_hash"] && parted["size"]?.int == whole.count)
        let edge = try await client.download("/parted", range: "bytes=\(size - 2)-\(size + 1)")
        #expect(edge.body == Array(whole[(size - 2)...(size + 1)]))
    }

    @Test("the content hash is verified at the start, at each append and at the end")
    func contentHashes() async throws {
        let client = try await BoxClient.start()
        // SHA-256 of the SHA-256 of "abc".
        let hash = "4f8b42c22dd3729b519ba6f68d2da7cc5b2d606d05daed5ad5128cc03e6c6358"
        let abc = Array("abc".utf8)
        let wrong = try await client.upload(
            "files/upload_session/start", #"{"content_hash":"\#(hash)"}"#, .bytes([1]))
        #expect(wrong.summary == "content_hash_mismatch/..")
        let id = try await client.start(#"{"content_hash":"\#(hash)"}"#, "abc")
        let rest = #","content_hash":"\#(hash)""#
        #expect(try await client.append(id, 3, [1], rest).summary == "content_hash_mismatch/..")
        #expect(try await client.append(id, 3, abc, rest).status == 200)
        let cursor = #""cursor":{"session_id":"\#(id)","offset":6},"commit":{"path":"/a"}"#
        let route = "files/upload_session/finish"
        let refused = try await client.upload(route, "{\(cursor)\(rest)}", .bytes([2]))
        #expect(refused.summary == "content_hash_mismatch/..")
        #expect(try await client.upload(route, "{\(cursor)\(rest)}", .bytes(abc)).json["size"]?.int == 9)
    }

    @Test("a batch of appends accepts or rejects each part, and its lengths must add up to the body's length")
    func appendBatch() async throws {
        let client = try await BoxClient.start()
        let (first, second) = (try await client.start(), try await client.start("{}", "12"))
        func batch(_ lengths: [Int], _ body: String) async throws -> HTTPResponse {
            let entries = zip([(first, 0), (second, 1), ("none", 0)], lengths).map { session, length in
                #"{"cursor":{"session_id":"\#(session.0)","offset":\#(session.1)},"length":\#(length),"close":true}"#
            }
            return try await client.upload(
                "files/upload_session/append_batch", #"{"entries":[\#(entries.joined(separator: ","))]}"#,
                .bytes(Array(body.utf8)))
        }
        #expect(try await batch([3, 2, 1], "short").summary == "length_mismatch/..")
        let results = try await batch([3, 2, 1], "onetwo").json["entries"]
        #expect(results?[0]?[".tag"]?.string == "success")
        #expect(results?[1]?["failure"]?["correct_offset"]?.int == 2)
        #expect(results?[2]?["failure"]?[".tag"]?.string == "not_found")
        #expect(try await client.finish(first, 3, "/one").json["size"]?.int == 3)
        #expect(try await client.download("/one").text == "one")
    }

    @Test("a session expires after seven days, a file has a size limit, and a closed session stays closed")
    func limits() async throws {
        let clock = ManualClock()
        let client = try await BoxClient.start {
            $0.clock = clock
            $0.fileLimit = 10
            $0.accessTokenLifetime = .seconds(30 * 24 * 60 * 60)
        }
        let id = try await client.start("{}", "12345678")
        #expect(try await client.append(id, 8, [1, 2, 3]).summary == "too_large/..")
        #expect(try await client.append(id, 8, [1], #","close":true"#).status == 200)
        #expect(try await client.append(id, 9, []).summary == "closed/..")
        #expect(try await client.finish(id, 9, "/a", [1]).summary == "lookup_failed/closed/..")
        clock.advance(by: .seconds(7 * 24 * 60 * 60 - 1))
        #expect(try await client.append(id, 9, []).summary == "closed/..")
        clock.advance(by: .seconds(1))
        #expect(try await client.append(id, 9, []).summary == "not_found/..")
        #expect(try await client.finish(id, 9, "/a").summary == "lookup_failed/not_found/..")
    }

    @Test("parts of a concurrent session can be repeated, but cannot overlap others or follow the end")
    func concurrent() async throws {
        let client = try await BoxClient.start()
        let id = try await client.start(#"{"session_type":"concurrent"}"#)
        let block = [UInt8](repeating: 1, count: 4 << 20)
        #expect(try await client.finish(id, 0, "/c").summary == "concurrent_session_not_closed/..")
        #expect(try await client.append(id, 0, block + block).status == 200)
        #expect(try await client.append(id, 4 << 20, block).summary == "concurrent_session_invalid_offset/..")
        #expect(try await client.append(id, 0, block + block).status == 200)
        #expect(try await client.append(id, 8 << 20, [9], #","close":true"#).status == 200)
        #expect(try await client.append(id, 12 << 20, block).summary == "closed/..")
        #expect(try await client.finish(id, 8 << 20, "/c").summary == "concurrent_session_missing_data/..")
        #expect(
            try await client.finish(id, 8 << 20, "/c", [1]).summary == "concurrent_session_data_not_allowed/..")
        #expect(try await client.finish(id, (8 << 20) + 1, "/c").status == 200)
    }

    @Test("write contention fails single entries of a batch, which can be sent again")
    func contention() async throws {
        let client = try await BoxClient.start()
        var entries: [String] = []
        for number in 0..<4 {
            let id = try await client.start(#"{"close":true}"#, "\(number)")
            let cursor = #"{"session_id":"\#(id)","offset":1}"#
            entries.append(#"{"cursor":\#(cursor),"commit":{"path":"/b/\#(number)"}}"#)
        }
        func commit(_ entries: [String]) async throws -> [String] {
            let argument = #"{"entries":[\#(entries.joined(separator: ","))]}"#
            let response = try await client.call("files/upload_session/finish_batch_v2", argument).json
            return response["entries"]?.array?.compactMap { $0["failure"]?[".tag"]?.string ?? $0["name"]?.string } ?? []
        }
        client.box.faults.contendWrites(next: 2, matching: "/b/", skipping: 1)
        #expect(try await commit(entries) == ["0", "too_many_write_operations", "too_many_write_operations", "3"])
        #expect(try await commit([entries[2], entries[1], entries[0]]) == ["2", "1", "lookup_failed"])
    }
}
