// SPDX-License-Identifier: Apache-2.0

import RestSDK
import Synchronization

/// A sequence of the numbers from 1 that counts how many were asked for, and the iterations that are alive.
struct Numbers: AsyncSequence, Sendable {
    typealias Element = Int
    typealias Failure = RestError

    /// What follows the last number.
    enum Ending: Sendable { case end, failure, silence }

    /// The counts of all iterations.
    final class Counts: Sendable {
        let asked = Mutex(0)
        let alive = Mutex(0)
    }

    /// An iteration, as long as somebody holds it.
    final class Life: Sendable {
        private let counts: Counts

        init(_ counts: Counts) {
            self.counts = counts
            counts.alive.withLock { $0 += 1 }
        }

        deinit { counts.alive.withLock { $0 -= 1 } }
    }

    let count: Int
    let ending: Ending
    let counts = Counts()

    var asked: Int { counts.asked.withLock { $0 } }
    var alive: Int { counts.alive.withLock { $0 } }

    init(_ count: Int, then ending: Ending = .end) { (self.count, self.ending) = (count, ending) }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(numbers: self, life: Life(counts)) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let numbers: Numbers
        let life: Life
        private var last = 0

        init(numbers: Numbers, life: Life) { (self.numbers, self.life) = (numbers, life) }

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError) -> Int? {
            numbers.counts.asked.withLock { $0 += 1 }
            if last % 3 == 0 { await Task.yield() }
            guard last == numbers.count else {
                last += 1
                return last
            }
            switch numbers.ending {
            case .end: return nil
            case .failure: throw RestError(.timedOut, "after the last number")
            case .silence:
                let never = AsyncStream<Never> { _ in }
                for await _ in never {}  // until the task is cancelled
                throw RestError(.cancelled, "cancelled")
            }
        }
    }
}
