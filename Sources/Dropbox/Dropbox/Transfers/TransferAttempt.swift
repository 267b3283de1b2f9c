// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// How far a transfer has come: of one attempt, never less than before.
public struct TransferUpdate: Sendable, Hashable {
    /// The number of the attempt, from 1; a pause or a restart ends one.
    public let attempt: Int
    /// The bytes so far.
    public let progress: TransferProgress

    /// Makes an update.
    public init(attempt: Int, progress: TransferProgress) {
        self.attempt = attempt
        self.progress = progress
    }
}

/// What the work of a transfer knows of its attempt.
struct TransferAttempt: Sendable {
    /// Its number, from 1.
    let number: Int
    /// Whether it begins anew instead of going on where the one before stopped.
    let isFresh: Bool
    /// Is told how far it has come.
    let report: TransferProgress.Handler
}

/// The updates of one transfer: the newest one, for readers who come and go at their own pace.
struct TransferFeed: Sendable {
    private var newest: TransferUpdate?
    private var readers: [UInt64: AsyncStream<TransferUpdate>.Continuation] = [:]
    private var lastReader: UInt64 = 0
    /// Whether the readers know the newest update.
    private var isTold = true
    /// When the readers may be told again.
    private var next = ContinuousClock.now

    private static let pause = Duration.milliseconds(50)

    /// Adds a reader, who gets the newest update first.
    mutating func add(_ reader: AsyncStream<TransferUpdate>.Continuation) -> UInt64 {
        lastReader += 1
        readers[lastReader] = reader
        if let newest { reader.yield(newest) }
        return lastReader
    }

    mutating func remove(_ number: UInt64) { readers[number] = nil }

    /// Tells the readers, unless they were told just now.
    ///
    /// What is of an earlier attempt, or behind what was told before, is not news.
    mutating func report(_ update: TransferUpdate, at now: ContinuousClock.Instant = .now) {
        if let newest, newest.attempt > update.attempt || (newest.attempt == update.attempt && !newest.isBehind(update))
        {
            return
        }
        let isNew = update.attempt != newest?.attempt
        newest = update
        isTold = isNew || now >= next
        guard isTold else { return }
        next = now + Self.pause
        for reader in readers.values { reader.yield(update) }
    }

    /// Hands out the readers, whose streams end with the newest update.
    mutating func finish() -> [AsyncStream<TransferUpdate>.Continuation] {
        defer { readers = [:] }
        if let newest, !isTold { for reader in readers.values { reader.yield(newest) } }
        return Array(readers.values)
    }
}

extension TransferUpdate {
    /// Whether another one of the same attempt has come further.
    fileprivate func isBehind(_ other: TransferUpdate) -> Bool {
        other.progress.sent >= progress.sent && other.progress.received >= progress.received
            && other.progress != progress
    }
}
