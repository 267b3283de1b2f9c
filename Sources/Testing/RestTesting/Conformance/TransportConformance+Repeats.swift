// SPDX-License-Identifier: Apache-2.0

import RestText
import RestTransport
import Synchronization

extension TransportConformance {
    /// Request bodies that are sent again.
    static let repeats: [Case] = [
        Case("makes a restartable body anew for each attempt, with a length and without") { transport in
            for length in [30_000, nil] as [Int64?] {
                let server = try ScriptServer([.readRequest, .respond("ok"), .readRequest, .respond("ok")])
                let made = Mutex(0)
                let source = HTTPBody.Source.restartable(length: length) {
                    made.withLock { $0 += 1 }
                    let left = Mutex([10_000, 1, 19_999][...])
                    return { left.withLock { $0.popFirst() }.map { Array(repeating: UInt8(ascii: "x"), count: $0) } }
                }
                let request = HTTPRequest(method: .put, url: server.url(), body: .stream(source))
                for _ in 1...2 { _ = try await transport.send(request, deadline: soon) }
                let count = made.withLock { $0 }
                try require(count == 2, "times that the body was made: expected 2, found \(count)")
                // The sizes of chunks have no such letter, and a header may.
                let counts = await server.stop().requests.map { request in
                    let head = request.firstRange(bytes: "\r\n\r\n")?.upperBound ?? request.startIndex
                    return request[head...].utf8.count { $0 == UInt8(ascii: "x") }
                }
                try require(counts == [30_000, 30_000], "bytes of the attempts: expected 30000 twice, found \(counts)")
            }
        },
        Case("fails when a restartable body is of another length the second time") { transport in
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let made = Mutex(0)
            let source = HTTPBody.Source.restartable(length: 10) {
                let count = made.withLock { made in
                    made += 1
                    return made == 1 ? 10 : 9
                }
                let left = Mutex([count][...])
                return { left.withLock { $0.popFirst() }.map { Array(repeating: 0x61, count: $0) } }
            }
            let request = HTTPRequest(method: .put, url: server.url(), body: .stream(source))
            _ = try await transport.send(request, deadline: soon)
            try await expectFailure([.bodyChanged], reached: nil) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
            try require(await server.stop().requests.count == 1, "the second body was taken for a whole one")
        },
        Case("sends nothing when the maker of a body says why it cannot be made") { transport in
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let source = HTTPBody.Source.restartable {
                throw TransportError(.file, "the tape is gone", mayHaveReachedServer: false)
            }
            let request = HTTPRequest(method: .put, url: server.url(), body: .stream(source))
            try await expectFailure([.file], reached: false) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
            try require(await server.stop().requests.isEmpty, "the server saw a request")
        },
        Case("sends nothing when a file is not what it was at the first attempt") { transport in
            let folder = try TemporaryFolder()
            try folder.write("as it was", to: "up")
            let server = try ScriptServer([.readRequest, .respond("ok"), .readRequest, .respond("ok")])
            let body = HTTPBody.file(path: folder.path("up")).forOneCall
            let request = HTTPRequest(method: .put, url: server.url(), body: body)
            for _ in 1...2 { _ = try await transport.send(request, deadline: soon) }
            try folder.write("as it is now", to: "up")
            try await expectFailure([.bodyChanged], reached: false) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
            let bodies = await server.stop().requests.map { request in
                request.firstRange(bytes: "\r\n\r\n").map { String(request[$0.upperBound...]) } ?? ""
            }
            try require(
                bodies == ["as it was", "as it was"], "bodies: expected \(["as it was", "as it was"]), found \(bodies)")
        },
    ]
}
