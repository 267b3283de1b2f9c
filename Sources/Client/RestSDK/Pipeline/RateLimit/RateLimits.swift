// SPDX-License-Identifier: Apache-2.0

/// How much a client asks of the org at most, as data; without limits it only listens to what the org tells of its own.
///
/// A number below one counts as one, and a reserve below zero as none.
public struct RateLimits: Sendable, Hashable {
    /// How many requests are under way at once; further ones wait in line.
    public var concurrent: Int? { didSet { concurrent = concurrent.map { max(1, $0) } } }
    /// How many requests start within any second; further ones wait in line.
    public var perSecond: Int? { didSet { perSecond = perSecond.map { max(1, $0) } } }
    /// The number of the org's daily API calls that are left to others.
    ///
    /// If no more are left by the org's last report, calls fail with ``RestError/Code/rateLimited`` without being sent,
    /// also those that waited in the queue. Calls that were sent since the report count as used. One call a minute is
    /// sent nevertheless, to see whether the org has calls again. `nil` sends until the org refuses.
    public var reserve: Int? { didSet { reserve = reserve.map { max(0, $0) } } }

    /// Makes limits; a number below one counts as one, and a reserve below zero as none.
    ///
    /// - Parameters:
    ///   - concurrent: requests under way at once.
    ///   - perSecond: requests started within any second.
    ///   - reserve: daily API calls that are left to others.
    public init(concurrent: Int? = nil, perSecond: Int? = nil, reserve: Int? = nil) {
        self.concurrent = concurrent.map { max(1, $0) }
        self.perSecond = perSecond.map { max(1, $0) }
        self.reserve = reserve.map { max(0, $0) }
    }
}
