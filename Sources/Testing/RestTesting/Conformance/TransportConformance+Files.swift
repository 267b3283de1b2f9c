// SPDX-License-Identifier: Apache-2.0

import RestText
import RestTransport
import Synchronization

extension TransportConformance {
    /// Bodies that come from files and streams and go to files, and how far they have come.
    static let transfers: [Case] = sources + downloads

    private static let text = String(repeating: "0123456789", count: 30_000)

    private static let sources = [
        Case("sends a streamed body whole, with its length") { transport in
            try await checkStreamedBody(length: 2_000_000, on: transport)
        },
        Case("sends a streamed body whole, without a length") { transport in
            try await checkStreamedBody(length: nil, on: transport)
        },
        Case("fails when a streamed body fails to be made") { transport in
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let source = HTTPBody.Source.once { throw Violation("the body cannot be made") }
            let request = HTTPRequest(method: .post, url: server.url(), body: .stream(source))
            let failure = try await failure([.bodySource], reached: nil) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
            try require(failure.underlying is Violation, "the error of the body's source is lost")
            try require(await server.stop().requests.isEmpty, "the server saw a whole request")
        },
        Case("lets go of the maker of a body when it is cancelled") { transport in
            let server = try ScriptServer([.readHeader, .readToEnd])
            let begun = Watched(false)
            let source = HTTPBody.Source.once {
                begun.update { $0 = true }
                return Array(repeating: 0x61, count: 10_000)
            }
            let request = HTTPRequest(method: .post, url: server.url(), body: .stream(source))
            let task = Task {
                try await expectFailure([.cancelled], reached: nil) { () async throws(TransportError) in
                    try await transport.send(request, deadline: soon)
                }
            }
            _ = await begun.wait { $0 }
            task.cancel()
            try await task.value
        },
        Case("sends a file as it is") { transport in
            let folder = try TemporaryFolder()
            try folder.write(text, to: "up")
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let request = HTTPRequest(method: .put, url: server.url(), body: .file(path: folder.path("up")))
            let reports = Watched<[TransferProgress]>([])
            _ = try await transport.send(request, deadline: soon) { report in reports.update { $0.append(report) } }
            let sent = await server.stop().requests.first ?? ""
            try require(sent.hasBytes(suffix: "\r\n\r\n" + text), "\(sent.utf8.count) bytes came")
            try require(sent.hasBytes("Content-Length: 300000\r\n"), "sent: \(sent.prefix(300))")
            let whole = TransferProgress(sent: 300_000, sentTotal: 300_000, received: 2, receivedTotal: 2)
            try requireProgress(reports.value, endingWith: whole)
        },
        Case("sends nothing when the file to send is missing") { transport in
            let folder = try TemporaryFolder()
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let request = HTTPRequest(method: .put, url: server.url(), body: .file(path: folder.path("none")))
            try await expectFailure([.file], reached: false) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
            try require(await server.stop().requests.isEmpty, "the server saw a request")
        },
    ]

    private static let downloads = [
        Case("puts a download in the place of the old file, and tells how far it is") { transport in
            let folder = try TemporaryFolder()
            try folder.write("old", to: "down")
            let server = try ScriptServer([.readRequest, .respond(text)])
            let reports = Watched<[TransferProgress]>([])
            let response = try await transport.download(
                HTTPRequest(url: server.url()), to: folder.path("down"), deadline: soon
            ) { report in reports.update { $0.append(report) } }
            try require(response.head.status == 200 && response.body.isEmpty, "the response has the body too")
            try requireFiles(["down": text], in: folder)
            let whole = TransferProgress(sentTotal: 0, received: 300_000, receivedTotal: 300_000)
            try requireProgress(reports.value, endingWith: whole)
        },
        Case("leaves the old file and nothing else when a download breaks off") { transport in
            let folder = try TemporaryFolder()
            try folder.write("old", to: "down")
            let server = try ScriptServer([.readRequest, .send(ok(length: 10) + "abc")])
            let request = HTTPRequest(url: server.url())
            try await expectFailure([.connectionLost], reached: true) { () async throws(TransportError) in
                try await transport.download(request, to: folder.path("down"), deadline: soon, progress: nil)
            }
            try requireFiles(["down": "old"], in: folder)
        },
        Case("gives the body of a refused download in the response and touches no file") { transport in
            let folder = try TemporaryFolder()
            let server = try ScriptServer([.readRequest, .respond(status: 404, "not here")])
            let response = try await transport.download(
                HTTPRequest(url: server.url()), to: folder.path("down"), deadline: soon, progress: nil)
            try require(response.head.status, is: 404, "status")
            try require(response.body == Array("not here".utf8), "\(response.body.count) bytes")
            try requireFiles([:], in: folder)
        },
        Case("fails when the folder of a download is missing") { transport in
            let folder = try TemporaryFolder()
            let server = try ScriptServer([.readRequest, .respond("x")])
            let request = HTTPRequest(url: server.url())
            try await expectFailure([.file], reached: true) { () async throws(TransportError) in
                try await transport.download(request, to: folder.path("missing/down"), deadline: soon, progress: nil)
            }
            try requireFiles([:], in: folder)
        },
    ]

    /// Sends two million bytes in forty pieces, once.
    private static func checkStreamedBody(length: Int64?, on transport: any HTTPTransport) async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let left = Mutex(40)
        let source = HTTPBody.Source.once(length: length) {
            left.withLock { left in
                left -= 1
                return left >= 0 ? Array(repeating: UInt8(ascii: "x"), count: 50_000) : nil
            }
        }
        let request = HTTPRequest(method: .post, url: server.url(), body: .stream(source))
        let reports = Watched<[TransferProgress]>([])
        _ = try await transport.send(request, deadline: soon) { report in reports.update { $0.append(report) } }
        try await expectFailure([.invalidRequest], reached: false) { () async throws(TransportError) in
            try await transport.send(request, deadline: soon)
        }
        let requests = await server.stop().requests
        try require(requests.count == 1, "requests that the server saw: expected 1, found \(requests.count)")
        let end = requests[0].firstRange(bytes: "\r\n\r\n")?.lowerBound ?? requests[0].endIndex
        let (head, body) = (requests[0][..<end], requests[0][end...])
        // The sizes of chunks have no such letter.
        let count = body.utf8.count { $0 == UInt8(ascii: "x") }
        try require(count == 2_000_000, "number of bytes: expected 2000000, found \(count)")
        let hasLength = head.hasBytes("Content-Length: 2000000")
        try require(hasLength || (length == nil && head.hasBytes("chunked")), "sent: \(head)")
        let last = TransferProgress(sent: 2_000_000, sentTotal: length, received: 2, receivedTotal: 2)
        try requireProgress(reports.value, endingWith: last)
    }

    /// Progress only grows, and the last report tells the whole.
    private static func requireProgress(
        _ reports: [TransferProgress], endingWith last: TransferProgress
    ) throws {
        let isGrowing = zip(reports, reports.dropFirst()).allSatisfy {
            $0.sent <= $1.sent && $0.received <= $1.received
        }
        try require(isGrowing, "progress went back: \(reports)")
        try require(reports.last == last, "the last report is \(reports.last.map { "\($0)" } ?? "missing")")
    }

    private static func requireFiles(_ files: [String: String], in folder: TemporaryFolder) throws {
        try require(folder.names == files.keys.sorted(), "files: \(folder.names)")
        for (name, content) in files { try require(folder.text(of: name) == content, "other content in \(name)") }
    }
}
