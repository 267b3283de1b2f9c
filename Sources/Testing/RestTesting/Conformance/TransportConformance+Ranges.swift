// SPDX-License-Identifier: Apache-2.0

import RestText
import RestTransport
import Synchronization

extension TransportConformance {
    /// Downloads of a part, and downloads that go on where they broke off.
    static let ranges: [Case] = [
        Case("asks for a part of a file and takes exactly that") { transport in
            let folder = try TemporaryFolder()
            let server = try ScriptServer([.readRequest, .send(part(2, "cde", of: 10))])
            let target = HTTPResponse.Download(path: folder.path("down"), range: .bytes(2..<5))
            let response = try await download(from: server, to: target, on: transport)
            try require(response.head.status, is: 206, "status")
            try require(folder.text(of: "down") ?? "no file", is: "cde", "text of the file")
            let request = await server.stop().requests.first ?? ""
            try require(request.lowercased().hasBytes("range: bytes=2-4\r\n"), "sent: \(request)")
            try require(request.lowercased().hasBytes("accept-encoding: identity\r\n"), "sent: \(request)")
        },
        Case("cuts the part out of a whole file") { transport in
            let folder = try TemporaryFolder()
            let server = try ScriptServer([.readRequest, .respond("abcdefghij")])
            let target = HTTPResponse.Download(path: folder.path("down"), range: .bytes(2..<5))
            _ = try await download(from: server, to: target, on: transport)
            try require(folder.text(of: "down") ?? "no file", is: "cde", "text of the file")
        },
        Case("goes on where a download broke off, and tells its progress in whole amounts") { transport in
            let folder = try TemporaryFolder()
            let server = try ScriptServer(connections: [
                [.readRequest, .send(whole("abcdef", of: 10))], [.readRequest, .send(part(6, "ghij", of: 10))],
            ])
            let target = HTTPResponse.Download(path: folder.path("down"))
            try await expectBreak(of: server, target, on: transport)
            try require(folder.text(of: "down") == nil, "half a file has its name")
            let last = Mutex(TransferProgress())
            _ = try await download(from: server, to: target, on: transport) { step in last.withLock { $0 = step } }
            try require(folder.text(of: "down") ?? "no file", is: "abcdefghij", "text of the file")
            let told = last.withLock { $0 }
            try require(told.received == 10 && told.receivedTotal == 10, "told: \(told)")
            let request = await server.stop().requests.last ?? ""
            let fields = request.lowercased()
            try require(fields.hasBytes("range: bytes=6-9\r\n"), "sent: \(request)")
            try require(fields.hasBytes("if-range: \"a\"\r\n"), "sent: \(request)")
        },
        Case("starts over when the file is another one by then") { transport in
            let folder = try TemporaryFolder()
            let server = try ScriptServer(connections: [
                [.readRequest, .send(whole("abcdef", of: 10))], [.readRequest, .respond("something else")],
            ])
            let target = HTTPResponse.Download(path: folder.path("down"))
            try await expectBreak(of: server, target, on: transport)
            _ = try await download(from: server, to: target, on: transport)
            try require(folder.text(of: "down") == "something else", "the file is mixed")
        },
        Case("starts over when the tag is weak") { transport in
            let folder = try TemporaryFolder()
            let server = try ScriptServer(connections: [
                [.readRequest, .send(whole("abcdef", of: 10, tag: "W/\"a\""))], [.readRequest, .respond("abcdefghij")],
            ])
            let target = HTTPResponse.Download(path: folder.path("down"))
            try await expectBreak(of: server, target, on: transport)
            _ = try await download(from: server, to: target, on: transport)
            try require(folder.text(of: "down") ?? "no file", is: "abcdefghij", "text of the file")
            let request = await server.stop().requests.last ?? ""
            try require(!request.hasBytes("Range:"), "sent: \(request)")
        },
        Case("refuses a rest that is not the one it asked for") { transport in
            for content in ["5-8/10", "7-9/10", "6-9/11", "6-9/*", "-6-9/10", "6-99999999999999999999/10", "6-9"] {
                let folder = try TemporaryFolder()
                let answer =
                    "HTTP/1.1 206 X\r\nETag: \"a\"\r\nContent-Range: bytes \(content)\r\nContent-Length: 4\r\n\r\n"
                let server = try ScriptServer(connections: [
                    [.readRequest, .send(whole("abcdef", of: 10))], [.readRequest, .send(answer + "ghij")],
                ])
                let target = HTTPResponse.Download(path: folder.path("down"))
                try await expectBreak(of: server, target, on: transport)
                try await expectFailure([.invalidResponse], reached: true) { () async throws(TransportError) in
                    try await download(from: server, to: target, on: transport)
                }
                target.discard()
                try require(folder.names.isEmpty, "left: \(folder.names)")
            }
        },
        Case("keeps what it has when the server is busy in between") { transport in
            let folder = try TemporaryFolder()
            let server = try ScriptServer(connections: [
                [.readRequest, .send(whole("abcdef", of: 10))],
                // It says that it closes: a request on a connection that is about to close may be lost.
                [.readRequest, .respond(status: 503, fields: [("Connection", "close")], "busy")],
                [.readRequest, .send(part(6, "ghij", of: 10))],
            ])
            let target = HTTPResponse.Download(path: folder.path("down"))
            try await expectBreak(of: server, target, on: transport)
            let busy = try await download(from: server, to: target, on: transport)
            try require(busy.body == Array("busy".utf8), "the answer has another body")
            _ = try await download(from: server, to: target, on: transport)
            try require(folder.text(of: "down") ?? "no file", is: "abcdefghij", "text of the file")
        },
        Case("gives the answer to a range beyond the end, and touches no file") { transport in
            let folder = try TemporaryFolder()
            let server = try ScriptServer([
                .readRequest, .respond(status: 416, fields: [("Content-Range", "bytes */10")], "too far"),
            ])
            let target = HTTPResponse.Download(path: folder.path("down"), range: .from(100))
            let response = try await download(from: server, to: target, on: transport)
            try require(response.head.status, is: 416, "status")
            try require(folder.names.isEmpty, "left: \(folder.names)")
        },
    ]

    private static func whole(_ text: String, of length: Int, tag: String = "\"a\"") -> String {
        ok("ETag: \(tag)\r\nContent-Length: \(length)") + text
    }

    private static func part(_ start: Int, _ text: String, of length: Int) -> String {
        let count = text.utf8.count
        return "HTTP/1.1 206 X\r\nETag: \"a\"\r\nContent-Range: bytes \(start)-\(start + count - 1)/\(length)\r\n"
            + "Content-Length: \(count)\r\n\r\n\(text)"
    }

    private static func download(
        from server: ScriptServer, to target: HTTPResponse.Download, on transport: any HTTPTransport,
        progress: TransferProgress.Handler? = nil
    ) async throws(TransportError) -> HTTPResponse {
        try await transport.download(HTTPRequest(url: server.url()), to: target, deadline: soon, progress: progress)
    }

    private static func expectBreak(
        of server: ScriptServer, _ target: HTTPResponse.Download, on transport: any HTTPTransport
    ) async throws {
        try await expectFailure([.connectionLost], reached: true) { () async throws(TransportError) in
            try await download(from: server, to: target, on: transport)
        }
    }
}
