// SPDX-License-Identifier: Apache-2.0

import CZlib
import EmbeddedOrg
import RestJSON
import Testing

@Suite("Compressed answers")
struct CompressionTests {
    private func start() async throws -> OrgClient {
        var configuration = LocalOrgConfiguration()
        configuration.compressesAnswers = true
        return try await OrgClient.start(configuration)
    }

    private static let long = "\(OrgClient.data)/sobjects/Account/describe"

    @Test(
        "long answers are compressed for those who accept gzip",
        arguments: ["gzip", "gzip, deflate, br", "deflate;q=1, GZIP ; q=0.5", "x-gzip"])
    func accepted(field: String) async throws {
        let client = try await start()
        let plain = try client.send("GET", Self.long)
        let answer = try client.send("GET", Self.long, fields: ["Accept-Encoding: \(field)"])
        #expect(answer.field("Content-Encoding") == "gzip" && answer.field("Vary") == "Accept-Encoding")
        #expect(answer.body.count < plain.body.count / 2)
        #expect(try inflated(answer.body, capacity: plain.body.count) == plain.body)
        #expect(plain.field("Content-Encoding") == nil && plain.field("Vary") == "Accept-Encoding")
        await client.org.stop()
    }

    @Test(
        "others and short answers are sent as they are",
        arguments: ["", "identity", "gzip;q=0", "gzip; q=0.0", "br", "*"])
    func refused(field: String) async throws {
        let client = try await start()
        let fields = ["Accept-Encoding: \(field)"]
        #expect(try client.send("GET", Self.long, fields: fields).json["name"]?.string == "Account")
        let count = "\(OrgClient.data)/limits/recordCount?sObjects=Account"
        let short = try client.send("GET", count, fields: ["Accept-Encoding: gzip"])
        #expect(short.field("Content-Encoding") == nil)
        #expect(short.json["sObjects"]?[0]?["name"]?.string == "Account")
        await client.org.stop()
    }

    @Test("without being told to, the org compresses nothing; a fault can cut a compressed body short")
    func defaults() async throws {
        let shared = try await SharedOrg.client
        let fields = ["Accept-Encoding: gzip"]
        #expect(try shared.send("GET", Self.long, fields: fields).field("Content-Encoding") == nil)
        let client = try await start()
        client.org.faults.add(.truncate(after: 100))
        #expect(throws: RawClient.Failure.closed(received: 100)) {
            try client.send("GET", Self.long, fields: fields)
        }
        await client.org.stop()
    }

    /// zlib's own way back: the checksum and the length in the trailer are checked by it.
    private func inflated(_ bytes: [UInt8], capacity: Int) throws -> [UInt8] {
        var stream = unsafe z_stream()
        try #require(unsafe inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK)
        defer { unsafe inflateEnd(&stream) }
        var (input, output) = (bytes, [UInt8](repeating: 0, count: capacity))
        let code = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                unsafe (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                return unsafe inflate(&stream, Z_FINISH)
            }
        }
        #expect(code == Z_STREAM_END)
        return output
    }
}
