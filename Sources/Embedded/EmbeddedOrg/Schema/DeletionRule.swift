// SPDX-License-Identifier: Apache-2.0

/// What the deletion of a record does to those that point to it.
package enum DeletionRule: String, Sendable {
    /// The field becomes empty; a restored record gets it back.
    case clear
    /// They are deleted with it, and restored with it.
    case cascade
    /// As long as there are any, the record cannot be deleted.
    case restrict
}
