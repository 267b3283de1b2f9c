// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Lets one piece of work after another happen.
final class Turn: Sendable {
    private let lock = Mutex(())

    func take<Result: Sendable, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        try lock.withLock { (_) throws(Failure) -> Result in try work() }
    }
}
