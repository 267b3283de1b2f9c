// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension TransportConformance {
    /// Legal answers, which must be read whole.
    static let answers: [Case] =
        legalAnswers.map { answer in
            Case("reads \(answer.name)") { transport in
                let server = try ScriptServer([.readRequest, .sendBytes(answer.wire)])
                let request = HTTPRequest(method: answer.method, url: server.url())
                let response = try await transport.send(request, deadline: soon)
                try require(
                    response.head.status == answer.status,
                    "status: expected \(answer.status), found \(response.head.status)")
                let body = String(decoding: response.body, as: UTF8.self)
                try require(body, is: answer.body, "body")
                if let (name, value) = answer.field {
                    let found = response.head.fields[name] ?? "nothing"
                    try require(found == value, "header \(name): expected \(value), found \(found)")
                }
                let count = await server.stop().requests.count
                try require(count, is: 1, "number of requests")
            }
        }

    /// An answer and how it must be read.
    private struct Answer: Sendable {
        let name: String
        let wire: [UInt8]
        let method: HTTPMethod
        let status: Int
        let body: String
        let field: (name: String, value: String)?

        init(
            _ name: String, _ wire: String, method: HTTPMethod = .get, status: Int = 200, body: String = "",
            field: (String, String)? = nil
        ) {
            self.init(name, Array(wire.utf8), method: method, status: status, body: body, field: field)
        }

        init(
            _ name: String, _ wire: [UInt8], method: HTTPMethod = .get, status: Int = 200, body: String = "",
            field: (String, String)? = nil
        ) {
            self.name = name
            self.wire = wire
            self.method = method
            self.status = status
            self.body = body
            self.field = field.map { (name: $0.0, value: $0.1) }
        }
    }

    private static let legalAnswers = framing + bodyless + challenges

    private static let framing = [
        Answer(
            "chunks with extensions and trailers",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nX-Trailer: 1\r\nY: 2\r\n\r\n",
            body: "hello", field: ("X-Trailer", "nothing")),
        Answer("an empty chunked body", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Answer(
            "an equal Content-Length twice", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
            body: "ok"),
        Answer("a status line without a reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        Answer("header lines that end with a bare line feed", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", body: "ok"),
        Answer("a body that ends with the connection", "HTTP/1.0 200 OK\r\n\r\nto the end", body: "to the end"),
        Answer(
            "interim answers before the final one",
            "HTTP/1.1 100 Continue\r\n\r\n"
                + "HTTP/1.1 103 Hints\r\nX: interim\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
            body: "ok", field: ("X", "nothing")),
        Answer(
            "bytes outside UTF-8 in a field",
            Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: caf".utf8) + [0xE9] + Array("\r\n\r\n".utf8),
            field: ("X", "café")),
        Answer(
            "a gzip body",
            Array(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(GzipSamples.hello.count)\r\n\r\n".utf8)
                + GzipSamples.hello, body: "hello hello hello"),
    ]

    private static let bodyless = [
        Answer("204 without a body", "HTTP/1.1 204 No Content\r\n\r\n", status: 204),
        Answer("304 with a length and no body", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", status: 304),
        Answer(
            "an answer to HEAD with a huge length", "HTTP/1.1 200 OK\r\nContent-Length: 9000000000000\r\n\r\n",
            method: .head, field: ("Content-Length", "9000000000000")),
        Answer(
            "204 with a body", "HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nbody", status: 204,
            field: ("Content-Length", "4")),
        Answer("304 with a body", "HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\nbody", status: 304),
        Answer("an answer to HEAD with a body", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", method: .head),
    ]

    private static let challenges =
        [
            "Basic realm=\"r\"", "Bearer", "Token", "Digest realm=\"r\", nonce=\"n\"", "Negotiate", "NTLM", "",
        ].map { scheme in
            Answer(
                "401 with the challenge '\(scheme)'",
                "HTTP/1.1 401 No\r\n"
                    + "\(scheme.isEmpty ? "" : "WWW-Authenticate: \(scheme)\r\n")Content-Length: 2\r\n\r\nno",
                status: 401, body: "no")
        }
        + [
            Answer(
                "407 of a server that takes itself for a proxy",
                "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"r\"\r\nContent-Length: 2\r\n\r\nno", status: 407,
                body: "no"),
            Answer(
                "an error of the server", "HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\noops", status: 500,
                body: "oops"),
        ]
        + [301, 302, 303, 307, 308].map { status in
            Answer(
                "redirect \(status) without following it",
                "HTTP/1.1 \(status) Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n", status: status,
                field: ("Location", "/elsewhere"))
        }
}

/// Packed bodies.
enum GzipSamples {
    /// The text "hello hello hello".
    static let hello: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40,
        0x90, 0x00, 0x80, 0x88, 0xf9, 0xe5, 0x11, 0x00, 0x00, 0x00,
    ]

    /// Zeros, 512 MiB of them in half a megabyte.
    static var bomb: [UInt8] {
        let mebibyte: [UInt8] =
            [236, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 8, 95, 160] + [UInt8](repeating: 0, count: 1016)
            + [62, 3, 0, 0, 255, 255]
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255] + (0..<512).flatMap { _ in mebibyte }
    }
}
