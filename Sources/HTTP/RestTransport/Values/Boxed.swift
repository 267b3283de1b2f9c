// SPDX-License-Identifier: Apache-2.0

/// A value on the heap with the meaning of a value: copies share it until one of them changes.
///
/// For values of many words that are handed on far more often than read: a copy costs one pointer.
@propertyWrapper
package struct Boxed<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    /// Boxes a value.
    package init(wrappedValue: Value) { box = Box(wrappedValue) }

    /// The value; a change makes a new box.
    package var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }
}

extension Boxed: Equatable where Value: Equatable {
    /// Whether the values are equal.
    package static func == (left: Boxed, right: Boxed) -> Bool {
        left.box === right.box || left.wrappedValue == right.wrappedValue
    }
}

extension Boxed: Hashable where Value: Hashable {
    /// Feeds the value to a hasher.
    package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Boxed: CustomReflectable {
    /// The mirror of the value.
    package var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}
