// SPDX-License-Identifier: Apache-2.0

/// A function of the interface.
package struct StoneRoute: Sendable {
    package let id: RouteID
    package let namespace: String
    /// The name without its version; it may have slashes.
    package let name: String
    /// The version, from 1.
    package let version: Int
    package var doc: StoneDoc?
    package var argument: StoneType = .void
    package var result: StoneType = .void
    package var error: StoneType = .void
    package var deprecation: StoneDeprecation?
    /// The value of each attribute, in the order of the schema's fields; absent ones have their default or null.
    package var attributes: [StoneAttribute] = []
    package let location: StoneLocation

    /// The name as it stands in a URL: from version 2 on with `_v2` at its end.
    package var wireName: String { version == 1 ? name : "\(name)_v\(version)" }

    /// The attribute of this name, or nil if the schema has none or its value is null.
    package func attribute(_ name: String) -> StoneLiteral? {
        guard let value = attributes.first(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }
}

/// That a route should not be used any more.
package struct StoneDeprecation: Hashable, Sendable {
    /// The route to use instead, if the spec says so.
    package var successor: RouteID?
}

/// A route's attribute.
package struct StoneAttribute: Hashable, Sendable {
    package let name: String
    package let value: StoneLiteral
}
