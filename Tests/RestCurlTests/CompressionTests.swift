// SPDX-License-Identifier: Apache-2.0

import CZlib
import RestCurl
import RestTesting
import RestTransport
import Testing

@Suite("Compressed bodies", .timeLimit(.minutes(1)))
struct CompressionTests {
    let transport = CurlTransport()

    /// "hello hello hello" in every coding, with both forms of `deflate`.
    static let samples: [(coding: String, bytes: [UInt8])] = [
        ("gzip", bytes("1f8b0800000000000203cb48cdc9c957c840900080 88f9e511000000")),
        ("x-gzip", bytes("1f8b0800000000000203cb48cdc9c957c840900080 88f9e511000000")),
        ("deflate", bytes("78dacb48cdc9c957c84090003a2e067d")),
        ("deflate", bytes("cb48cdc9c957c8409000")),
    ]

    @Test("Every content coding is decoded", arguments: samples.indices)
    func whole(index: Int) async throws {
        let sample = Self.samples[index]
        #expect(text(try await response(sample.coding, sample.bytes)) == "hello hello hello")
    }

    @Test("Every content coding is decoded from chunks of one byte", arguments: samples.indices)
    func slices(index: Int) async throws {
        let sample = Self.samples[index]
        let chunks = sample.bytes.flatMap { Array("1\r\n".utf8) + [$0] + Array("\r\n".utf8) }
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(sample.coding)\r\nTransfer-Encoding: chunked\r\n\r\n"
        let server = try ScriptServer([.readRequest, .sendBytes(Array(head.utf8) + chunks), .send("0\r\n\r\n")])
        #expect(text(try await transport.send(HTTPRequest(url: server.url()), deadline: soon)) == "hello hello hello")
    }

    @Test(
        "A compressed body that is cut inside intact framing is an error, never a shorter body",
        arguments: samples.indices)
    func cut(index: Int) async throws {
        let sample = Self.samples[index]
        for length in 1..<sample.bytes.count {
            let error = await failure { () async throws(TransportError) in
                try await response(sample.coding, Array(sample.bytes[..<length]))
            }
            #expect([.connectionLost, .invalidResponse].contains(error?.code), "cut at \(length)")
        }
    }

    @Test("A cut body ends the stream with an error, after its chunks")
    func cutStream() async throws {
        let sample = Self.samples[0]
        let server = try server(sample.coding, Array(sample.bytes.dropLast(3)))
        let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
        let error = await #expect(throws: TransportError.self) {
            for try await _ in response.stream {}
        }
        #expect(error?.code == .connectionLost)
    }

    @Test("A changed byte of a body with a checksum is an error", arguments: [0, 2])
    func corrupt(index: Int) async throws {
        let sample = Self.samples[index]
        for place in [sample.bytes.count - 4, sample.bytes.count - 1] {
            var bytes = sample.bytes
            bytes[place] ^= 0x10
            let error = await failure { () async throws(TransportError) in try await response(sample.coding, bytes) }
            #expect(error?.code == .invalidResponse)
        }
    }

    @Test("A gzip body may have several members, and other bytes after its end are rejected")
    func members() async throws {
        let gzip = Self.samples[0].bytes
        #expect(text(try await response("gzip", gzip + gzip)) == "hello hello hellohello hello hello")
        let error = await failure { () async throws(TransportError) in try await response("gzip", gzip + [0x21]) }
        #expect(error != nil)
    }

    @Test("A coding that was not requested is an error that names the coding", arguments: ["br", "zstd"])
    func unknown(coding: String) async throws {
        let error = await failure { () async throws(TransportError) in try await response(coding, [0x21]) }
        #expect(error?.code == .invalidResponse)
        #expect(error?.message.contains("'\(coding)'") == true)
    }

    @Test("An empty body needs no decoder", arguments: ["gzip", "rot13"])
    func empty(coding: String) async throws {
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 304 Not Modified\r\nContent-Encoding: \(coding)\r\n\r\n"),
        ])
        let response = try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
        #expect(response.head.status == 304)
        #expect(try await self.response("gzip", []).body.isEmpty)
    }

    @Test("A slow reader gets every byte of a body that expands a thousandfold")
    func backPressure() async throws {
        let plain = (0..<4_194_304).map { UInt8(truncatingIfNeeded: $0 >> 16) }
        let server = try server("deflate", Self.compressed(plain))
        let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
        var body: [UInt8] = []
        for try await chunk in response.stream {
            body += chunk
            await Task.yield()
        }
        #expect(body == plain)
    }

    @Test("An error in the part for which a slow reader made the server wait ends the stream")
    func faultBehindPause() async throws {
        var packed = Self.compressed([UInt8](repeating: 0x61, count: 4_194_304))
        packed[packed.count - 1] ^= 0x10
        // More bytes are announced than sent, so that only the error can end the stream.
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: \(packed.count + 9)\r\n\r\n"
        let server = try ScriptServer([.readRequest, .sendBytes(Array(head.utf8) + packed), .readToEnd])
        let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
        var count = 0
        let error = await #expect(throws: TransportError.self) {
            for try await chunk in response.stream {
                count += chunk.count
                await Task.yield()
            }
        }
        #expect(error?.code == .invalidResponse)
        #expect(count >= 1_048_576)
    }

    private func response(_ coding: String, _ bytes: [UInt8]) async throws(TransportError) -> HTTPResponse {
        guard let server = try? server(coding, bytes) else {
            throw TransportError(.other, "no server", mayHaveReachedServer: false)
        }
        return try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
    }

    private func server(_ coding: String, _ bytes: [UInt8]) throws -> ScriptServer {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(bytes.count)\r\n\r\n"
        return try ScriptServer([.readRequest, .sendBytes(Array(head.utf8) + bytes)])
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.filter { $0 != " " }.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var size = compressBound(UInt(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(size))
        let result = unsafe compress(&packed, &size, bytes, UInt(bytes.count))
        return result == Z_OK ? Array(packed.prefix(Int(size))) : []
    }
}
