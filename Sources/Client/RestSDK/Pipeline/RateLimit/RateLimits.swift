// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

extension RestClient {
    /// The limits that a client sets for its own requests, clamped to at least one, and to zero for the reserve.
    public struct RateLimits: Sendable, Hashable {
        /// The maximum number of requests in flight, beyond which requests wait in a queue.
        public var concurrent: Int? { didSet { concurrent = concurrent.map { max(1, $0) } } }
        /// The maximum number of requests that start in a second, beyond which requests wait in a queue.
        public var perSecond: Int? { didSet { perSecond = perSecond.map { max(1, $0) } } }
        /// The number of the org's daily API calls to leave for other clients.
        ///
        /// If the org's last report shows that only this number is left, calls in the queue and new calls fail with
        /// ``RestError/Code/rateLimited`` before they are sent. Calls since the report count as used. One call a minute
        /// is still sent to check whether calls are available again. If `nil`, calls are sent until the org rejects
        /// them.
        public var reserve: Int? { didSet { reserve = reserve.map { max(0, $0) } } }

        /// Creates limits, clamped to at least one, and to zero for the reserve.
        ///
        /// - Parameters:
        ///   - concurrent: the maximum number of requests in flight.
        ///   - perSecond: the maximum number of requests that start in a second.
        ///   - reserve: the number of daily API calls to leave for other clients.
        public init(concurrent: Int? = nil, perSecond: Int? = nil, reserve: Int? = nil) {
            self.concurrent = concurrent.map { max(1, $0) }
            self.perSecond = perSecond.map { max(1, $0) }
            self.reserve = reserve.map { max(0, $0) }
        }
    }
}

extension RestClient {
    /// The org's API usage within 24 hours, as reported in the header `Sforce-Limit-Info` of responses.
    public struct APIAllowance: Sendable, Hashable, CustomStringConvertible {
        /// The number of calls used.
        public let used: Int
        /// The number of calls allowed.
        public let allowed: Int

        /// The usage of the connected app, if the org counts the calls of each app.
        public let app: App?

        /// The API usage of a connected app.
        public struct App: Sendable, Hashable {
            /// The app's name.
            public let name: String
            /// The number of calls used.
            public let used: Int
            /// The number of calls allowed.
            public let allowed: Int

            /// Creates the usage of an app.
            public init(name: String, used: Int, allowed: Int) {
                self.name = name
                self.used = NumberRange.count.clamped(used)
                self.allowed = NumberRange.count.clamped(allowed)
            }
        }

        /// Creates a usage, with numbers clamped between 0 and a million million.
        public init(used: Int, allowed: Int, app: App? = nil) {
            self.used = NumberRange.count.clamped(used)
            self.allowed = NumberRange.count.clamped(allowed)
            self.app = app
        }

        /// The number of calls left.
        public var left: Int { max(0, allowed - used) }

        /// The usage as a string, for people and logs.
        public var description: String { "\(used) of \(allowed) API calls used" }
    }
}

extension RestClient.APIAllowance {
    static let field = "Sforce-Limit-Info"

    /// Parses `api-usage=18/5000`, and optionally `per-app-api-usage=17/250(appName=sample)`, from the header.
    ///
    /// Returns `nil` if the header is missing or malformed, or if a number is out of range.
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
