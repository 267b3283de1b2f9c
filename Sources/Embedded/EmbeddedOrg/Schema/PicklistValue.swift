// SPDX-License-Identifier: Apache-2.0

/// One choice of a picklist.
package struct PicklistValue: Sendable, Hashable {
    package let value: String
    package let label: String
    package let isActive: Bool
    /// Whether a new record that is given no value gets this one.
    package let isDefault: Bool

    package init(_ value: String, label: String? = nil, isActive: Bool = true, isDefault: Bool = false) {
        self.value = value
        self.label = label ?? value
        self.isActive = isActive
        self.isDefault = isDefault
    }
}
