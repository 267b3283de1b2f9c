// SPDX-License-Identifier: Apache-2.0

/// The platform's field types (the `type` of a describe answer) and how each is stored.
package enum FieldType: String, Sendable {
    /// Stored as TEXT, 18 characters.
    case id, reference
    /// Stored as TEXT, compared without case.
    case string, picklist, multipicklist, textarea, email, phone, url, combobox, encryptedstring
    /// The bytes of a file, in a table of their own; here stands an empty TEXT where there are some.
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
    /// Stored as TEXT, `10:11:12.000Z`.
    case time
    /// Stored nowhere: a JSON text that is made of the fields that it consists of.
    case location, address

    /// Whether it consists of other fields.
    package var isCompound: Bool { self == .location || self == .address }
}
