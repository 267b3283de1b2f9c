// SPDX-License-Identifier: Apache-2.0

/// The assertions that were taken, for as long as they could be taken again, as a value without I/O.
package struct SpentAssertions: Sendable {
    private struct Name: Hashable {
        let clientID: String
        let identifier: TokenRegistry.Key
    }

    /// When each of them has expired, in seconds since 1970.
    private var ends: [Name: Int64] = [:]
    private let capacity: Int

    /// - Parameter capacity: how many are remembered; a client beyond it waits rather than that one is forgotten.
    package init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// Takes an assertion that was not taken before.
    package mutating func spend(
        _ identifier: TokenRegistry.Key, of clientID: String, until end: Int64, now: Int64
    ) throws(OAuthRefusal) {
        let name = Name(clientID: clientID, identifier: identifier)
        guard ends[name].map({ $0 < now }) ?? true else {
            throw .invalidGrant("invalid assertion: it was used before")
        }
        if ends.count >= capacity { ends = ends.filter { $0.value >= now } }
        guard ends.count < capacity else { throw .rateLimited(.seconds(60)) }
        ends[name] = end
    }
}
