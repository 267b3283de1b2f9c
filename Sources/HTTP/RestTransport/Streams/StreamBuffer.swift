// SPDX-License-Identifier: Apache-2.0

/// The buffer between a transport and the readers of a streamed response body: the value that makes back-pressure safe.
///
/// The transport offers pieces until the buffer is full; what then happens is its way of overflowing. Whoever reads
/// takes all there is, or waits in line. Each method returns what its caller must do.
package struct StreamBuffer<Waiter> {
    /// What a reader gets: a piece, `nil` at the end, or why the body broke off.
    package typealias Piece = Result<[UInt8]?, TransportError>

    /// What happens to a body that arrives faster than it is read.
    package enum Overflow: Sendable {
        /// The piece that does not fit is not taken and will be offered again: the transport pauses.
        case refuse
        /// The piece is taken and the transport suspended until the buffer was read.
        case suspend
        /// What does not fit goes to a file, for a transport that cannot pause.
        case spool
    }

    /// What the transport does with a piece it offered.
    package enum Offer {
        /// It was taken.
        case taken
        /// The buffer is full: pause; the piece was taken if the transport suspends, else it will be offered again.
        case pause
        /// It goes to the reader who waited longest; resume it.
        case resume(Waiter, Piece)
        /// It goes to the end of the file.
        case spool
        /// Nobody reads any more.
        case refuse
    }

    /// What a reader does.
    package enum Next {
        /// There is something; if the transport had paused it must go on.
        case piece(Piece, wasPaused: Bool)
        /// So many bytes come next from the file.
        case unspool(Int)
        /// Nothing yet; the waiter is kept.
        case wait
    }

    /// As much is buffered in memory, in bytes.
    package static var highWater: Int { 256 * 1024 }

    private let overflow: Overflow
    private var buffered: [UInt8] = []
    /// Bytes in the file that were not read; newer than everything in memory.
    private var spooled = 0
    private var isPaused = false
    /// The readers who wait for a piece, in the order they came; there are none while there is something to read.
    private var waiters: [Waiter] = []
    private var end: Piece?

    /// Makes an empty buffer.
    package init(overflow: Overflow) {
        self.overflow = overflow
    }

    /// The transport has a piece.
    package mutating func offer(_ bytes: [UInt8]) -> Offer {
        guard end == nil else { return .refuse }
        guard waiters.isEmpty else { return .resume(waiters.removeFirst(), .success(bytes)) }
        let isFull = buffered.count >= Self.highWater
        switch overflow {
        case .refuse where isFull:
            isPaused = true
            return .pause
        case .spool where isFull || spooled > 0:
            spooled += bytes.count
            return .spool
        case .refuse, .spool, .suspend:
            // A transport that was suspended may still deliver what it has.
            if buffered.isEmpty { buffered = bytes } else { buffered += bytes }
            guard overflow == .suspend, !isPaused, buffered.count >= Self.highWater else { return .taken }
            isPaused = true
            return .pause
        }
    }

    /// A reader wants the next piece.
    package mutating func next(_ waiter: Waiter) -> Next {
        if !buffered.isEmpty {
            defer {
                buffered = []
                isPaused = false
            }
            return .piece(.success(buffered), wasPaused: isPaused && end == nil)
        }
        if spooled > 0 {
            let count = min(spooled, Self.highWater)
            spooled -= count
            return .unspool(count)
        }
        if let end { return .piece(end, wasPaused: false) }
        waiters.append(waiter)
        return .wait
    }

    /// The body has ended; what came before can still be read, also where it broke off.
    ///
    /// - Returns: the readers to resume, with what they get.
    package mutating func finish(_ error: TransportError?) -> (waiters: [Waiter], piece: Piece)? {
        guard end == nil else { return nil }
        let end: Piece = error.map { .failure($0) } ?? .success(nil)
        self.end = end
        defer { waiters = [] }
        return (waiters, end)
    }

    /// The file cannot be used: the body ends here.
    package mutating func breakOff(_ error: TransportError) {
        end = .failure(error)
        buffered = []
        spooled = 0
    }
}
