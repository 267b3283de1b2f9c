// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

extension RestClient {
    /// Limits that a client sets for its own requests.
    ///
    /// A number below one counts as one, and a reserve below zero as zero.
    public struct RateLimits: Sendable, Hashable {
        /// The most requests in flight at once, while further ones wait in a queue.
        public var concurrent: Int? { didSet { concurrent = concurrent.map { max(1, $0) } } }
        /// The most requests that start within any second, while further ones wait in a queue.
        public var perSecond: Int? { didSet { perSecond = perSecond.map { max(1, $0) } } }
        /// The number of the org's daily API calls that are left to others.
        ///
        /// If the org's last report leaves no more than this, calls fail with ``RestError/Code/rateLimited`` before
        /// they are sent, queued ones too. Calls sent since the report count as used. One call a minute is still sent,
        /// to see whether the org has calls again. `nil` sends until the org refuses.
        public var reserve: Int? { didSet { reserve = reserve.map { max(0, $0) } } }

        /// Makes limits, where a number below one counts as one, and a reserve below zero as zero.
        ///
        /// - Parameters:
        ///   - concurrent: the most requests in flight at once.
        ///   - perSecond: the most requests that start within any second.
        ///   - reserve: daily API calls that are left to others.
        public init(concurrent: Int? = nil, perSecond: Int? = nil, reserve: Int? = nil) {
            self.concurrent = concurrent.map { max(1, $0) }
            self.perSecond = perSecond.map { max(1, $0) }
            self.reserve = reserve.map { max(0, $0) }
        }
    }
}

extension RestClient {
    /// API calls that the org has used of those it may make within 24 hours.
    ///
    /// Salesforce reports them in the response field `Sforce-Limit-Info`.
    public struct APIAllowance: Sendable, Hashable, CustomStringConvertible {
        /// The calls used.
        public let used: Int
        /// The calls allowed.
        public let allowed: Int

        /// What the app has of its own, where the org counts the calls of each.
        public let app: App?

        /// How many calls a connected app has used of those it may make.
        public struct App: Sendable, Hashable {
            /// The app's name.
            public let name: String
            /// The calls used.
            public let used: Int
            /// The calls allowed.
            public let allowed: Int

            /// Makes an allowance of an app.
            public init(name: String, used: Int, allowed: Int) {
                self.name = name
                self.used = NumberRange.count.clamped(used)
                self.allowed = NumberRange.count.clamped(allowed)
            }
        }

        /// Makes an allowance; a number below zero counts as zero, and one above a million millions as that many.
        public init(used: Int, allowed: Int, app: App? = nil) {
            self.used = NumberRange.count.clamped(used)
            self.allowed = NumberRange.count.clamped(allowed)
            self.app = app
        }

        /// The calls left.
        public var left: Int { max(0, allowed - used) }

        /// The value as text, for people and logs.
        public var description: String { "\(used) of \(allowed) API calls used" }
    }
}

extension RestClient.APIAllowance {
    /// The field in which the org tells it.
    static let field = "Sforce-Limit-Info"

    /// Reads `api-usage=18/5000` out of the field, and `per-app-api-usage=17/250(appName=sample)` where it is there.
    ///
    /// `nil` when the field is absent or not of that form, or when a number in it is none that an org can have.
    package init?(in fields: HTTPFields) {
        guard let text = fields[Self.field] else { return nil }
        let parts = text.split(byte: ";").map { $0.drop(anyOf: " ") }
        func value(after name: String) -> Substring? {
            parts.lazy.compactMap { $0.removing(prefix: name) }.first { !$0.isEmpty }
        }
        guard let (used, allowed) = Self.numbers(value(after: "api-usage=") ?? ""), allowed > 0 else { return nil }
        self.init(used: used, allowed: allowed, app: value(after: "per-app-api-usage=").flatMap(Self.app))
    }

    private static func numbers(_ text: Substring) -> (used: Int, allowed: Int)? {
        let numbers = text.split(byte: "/", maxSplits: 2).map { Int(outside: $0, in: .count) }
        guard numbers.count == 2, let used = numbers[0], let allowed = numbers[1] else { return nil }
        return (used, allowed)
    }

    private static func app(_ text: Substring) -> App? {
        let parts = text.split(byte: "(", maxSplits: 1)
        guard parts.count == 2, let (used, allowed) = numbers(parts[0]),
            let name = parts[1].removing(prefix: "appName=")?.removing(suffix: ")")
        else { return nil }
        return App(name: String(name).bounded, used: used, allowed: allowed)
    }
}
