// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The buffer between libcurl and the reader of a streamed response body: the value that makes back-pressure safe.
///
/// The loop thread offers pieces until the buffer is full, then libcurl pauses; the reader takes all there is and lets
/// libcurl go on. Each method returns what its caller must do after the lock is released.
struct DownstreamState<Waiter> {
    typealias Piece = Result<[UInt8]?, TransportError>

    /// What the loop thread does with a piece it offered.
    enum Offer {
        /// The piece was taken.
        case taken
        /// The piece was taken by a reader who waits; resume it.
        case resume(Waiter, Piece)
        /// The buffer is full: pause, the piece will be offered again.
        case pause
        /// The transfer is over for its reader: give it up.
        case refuse
    }

    /// What a reader does.
    enum Next {
        /// There is something; if the transfer was paused it must go on.
        case piece(Piece, wasPaused: Bool)
        /// Nothing yet; the waiter is kept.
        case wait
    }

    /// As much may be buffered before libcurl pauses, in bytes.
    static var highWater: Int { 256 * 1024 }

    private var buffered: [UInt8] = []
    private var waiter: Waiter?
    private var isPaused = false
    private var end: Piece?

    /// The loop thread has a piece.
    mutating func offer(_ bytes: [UInt8]) -> Offer {
        guard end == nil else { return .refuse }
        if let waiter {
            self.waiter = nil
            return .resume(waiter, .success(bytes))
        }
        guard buffered.count < Self.highWater else {
            isPaused = true
            return .pause
        }
        if buffered.isEmpty { buffered = bytes } else { buffered += bytes }
        return .taken
    }

    /// The reader wants the next piece.
    mutating func next(_ waiter: Waiter) -> Next {
        if !buffered.isEmpty {
            defer {
                buffered = []
                isPaused = false
            }
            return .piece(.success(buffered), wasPaused: isPaused && end == nil)
        }
        if let end { return .piece(end, wasPaused: false) }
        self.waiter = waiter
        return .wait
    }

    /// The transfer has ended; what is buffered of a complete body can still be read.
    mutating func finish(_ error: TransportError?) -> (Waiter, Piece)? {
        guard end == nil else { return nil }
        let end: Piece = error.map { .failure($0) } ?? .success(nil)
        self.end = end
        if error != nil { buffered = [] }
        defer { waiter = nil }
        return waiter.map { ($0, end) }
    }
}
