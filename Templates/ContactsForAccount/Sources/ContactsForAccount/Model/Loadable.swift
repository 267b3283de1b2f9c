// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// A value from the org: not requested, in flight, loaded or failed.
enum Loadable<Value> {
    case idle
    case loading
    case loaded(Value)
    case failed(RestError)

    /// The value if it is loaded.
    var value: Value? {
        if case .loaded(let value) = self { value } else { nil }
    }

    var isLoading: Bool {
        if case .loading = self { true } else { false }
    }
}

extension Loadable: Sendable where Value: Sendable {}
