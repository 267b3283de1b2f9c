// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization
import Testing

@testable import Dropbox

@Suite("Bodies whose content hash is made while they are sent")
struct HashedBodyTests {
    private let pieces: [[UInt8]] = [Array("some ".utf8), Array("content".utf8)]

    private func given() -> HTTPBody.Source.Pieces {
        let left = Mutex(pieces[...])
        return { left.withLock { $0.popFirst() } }
    }

    /// Sends a body as a transport does.
    private func send(_ body: HTTPBody, upTo count: Int = .max) async throws -> [UInt8] {
        guard case .stream(let source) = body else { return body.inMemory ?? [] }
        let next = try source.begin()
        var sent: [UInt8] = []
        for _ in 0..<min(count, pieces.count + 1) {
            if let piece = try await next() { sent += piece }
        }
        return sent
    }

    @Test("A stream that is made anew is hashed anew, whatever came of the time before")
    func restartable() async throws {
        let body = try await HashedBody(.stream(.restartable(length: 12) { given() }))
        #expect(body.known == nil)
        _ = try await send(body.body, upTo: 1)
        let sent = try await send(body.body)
        #expect(sent == pieces.flatMap(\.self))
        #expect(body.sent == ContentHash(of: sent).text)
        #expect(body.body.isReplayable)
    }

    @Test("A stream that is made once stays so")
    func once() async throws {
        let body = try await HashedBody(.stream(.once(length: 12, pieces: given())))
        let sent = try await send(body.body)
        #expect(body.sent == ContentHash(of: sent).text)
        #expect(!body.body.isReplayable)
        await #expect(throws: TransportError.self) { try await send(body.body) }
    }

    @Test("Bytes and no bytes are hashed before")
    func bytes() async throws {
        #expect(try await HashedBody(.bytes([1])).known == ContentHash(of: [1]).text)
        #expect(try await HashedBody(.empty).sent == ContentHash().text)
    }
}
