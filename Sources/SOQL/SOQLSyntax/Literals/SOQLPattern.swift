// SPDX-License-Identifier: Apache-2.0

/// The pattern of LIKE, with the escapes resolved.
public struct SOQLPattern: Sendable, Hashable {
    /// A piece of a pattern.
    public enum Element: Sendable, Hashable {
        /// `%`: any run of characters, also none.
        case anyRun
        /// `_`: exactly one character.
        case anyOne
        /// These characters themselves.
        case text(String)
    }

    /// The pieces in order; two texts never stand side by side.
    public private(set) var elements: [Element]
    /// Where the opening quote was written.
    @SOQLUncompared public var position: SOQLPosition

    /// A pattern of pieces.
    public init(_ elements: [Element], position: SOQLPosition = .start) {
        self.elements = []
        self.position = position
        for element in elements { append(element) }
    }

    mutating func append(_ element: Element) {
        if case .text(let addition) = element, case .text(let text)? = elements.last {
            elements[elements.count - 1] = .text(text + addition)
        } else if element != .text("") {
            elements.append(element)
        }
    }
}
