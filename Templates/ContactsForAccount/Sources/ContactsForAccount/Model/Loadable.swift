// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// Something that comes from the org: not asked for yet, on its way, here, or refused.
enum Loadable<Value> {
    case idle
    case loading
    case loaded(Value)
    case failed(RestError)

    /// The value, once it is here.
    var value: Value? {
        if case .loaded(let value) = self { value } else { nil }
    }

    /// Whether it is on its way.
    var isLoading: Bool {
        if case .loading = self { true } else { false }
    }
}

extension Loadable: Sendable where Value: Sendable {}
