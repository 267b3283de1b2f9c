// SPDX-License-Identifier: Apache-2.0

package import RestTransport

/// The state that the user of a stream and the loop of its connection share, as a value.
///
/// Each transition returns the waiters that its caller must resume after it has released the lock. A resumed waiter
/// looks at the state again.
package struct StreamState<Waiter> {
    package enum Look<Value> {
        case ready(Value)
        case failed(HTTP2Error)
        case wait
    }

    private var head: HTTP2Response?
    private var bytes: [UInt8] = []
    package private(set) var trailers: HTTPFields?
    private var hasPeerEnded = false
    package private(set) var error: HTTP2Error?
    /// The number of bytes that were passed to the loop and not written yet.
    private var queuedBytes = 0
    /// Whether this side has finished sending.
    package private(set) var hasFinished = false
    /// The number of bytes that the reader took since its last report to the loop.
    private var takenBytes = 0
    private var reader: Waiter?
    private var writer: Waiter?

    /// The number of queued bytes at which a writer must wait.
    package static var highWater: Int { 256 * 1024 }

    package init() {}

    // MARK: - The loop

    package mutating func receive(head: HTTP2Response) -> Waiter? {
        self.head = head
        return reader.take()
    }

    package mutating func receive(_ more: [UInt8]) -> Waiter? {
        guard error == nil else { return nil }
        if bytes.isEmpty { bytes = more } else { bytes += more }
        return reader.take()
    }

    package mutating func receive(trailers: HTTPFields) {
        self.trailers = trailers
    }

    package mutating func endPeer() -> Waiter? {
        hasPeerEnded = true
        return reader.take()
    }

    package mutating func sent(_ count: Int) -> Waiter? {
        queuedBytes -= count
        return queuedBytes < Self.highWater ? writer.take() : nil
    }

    /// Ends the stream, unless it has already failed.
    ///
    /// Bytes that arrived before an error of the connection can still be read. A stream that this side cancels has
    /// nothing to read.
    package mutating func fail(_ error: HTTP2Error) -> [Waiter] {
        guard self.error == nil else { return [] }
        self.error = error
        if error.code == .cancelled || error.code == .timedOut { (bytes, hasPeerEnded) = ([], false) }
        return [reader.take(), writer.take()].compactMap(\.self)
    }

    /// Whether both sides have finished, or the stream has failed.
    package var isOver: Bool { error != nil || hasPeerEnded && hasFinished }

    // MARK: - The user

    package func lookAtHead() -> Look<HTTP2Response> {
        if let head { return .ready(head) }
        if let error { return .failed(error) }
        return hasPeerEnded
            ? .failed(HTTP2Error(.protocolViolation, "the stream ended without a response head")) : .wait
    }

    /// Takes the bytes, or `nil` at the end.
    package mutating func take() -> Look<[UInt8]?> {
        guard bytes.isEmpty else {
            takenBytes += bytes.count
            defer { bytes = [] }
            return .ready(bytes)
        }
        if hasPeerEnded { return .ready(nil) }
        return error.map { .failed($0) } ?? .wait
    }

    /// Returns the number of bytes by which the loop must extend the stream's window, or 0 while it is too small for a
    /// frame.
    package mutating func takeCredit(window: Int) -> Int {
        guard takenBytes >= window / 2, !hasPeerEnded, error == nil else { return 0 }
        defer { takenBytes = 0 }
        return takenBytes
    }

    /// Reserves room for bytes to send, unless too many are queued.
    package mutating func reserve(_ count: Int, isEnd: Bool) -> Look<Void> {
        if let error = sendingError { return .failed(error) }
        guard queuedBytes == 0 || queuedBytes + count <= Self.highWater else { return .wait }
        queuedBytes += count
        hasFinished = isEnd
        return .ready(())
    }

    /// Finishes sending with a last message that needs no room, or returns the error of a stream that cannot send.
    package mutating func finish() -> HTTP2Error? {
        if let error = sendingError { return error }
        hasFinished = true
        return nil
    }

    private var sendingError: HTTP2Error? {
        error ?? (hasFinished ? HTTP2Error(.invalidUse, "the stream has already finished sending") : nil)
    }

    /// Adds the waiting reader or writer, or returns `false` if another task already waits.
    package mutating func wait(_ waiter: Waiter, isReader: Bool) -> Bool {
        guard isReader ? reader == nil : writer == nil else { return false }
        if isReader { reader = waiter } else { writer = waiter }
        return true
    }
}
