// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// The body of a streamed answer, which its reader takes piece by piece, and which ends with its call: by the reader's
/// task, the deadline or the client.
final class StreamedBody: Sendable {
    private typealias Piece = Result<[UInt8]?, TransportError>

    private struct Core {
        /// Let go of when the body is over, which closes the connection.
        var body: HTTPBody.Stream?
        /// The part of the resource that the reader gets; `nil` gives all that comes.
        var part: DownloadState?
        /// Waits for a piece, while the reader does.
        var reading: Task<Piece, Never>?
        /// Why the body ended early.
        var failure: RestError?
    }

    private let core: Mutex<Core>
    private let calls: CallRegistry
    private let isWrite: Bool
    private let summary: RestRequest.Summary

    /// Makes the body of an answer of status 2xx.
    init(
        _ body: HTTPBody.Stream, of request: RestRequest, _ summary: RestRequest.Summary, in calls: CallRegistry,
        _ part: DownloadState? = nil
    ) {
        core = Mutex(Core(body: body, part: part))
        self.calls = calls
        isWrite = request.isWrite
        self.summary = summary
    }

    deinit { calls.end(ObjectIdentifier(self)) }

    /// The next piece, never empty; `nil` at the end of a complete body.
    func next() async throws(RestError) -> [UInt8]? {
        while let piece = try await nextPiece() {
            let taken = try taken(of: piece)
            if taken.count == piece.count { return piece }
            if !taken.isEmpty { return Array(piece[taken]) }
            if core.withLock({ $0.part?.isFull ?? false }) {
                finish(nil)
                return nil
            }
        }
        return nil
    }

    /// Which bytes of a piece belong to the part that is wanted.
    private func taken(of piece: [UInt8]) throws(RestError) -> Range<Int> {
        try judged { (part) throws(TransportError) in try part?.take(piece.count) ?? 0..<piece.count }
    }

    /// Asks the part, whose objection ends the body.
    private func judged<Value: Sendable>(
        _ ask: (inout DownloadState?) throws(TransportError) -> Value
    ) throws(RestError) -> Value {
        let judged = core.withLock { core -> Result<Value, TransportError> in
            do throws(TransportError) { return .success(try ask(&core.part)) } catch { return .failure(error) }
        }
        switch judged {
        case .success(let value): return value
        case .failure(let error):
            let failure = about(RestError(error, isWrite: false))
            throw finish(failure) ?? failure
        }
    }

    private func nextPiece() async throws(RestError) -> [UInt8]? {
        guard let reading = try begin() else { return nil }
        let piece = await withTaskCancellationHandler {
            await reading.value
        } onCancel: {
            reading.cancel()
        }
        switch piece {
        case .success(let bytes?): return bytes
        case .success(nil):
            try judged { (part) throws(TransportError) in try part?.finish() }
            finish(nil)
            return nil
        case .failure(let error):
            let failure = about(RestError(error, isWrite: false))
            throw finish(failure) ?? failure
        }
    }

    /// Ends the body from outside: its reader hears of it now, or when it asks for the next piece.
    func end(_ ending: CallEnding) {
        let reading = core.withLock { $0.reading }
        finish(about(RestError(ending, outcome: nil)))
        reading?.cancel()
    }

    /// Begins to wait for a piece, in a task that whoever ends the body can cancel; `nil` after the end.
    private func begin() throws(RestError) -> Task<Piece, Never>? {
        let (reading, failure) = core.withLock { core -> (Task<Piece, Never>?, RestError?) in
            guard let body = core.body else { return (nil, core.failure) }
            let reading = Task(name: "stream") { () -> Piece in
                var iterator = body.makeAsyncIterator()
                do throws(TransportError) { return .success(try await iterator.next()) } catch {
                    return .failure(error)
                }
            }
            core.reading = reading
            return (reading, nil)
        }
        if let failure { throw failure }
        return reading
    }

    /// The body is over; the first who says so decides how.
    ///
    /// - Returns: the failure that stands.
    @discardableResult
    private func finish(_ failure: RestError?) -> RestError? {
        let (body, failure) = core.withLock { core -> (HTTPBody.Stream?, RestError?) in
            if core.body != nil { core.failure = failure }
            defer { (core.body, core.reading) = (nil, nil) }
            return (core.body, core.failure)
        }
        if body != nil { calls.end(ObjectIdentifier(self)) }
        return failure
    }

    /// The server has applied a write whose answer says so, whatever becomes of the body.
    private func about(_ error: RestError) -> RestError {
        error.about(summary).joining(isWrite ? .applied : nil)
    }
}
