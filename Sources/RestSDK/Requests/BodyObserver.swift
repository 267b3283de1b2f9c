// SPDX-License-Identifier: Apache-2.0

/// Sees the body of a successful answer before it is parsed, so that what depends on its beginning need not wait.
///
/// Two observers are equal when they are the same object.
final class BodyObserver: Sendable, Hashable {
    let see: @Sendable (_ body: [UInt8]) -> Void

    init(_ see: @escaping @Sendable (_ body: [UInt8]) -> Void) {
        self.see = see
    }

    static func == (left: BodyObserver, right: BodyObserver) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
