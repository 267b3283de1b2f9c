// SPDX-License-Identifier: Apache-2.0

/// A function in a request that is shown something of its call.
///
/// Two observers are equal when they are the same object.
final class ValueObserver<Value>: Sendable, Hashable {
    let see: @Sendable (_ value: Value) -> Void

    init(_ see: @escaping @Sendable (_ value: Value) -> Void) {
        self.see = see
    }

    static func == (left: ValueObserver, right: ValueObserver) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
