// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestText
public import SOQLSyntax

extension Composite {
    /// A value out of the answer to an earlier part of a ``Composite``, which the server puts in: `@{account.id}`.
    ///
    /// It stands for a text: a record's id in a path (``text``), a field's value in a body (``json``), a value bound in
    /// a ``SOQL`` query. The part that it stands in names it too (``Composite/add(_:as:using:)``).
    public struct Reference: Sendable, Hashable, CustomStringConvertible {
        /// The reference as the server reads it.
        public let text: String

        /// Makes a reference.
        ///
        /// - Parameters:
        ///   - part: the name of a part that stands before.
        ///   - path: the way to the value in its answer, such as `id` or `records[0].Id`.
        public init(_ part: String, _ path: String) {
            text = "@{\(part).\(path)}"
        }

        /// The reference as a field's value.
        public var json: JSONValue { JSONValue(text) }

        /// The reference as the server reads it.
        public var description: String { text }
    }
}

extension Composite.Reference: SOQL.Bindable {
    /// The reference as a text literal.
    public var soqlLiteral: SOQLLiteral? { .string(text) }
}

/// A text cut at what the server takes for references.
struct ReferencedText {
    /// A piece of the text.
    enum Piece: Equatable {
        case text(Substring)
        /// A reference, with the name of the part it asks.
        case reference(Substring, part: Substring)
    }

    let pieces: [Piece]

    init(_ text: some StringProtocol) {
        var pieces: [Piece] = []
        var rest = Substring(text)
        while let start = rest.firstRange(bytes: "@{"), let end = rest[start.upperBound...].firstIndex(byte: "}") {
            if start.lowerBound > rest.startIndex { pieces.append(.text(rest[..<start.lowerBound])) }
            let after = rest.utf8.index(after: end)
            let part = rest[start.upperBound..<end].prefix(beforeAny: ".[")
            pieces.append(.reference(rest[start.lowerBound..<after], part: part))
            rest = rest[after...]
        }
        if !rest.isEmpty { pieces.append(.text(rest)) }
        self.pieces = pieces
    }

    /// The references, each with the name of the part it asks.
    var references: [(text: Substring, part: Substring)] {
        pieces.compactMap { if case .reference(let text, let part) = $0 { (text, part) } else { nil } }
    }

    /// Whether all of the text is one reference.
    var isReference: Bool { pieces.count == 1 && references.count == 1 }

    /// The text with everything but its references encoded.
    func encoded(_ encode: (String) -> String) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): encode(String(text))
            case .reference(let reference, _): String(reference)
            }
        }.joined()
    }
}
