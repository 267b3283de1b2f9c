// SPDX-License-Identifier: Apache-2.0

/// The platform's field types (the `type` of a describe answer) and how each is stored.
package enum FieldType: String, Sendable {
    /// Stored as TEXT, 18 characters.
    case id, reference
    /// Stored as TEXT, compared without case.
    case string, picklist, multipicklist, textarea, email, phone, url
    /// The bytes of a file: stored as the path where they can be read, and they themselves in a table of their own.
    case base64
    /// Stored as INTEGER 0 or 1.
    case boolean
    /// Stored as INTEGER.
    case int
    /// Stored as REAL.
    case double, currency, percent
    /// Stored as TEXT `YYYY-MM-DD`.
    case date
    /// Stored as TEXT in UTC exactly as it goes on the wire, `2026-01-29T10:11:12.000+0000`, so that text order is time
    /// order.
    case datetime
}
