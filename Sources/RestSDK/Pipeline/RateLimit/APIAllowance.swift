// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// How many API calls the org has used of those it may make within 24 hours, as `Sforce-Limit-Info` tells with every
/// answer.
public struct APIAllowance: Sendable, Hashable, CustomStringConvertible {
    /// The calls used.
    public let used: Int
    /// The calls allowed.
    public let allowed: Int

    /// Makes an allowance; a number below zero counts as zero, and one above a million millions as that many.
    public init(used: Int, allowed: Int) {
        self.used = NumberRange.count.clamped(used)
        self.allowed = NumberRange.count.clamped(allowed)
    }

    /// The calls left.
    public var left: Int { max(0, allowed - used) }

    /// The value as text, for people and logs.
    public var description: String { "\(used) of \(allowed) API calls used" }
}

extension APIAllowance {
    /// The field in which the org tells it.
    static let field = "Sforce-Limit-Info"

    /// Reads `api-usage=18/5000` out of the field, whatever else it tells (`; per-app-api-usage=…`).
    ///
    /// `nil` when the field is absent or not of that form, or when a number in it is none that an org can have.
    package init?(in fields: HTTPFields) {
        guard let text = fields[Self.field] else { return nil }
        for part in text.split(separator: ";") {
            let words = part.trimmingPrefix { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard words.count == 2, words[0] == "api-usage" else { continue }
            let numbers = words[1].split(separator: "/", maxSplits: 2).map { Int(outside: $0, in: .count) }
            guard numbers.count == 2, let used = numbers[0], let allowed = numbers[1], allowed > 0 else { return nil }
            self.init(used: used, allowed: allowed)
            return
        }
        return nil
    }
}
