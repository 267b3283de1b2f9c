// SPDX-License-Identifier: Apache-2.0

/// Reads the small XML of a SOAP call: elements, text, CDATA and the five named entities.
///
/// A document type is refused, so that no entity can be declared that expands or refers to another file.
struct XMLReader {
    /// A piece of the document.
    enum Token: Equatable {
        /// The local name of an element, without its prefix.
        case open(String)
        case close(String)
        case text(String)
    }

    private var rest: Substring
    /// The element that was empty by `/>` and has yet to be closed.
    private var pendingClose: String?

    init(_ text: String) {
        rest = Substring(text)
    }

    /// The next piece; `nil` at the end and at the first fault.
    mutating func next() -> Token? {
        if let name = pendingClose {
            pendingClose = nil
            return .close(name)
        }
        while rest.hasPrefix("<?") || rest.hasPrefix("<!--") {
            guard skip(past: rest.hasPrefix("<?") ? "?>" : "-->") != nil else { return nil }
        }
        if rest.hasPrefix("<![CDATA[") {
            rest = rest.dropFirst("<![CDATA[".count)
            return skip(past: "]]>").map { .text(String($0)) }
        }
        guard !rest.hasPrefix("<!") else { return nil }
        guard rest.first == "<" else { return text() }
        return tag()
    }

    private mutating func text() -> Token? {
        let end = rest.firstIndex(of: "<") ?? rest.endIndex
        let raw = rest[..<end]
        rest = rest[end...]
        return raw.isEmpty ? nil : Self.unescaped(raw).map { .text($0) }
    }

    /// A tag without a `>` in an attribute, which no SOAP client writes.
    private mutating func tag() -> Token? {
        rest = rest.dropFirst()
        guard var body = skip(past: ">") else { return nil }
        let isClose = body.first == "/"
        if isClose { body = body.dropFirst() }
        let isEmpty = body.last == "/"
        if isEmpty { body = body.dropLast() }
        let name = body.prefix { !$0.isWhitespace }
        guard let local = name.split(separator: ":").last.map(String.init), !local.isEmpty else { return nil }
        if isEmpty { pendingClose = local }
        return isClose ? .close(local) : .open(local)
    }

    /// The text before the mark; the mark is skipped too.
    private mutating func skip(past mark: String) -> Substring? {
        guard let range = rest.firstRange(of: mark) else { return nil }
        let before = rest[..<range.lowerBound]
        rest = rest[range.upperBound...]
        return before
    }

    /// The text with its references replaced; `nil` for one that XML does not know by itself.
    private static func unescaped(_ text: Substring) -> String? {
        var result = ""
        var rest = text
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            guard let end = rest[start...].firstIndex(of: ";"), let scalar = scalar(rest[start..<end].dropFirst())
            else { return nil }
            result.unicodeScalars.append(scalar)
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        // bounded: by what a character can be
        case _ where name.hasPrefix("#x"): UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        // bounded: by what a character can be
        case _ where name.hasPrefix("#"): UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
        default: nil
        }
    }

    /// The texts of the elements directly inside the first element of that name; `nil` when it is not there or broken.
    static func members(of name: String, in text: String) -> [String: String]? {
        var reader = XMLReader(text)
        while let token = reader.next() {
            if token == .open(name) { return reader.members(until: name) }
        }
        return nil
    }

    private mutating func members(until name: String) -> [String: String]? {
        var members: [String: String] = [:]
        var path: [String] = []
        while let token = next() {
            switch token {
            case .open(let element): path.append(element)
            case .text(let text): if path.count == 1 { members[path[0], default: ""] += text }
            case .close(name) where path.isEmpty: return members
            case .close(let element):
                guard path.popLast() == element else { return nil }
                members[element, default: ""] += ""
            }
        }
        return nil
    }
}
