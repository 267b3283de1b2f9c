// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTesting
import RestTransport
import Testing

@Suite("CurlTransport and content codings", .timeLimit(.minutes(1)))
struct CodingTests {
    /// The text "hello hello hello", packed.
    private static let packed: [String: [UInt8]] = [
        "deflate": [
            0x78, 0x9c, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x90, 0x00, 0x3a, 0x2e, 0x06, 0x7d,
        ],
        "br": [
            0x1b, 0x10, 0x00, 0xf8, 0x8d, 0x94, 0x6e, 0xde, 0x44, 0x55, 0x86, 0x96, 0x6c, 0x20, 0x6f, 0x01, 0x4f, 0x1c,
            0x60, 0x1c,
        ],
        "zstd": [
            0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68, 0x65, 0x00, 0x00, 0x30, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x20, 0x01, 0x00,
            0x31, 0x4a, 0x11,
        ],
    ]

    /// What the transport tells servers it can unpack, which depends on the platform's libcurl.
    private static func accepted() async throws -> Set<String> {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let transport = CurlTransport()
        _ = try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
        let lines = await server.stop().requests.first?.lowercased().split(separator: "\r\n") ?? []
        let line = lines.first { $0.hasPrefix("accept-encoding: ") }?.dropFirst("accept-encoding: ".count) ?? ""
        return Set(line.split(separator: ",").map { String($0.filter { $0 != " " }) })
    }

    @Test("What is announced is unpacked, gzip and deflate are always", arguments: ["deflate", "br", "zstd"])
    func unpacks(coding: String) async throws {
        let accepted = try await Self.accepted()
        #expect(accepted.isSuperset(of: ["gzip", "deflate"]))
        let body = try #require(Self.packed[coding])
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
        let server = try ScriptServer([.readRequest, .send(head), .sendBytes(body)])
        let request = HTTPRequest(url: server.url())
        let transport = CurlTransport()
        if accepted.contains(coding) {
            #expect(text(try await transport.send(request, deadline: soon)) == "hello hello hello")
        } else {
            let error = await failure { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
            #expect(error?.code == .invalidResponse, "what nobody asked for is refused")
        }
    }

    @Test("A body that is not what its coding says is refused", arguments: ["deflate", "br", "zstd"])
    func mislabelled(coding: String) async throws {
        let server = try ScriptServer([
            .readRequest, .respond(fields: [("Content-Encoding", coding)], "no such coding"),
        ])
        let error = await failure { () async throws(TransportError) in
            try await CurlTransport().send(HTTPRequest(url: server.url()), deadline: soon)
        }
        #expect(error?.code == .invalidResponse)
        #expect(error?.mayHaveReachedServer == true)
    }
}
