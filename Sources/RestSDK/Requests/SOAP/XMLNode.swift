// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// An element of an XML document with its text, for the few answers of the platform that are XML.
///
/// Names are without their prefixes; attributes, comments and instructions are passed over. A document type is refused:
/// no answer has one, and entities of one's own could fill the memory.
struct XMLNode: Sendable {
    let name: String
    private(set) var text = ""
    private(set) var children: [XMLNode] = []

    /// Elements nested more deeply are no answer.
    private static let mostLevels = 64

    /// The first element of that name inside this one.
    subscript(name: String) -> XMLNode? { children.first { $0.name == name } }

    /// The first element of that name at any depth, this one included.
    func first(_ name: String) -> XMLNode? {
        if self.name == name { return self }
        for child in children {
            if let found = child.first(name) { return found }
        }
        return nil
    }

    /// Reads a document; `nil` when it is not well-formed.
    init?(parsing bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var open: [XMLNode] = []
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "<") {
            guard let inside = Self.unescaped(rest[..<start]) else { return nil }
            if open.isEmpty {
                guard inside.allSatisfy({ $0.isWhitespace || $0 == "\u{FEFF}" }) else { return nil }
            } else {
                open[open.count - 1].text += inside
            }
            rest = rest[start...]
            if rest.hasPrefix("<![CDATA["), let end = rest.firstRange(of: "]]>"), !open.isEmpty {
                open[open.count - 1].text += rest[rest.index(start, offsetBy: 9)..<end.lowerBound]
                rest = rest[end.upperBound...]
                continue
            }
            if let end = Self.endOfSkipped(rest) {
                rest = rest[end...]
                continue
            }
            guard let tag = Self.tag(rest) else { return nil }
            rest = rest[tag.end...]
            if !tag.isEnd {
                guard open.count < Self.mostLevels else { return nil }
                open.append(XMLNode(name: tag.name))
            }
            guard tag.isEnd || tag.isEmpty else { continue }
            guard let closed = open.popLast(), closed.name == tag.name else { return nil }
            guard !open.isEmpty else {
                self = closed
                return
            }
            open[open.count - 1].children.append(closed)
        }
        return nil
    }

    private init(name: String) {
        self.name = name
    }

    /// Behind a comment or an instruction; `nil` where none begins.
    private static func endOfSkipped(_ rest: Substring) -> Substring.Index? {
        if rest.hasPrefix("<!--") { return rest.firstRange(of: "-->")?.upperBound }
        return rest.hasPrefix("<?") ? rest.firstRange(of: "?>")?.upperBound : nil
    }

    private struct Tag {
        let name: String
        let isEnd: Bool
        let isEmpty: Bool
        let end: Substring.Index
    }

    /// The tag at the beginning; a `>` inside of an attribute's quotes does not end it.
    private static func tag(_ rest: Substring) -> Tag? {
        var quote: Character?
        for index in rest.indices {
            let character = rest[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == ">" {
                var inside = rest[rest.index(after: rest.startIndex)..<index]
                let isEnd = inside.hasPrefix("/")
                if isEnd { inside = inside.dropFirst() }
                let isEmpty = inside.hasSuffix("/")
                if isEmpty { inside = inside.dropLast() }
                let name = inside.prefix { !$0.isWhitespace }
                let own = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
                guard let first = own.first, first.isLetter || first == "_", !(isEnd && isEmpty) else { return nil }
                return Tag(name: String(own), isEnd: isEnd, isEmpty: isEmpty, end: rest.index(after: index))
            }
        }
        return nil
    }

    private static let entities: [Substring: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]
    private static let scalars = NumberRange(1...0x10FFFF)

    /// The text with its entities resolved; `nil` for one that is unknown.
    private static func unescaped(_ text: Substring) -> String? {
        guard text.contains("&") else { return String(text) }
        var result = ""
        var rest = text
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            guard let end = rest[start...].firstIndex(of: ";") else { return nil }
            let name = rest[rest.index(after: start)..<end]
            if let character = entities[name] {
                result.append(character)
            } else if name.hasPrefix("#"), name.utf8.count <= 10, let scalar = scalar(name.dropFirst()) {
                result.unicodeScalars.append(scalar)
            } else {
                return nil
            }
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func scalar(_ digits: Substring) -> Unicode.Scalar? {
        let isHexadecimal = digits.hasPrefix("x")
        // bounded: by the scalars there are
        let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap { Int(outside: $0, in: scalars) }.flatMap { Unicode.Scalar(UInt32($0)) }
    }

    /// A text as it stands inside of an element; what XML cannot hold is left out.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\t", "\n", "\r": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
