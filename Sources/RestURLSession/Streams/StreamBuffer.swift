// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The buffer between URLSession and the reader of a streamed response body.
///
/// URLSession hands pieces over until the buffer is full; what then happens is the platform's way of overflowing. Each
/// method returns what its caller must do while it still holds the lock.
struct StreamBuffer<Waiter> {
    typealias Piece = Result<[UInt8]?, TransportError>

    /// What happens to a body that arrives faster than it is read.
    enum Overflow {
        /// The task is suspended until the buffer was read: the server has to wait.
        case suspend
        /// What does not fit goes to a file: a task that is suspended there starts its request anew when it goes on.
        case spool
    }

    /// What to do with a piece that was offered.
    enum Offer {
        /// It was taken.
        case taken
        /// It was taken, and the buffer is full: suspend the task.
        case suspend
        /// It goes to the reader who waits.
        case resume(Waiter, Piece)
        /// It goes to the end of the file.
        case spool
        /// Nobody reads any more.
        case refuse
    }

    /// What a reader does.
    enum Next {
        /// There is something; if the task was suspended it must go on.
        case piece(Piece, wasSuspended: Bool)
        /// So many bytes come next from the file.
        case unspool(Int)
        /// Nothing yet; the waiter is kept.
        case wait
    }

    /// As much is buffered in memory, in bytes.
    static var highWater: Int { 256 * 1024 }

    private let overflow: Overflow
    private var buffered: [UInt8] = []
    /// Bytes in the file that were not read; newer than everything in memory.
    private var spooled = 0
    private var isSuspended = false
    private var waiter: Waiter?
    private var end: Piece?

    init(overflow: Overflow) {
        self.overflow = overflow
    }

    /// URLSession has a piece.
    mutating func offer(_ bytes: [UInt8]) -> Offer {
        guard end == nil else { return .refuse }
        if let waiter {
            self.waiter = nil
            return .resume(waiter, .success(bytes))
        }
        let isFull = buffered.count >= Self.highWater
        if overflow == .spool, isFull || spooled > 0 {
            spooled += bytes.count
            return .spool
        }
        // A task that was told to stop may still deliver what it has.
        if buffered.isEmpty { buffered = bytes } else { buffered += bytes }
        guard overflow == .suspend, !isSuspended, buffered.count >= Self.highWater else { return .taken }
        isSuspended = true
        return .suspend
    }

    /// The reader wants the next piece.
    mutating func next(_ waiter: Waiter) -> Next {
        if !buffered.isEmpty {
            defer {
                buffered = []
                isSuspended = false
            }
            return .piece(.success(buffered), wasSuspended: isSuspended && end == nil)
        }
        if spooled > 0 {
            let count = min(spooled, Self.highWater)
            spooled -= count
            return .unspool(count)
        }
        if let end { return .piece(end, wasSuspended: false) }
        self.waiter = waiter
        return .wait
    }

    /// The body has ended; what is buffered of a complete one can still be read.
    mutating func finish(_ error: TransportError?) -> (Waiter, Piece)? {
        guard end == nil else { return nil }
        let end: Piece = error.map { .failure($0) } ?? .success(nil)
        self.end = end
        if error != nil {
            buffered = []
            spooled = 0
        }
        defer { waiter = nil }
        return waiter.map { ($0, end) }
    }

    /// The file cannot be used: the body ends here.
    mutating func breakOff(_ error: TransportError) {
        end = .failure(error)
        buffered = []
        spooled = 0
    }
}
