// SPDX-License-Identifier: Apache-2.0

/// The buffer between the maker of a streamed request body and its sender.
///
/// The maker pushes pieces until the buffer is full and waits until there is room again; the sender reads until the
/// buffer is empty and then pauses. Each method returns what its caller must do after the lock is released.
struct UpstreamState<Waiter> {
    /// What the maker does after a push.
    enum Push {
        /// Go on; if the sender had paused it must be told.
        case taken(wasPaused: Bool)
        /// Wait until there is room; if the sender had paused it must be told.
        case wait(wasPaused: Bool)
        /// Stop: nobody reads any more, or this is more than was announced; if the sender had paused it must be told.
        case refuse(wasPaused: Bool)
    }

    /// What the sender gets.
    enum Read {
        /// These bytes; resume the maker if it is given.
        case bytes(ArraySlice<UInt8>, Waiter?)
        /// The end of the body.
        case end
        /// Nothing yet.
        case pause
        /// The body will not be complete: it must not look as if it were.
        case abort
    }

    /// Why a body will not be complete.
    enum Failure: Equatable {
        /// The maker was cancelled.
        case notMade
        /// The maker threw an error.
        case thrown(TransportError)
        /// The maker gave more or less than was announced.
        case wrongLength
    }

    private enum End: Equatable {
        /// The maker has nothing more; the sender reads what is buffered.
        case complete
        /// The maker has stopped; the sender gives up at its next read.
        case failed(Failure)
        /// The transfer is over: the maker stops at its next push, and nothing is read any more.
        case closed
    }

    /// As much may be buffered before the maker waits, in bytes.
    static var highWater: Int { 256 * 1024 }

    /// What the sender reads; empty only when nothing is buffered.
    private var current: ArraySlice<UInt8> = []
    /// What was pushed while there was something to read.
    private var later: [UInt8] = []
    /// How many announced bytes the maker still owes; `nil` when no length was announced.
    private var owed: Int64?
    private var waiter: Waiter?
    private var isPaused = false
    private var end: End?

    /// Makes an empty buffer for a body that is as long as announced.
    init(length: Int64? = nil) {
        owed = length
    }

    /// Why the body will not be complete.
    var failure: Failure? {
        if case .failed(let failure)? = end { failure } else { nil }
    }

    /// The maker has a piece.
    mutating func push(_ bytes: [UInt8], _ waiter: Waiter) -> Push {
        guard end == nil else { return .refuse(wasPaused: false) }
        defer { isPaused = false }
        if let owed {
            guard bytes.count <= owed else {
                end = .failed(.wrongLength)
                return .refuse(wasPaused: isPaused)
            }
            self.owed = owed - Int64(bytes.count)
        }
        if current.isEmpty { current = bytes[...] } else { later += bytes }
        guard isFull else { return .taken(wasPaused: isPaused) }
        self.waiter = waiter
        return .wait(wasPaused: isPaused)
    }

    /// The maker has nothing more; `true` when the sender had paused and must be told.
    mutating func finish(_ failure: Failure?) -> Bool {
        guard end == nil else { return false }
        let isWhole = (owed ?? 0) == 0
        end = failure.map { .failed($0) } ?? (isWhole ? .complete : .failed(.wrongLength))
        defer { isPaused = false }
        return isPaused
    }

    /// The sender wants bytes.
    mutating func read(upTo limit: Int) -> Read {
        if failure != nil || end == .closed { return .abort }
        let count = min(limit, current.count, sendable)
        guard count > 0 else {
            isPaused = end == nil
            return end == nil ? .pause : .end
        }
        let bytes = current.prefix(count)
        current = current.dropFirst(count)
        if current.isEmpty {
            current = later[...]
            later = []
        }
        return .bytes(bytes, isFull ? nil : takeWaiter())
    }

    /// The transfer is over; gives the maker to resume if it waits.
    mutating func close() -> Waiter? {
        if failure == nil { end = .closed }
        current = []
        later = []
        return takeWaiter()
    }

    private var count: Int { current.count + later.count }

    private var isFull: Bool { count >= Self.highWater }

    /// How much may be sent now.
    ///
    /// The last announced byte waits for the maker's end: a body that turns out too long is then never taken for a
    /// whole one.
    private var sendable: Int { end == nil && owed == 0 ? count - 1 : count }

    private mutating func takeWaiter() -> Waiter? {
        defer { waiter = nil }
        return waiter
    }
}
