// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What callbacks were given, in order.
final class Heard<Value: Sendable>: Sendable {
    private let list = Mutex<[Value]>([])

    var values: [Value] { list.withLock { $0 } }

    func add(_ value: Value) {
        list.withLock { $0.append(value) }
    }
}
