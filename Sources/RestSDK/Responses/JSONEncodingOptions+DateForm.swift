// SPDX-License-Identifier: Apache-2.0

public import RestJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSONEncodingOptions {
    /// How a `Date` stands in JSON.
    public enum DateForm: Sendable {
        /// Text in a form of ISO 8601, also the platform's own `2026-01-29T10:11:12.000+0000`; a day alone is its midnight
        /// in UTC.
        ///
        /// Dates are written in UTC, rounded to the milliseconds that the platform keeps: `2026-01-29T10:11:12.000Z`.
        case text
        /// A number of seconds since 1970.
        case secondsSince1970
        /// A number of milliseconds since 1970.
        case millisecondsSince1970
        /// Whatever the functions make a date of, and of a date; `nil` does not fit. Without the second one dates cannot be
        /// written.
        case custom(
            _ read: @Sendable (JSONValue) -> Date?, write: (@Sendable (Date) -> JSONValue?)? = nil)
    }
}
