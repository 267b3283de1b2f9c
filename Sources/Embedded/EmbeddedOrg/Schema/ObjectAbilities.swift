// SPDX-License-Identifier: Apache-2.0

/// What callers can do with the records of an object besides reading them.
package struct ObjectAbilities: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let create = ObjectAbilities(rawValue: 1)
    package static let update = ObjectAbilities(rawValue: 2)
    package static let delete = ObjectAbilities(rawValue: 4)
    package static let undelete = ObjectAbilities(rawValue: 8)
    package static let all: ObjectAbilities = [.create, .update, .delete, .undelete]
}
