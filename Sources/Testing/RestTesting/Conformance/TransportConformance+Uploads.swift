// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

extension TransportConformance {
    /// Request bodies that are made while they are sent.
    static let uploads: [Case] = [
        Case("never lets a streamed body be longer or shorter than announced") { transport in
            for (length, pieces) in [(5, [10]), (5, [5, 5]), (5, [4, 2]), (10, [5]), (10, [])] as [(Int64, [Int])] {
                let server = try ScriptServer([.readRequest, .respond("ok")])
                let body = HTTPBody.stream(source(of: pieces, length: length))
                let request = HTTPRequest(method: .post, url: server.url(), body: body)
                try await expectFailure([.invalidRequest], reached: nil) { () async throws(TransportError) in
                    try await transport.send(request, deadline: soon)
                }
                try require(await server.stop().requests.isEmpty, "\(pieces) was taken for a body of \(length) bytes")
            }
        },
        Case("ends at its deadline although the maker of the body never returns") { transport in
            let gate = Gate()
            try await withBlockedUpload(behind: gate) { request in
                try await expectFailure([.timedOut], reached: nil) { () async throws(TransportError) in
                    try await transport.send(request, deadline: .now + .milliseconds(100))
                }
            }
        },
        Case("ends when it is cancelled although the maker of the body never returns") { transport in
            let gate = Gate()
            try await withBlockedUpload(behind: gate) { request in
                let task = Task {
                    try await expectFailure([.cancelled], reached: nil) { () async throws(TransportError) in
                        try await transport.send(request, deadline: soon)
                    }
                }
                await gate.waitForVisitor()
                task.cancel()
                try await task.value
            }
        },
        Case("shuts down although the maker of a body never returns") { transport in
            let gate = Gate()
            try await withBlockedUpload(behind: gate) { request in
                let task = Task {
                    try await expectFailure([.shutDown], reached: nil) { () async throws(TransportError) in
                        try await transport.send(request, deadline: soon)
                    }
                }
                await gate.waitForVisitor()
                await transport.shutdown()
                try await task.value
            }
        },
    ]

    /// A body of pieces of these sizes.
    static func source(of pieces: [Int], length: Int64?) -> HTTPBody.Source {
        let left = Mutex(pieces[...])
        return HTTPBody.Source.once(length: length) {
            left.withLock { $0.popFirst() }.map { Array(repeating: 0x61, count: $0) }
        }
    }

    /// Gives a request whose body is not made before the gate opens, which it does at the end.
    private static func withBlockedUpload(
        behind gate: Gate, _ body: (HTTPRequest) async throws -> Void
    ) async throws {
        let server = try ScriptServer([.readRequest, .readToEnd])
        let source = HTTPBody.Source.once {
            await gate.pass()
            return nil
        }
        defer { gate.open() }
        try await body(HTTPRequest(method: .post, url: server.url(), body: .stream(source)))
    }
}
