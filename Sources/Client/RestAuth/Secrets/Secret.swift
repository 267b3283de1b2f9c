// SPDX-License-Identifier: Apache-2.0

/// A text that must not leak: tokens, passwords, client secrets.
///
/// Printing, interpolating, dumping or reflecting a `Secret` shows a placeholder. Only ``reveal()`` gives the text, so
/// every use of it can be found by searching for one word.
public struct Secret: Sendable, Hashable {
    private let text: String

    /// Wraps a text.
    public init(_ text: String) {
        self.text = text
    }

    /// The text itself; hand it to nothing but the request that needs it.
    public func reveal() -> String { text }

    /// Whether there is no text at all.
    public var isEmpty: Bool { text.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value as text, for people and logs.
    public var description: String { "«redacted»" }
    /// The placeholder, as in `description`.
    public var debugDescription: String { "«redacted»" }
    /// A mirror that shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Secret: ExpressibleByStringLiteral {
    /// Wraps a literal, for tests and samples.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}
