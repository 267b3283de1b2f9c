// SPDX-License-Identifier: Apache-2.0

/// What the asking user has done with a record; the raw value is the field that tells when.
package enum RecordUsage: String, Sendable, CaseIterable {
    /// The user has looked at it.
    case viewed = "LastViewedDate"
    /// The user has looked at it, or at a record beside it.
    case referenced = "LastReferencedDate"
}

extension FieldSchema {
    /// What of the user's doings the field tells; such a field is stored nowhere in the record itself.
    package var usage: RecordUsage? { type == .datetime ? RecordUsage(rawValue: name) : nil }
}

extension SObjectSchema {
    /// Whether the org keeps which records of the object its users look at.
    var isViewed: Bool { fields.contains { $0.usage != nil } }
}
