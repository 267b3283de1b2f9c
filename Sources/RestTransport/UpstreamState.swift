// SPDX-License-Identifier: Apache-2.0

/// The buffer between the maker of a streamed request body and its sender.
///
/// The maker pushes pieces until the buffer is full and then waits; the sender reads until the buffer is empty and then
/// pauses. Each method returns what its caller must do after the lock is released.
struct UpstreamState<Waiter> {
    /// What the maker does after a push.
    enum Push {
        /// Go on; if the sender had paused it must be told.
        case taken(wasPaused: Bool)
        /// Wait until there is room; if the sender had paused it must be told.
        case wait(wasPaused: Bool)
        /// Stop: nobody reads any more.
        case refuse
    }

    /// What the sender gets.
    enum Read {
        /// These bytes; resume the maker if it waits.
        case bytes(ArraySlice<UInt8>, Waiter?)
        /// The end of the body.
        case end
        /// Nothing yet.
        case pause
        /// The maker failed.
        case abort
    }

    private enum End {
        case complete
        case failed
        case closed
    }

    /// As much may be buffered before the maker waits, in bytes.
    static var highWater: Int { 256 * 1024 }

    private var buffered: [UInt8] = []
    private var consumed = 0
    private var waiter: Waiter?
    private var isPaused = false
    private var end: End?

    /// Whether the maker gave up before the end of the body.
    var hasFailed: Bool { end == .failed }

    /// The maker has a piece.
    mutating func push(_ bytes: [UInt8], _ waiter: Waiter) -> Push {
        guard end == nil else { return .refuse }
        buffered += bytes
        defer { isPaused = false }
        guard buffered.count - consumed >= Self.highWater else { return .taken(wasPaused: isPaused) }
        self.waiter = waiter
        return .wait(wasPaused: isPaused)
    }

    /// The maker has nothing more; `true` when the sender had paused and must be told.
    mutating func finish(hasFailed: Bool) -> Bool {
        guard end == nil else { return false }
        end = hasFailed ? .failed : .complete
        defer { isPaused = false }
        return isPaused
    }

    /// The sender wants bytes.
    mutating func read(upTo limit: Int) -> Read {
        guard end != .failed else { return .abort }
        let count = min(limit, buffered.count - consumed)
        guard count > 0 else {
            isPaused = end == nil
            return end == nil ? .pause : .end
        }
        let bytes = buffered[consumed..<(consumed + count)]
        consumed += count
        if consumed == buffered.count {
            buffered = []
            consumed = 0
        }
        defer { waiter = nil }
        return .bytes(bytes, waiter)
    }

    /// The transfer is over; gives the maker to resume if it waits.
    mutating func close() -> Waiter? {
        if end == nil { end = .closed }
        buffered = []
        consumed = 0
        defer { waiter = nil }
        return waiter
    }
}
