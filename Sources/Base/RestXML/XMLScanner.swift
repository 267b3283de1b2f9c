// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Splits a document into tags, text and CDATA, and skips comments and processing instructions.
struct XMLScanner {
    enum Token: Equatable {
        /// The local name of an element, without its prefix.
        case open(String, isNil: Bool)
        case close(String)
        case text(String)
    }

    static let mostDepth = 64

    private let bytes: [UInt8]
    private var position = 0
    /// The name of an element that ended with `/>` and has not been closed yet.
    private var pendingClose: String?
    /// Whether a comment or a processing instruction does not end.
    private var isBroken = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // Skips a byte-order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Whether only white space, comments and processing instructions remain.
    var isAtEnd: Bool {
        var rest = self
        repeat { rest.skipBlanks() } while rest.skipMisc()
        return !rest.isBroken && rest.position == rest.bytes.count
    }

    /// The next token, or `nil` at the end and at the first error.
    mutating func next() -> Token? {
        if let name = pendingClose {
            pendingClose = nil
            return .close(name)
        }
        while skipMisc() {}
        if skip("<![CDATA[") {
            return take(to: "]]>").map { .text(String(decoding: $0, as: UTF8.self)) }
        }
        guard !has("<!"), position < bytes.count else { return nil }
        return bytes[position] == UInt8(ascii: "<") ? tag() : text()
    }

    /// Skips a comment or a processing instruction, and returns whether there was one.
    private mutating func skipMisc() -> Bool {
        let isInstruction = has("<?")
        guard isInstruction || has("<!--") else { return false }
        position += isInstruction ? 2 : 4
        let inside = take(to: isInstruction ? "?>" : "-->")
        if inside.map({ isInstruction && Self.namesOtherCharset($0) }) ?? true {
            (isBroken, position) = (true, bytes.count)
        }
        return true
    }

    /// Whether a processing instruction is an XML declaration that is invalid or declares another encoding than UTF-8.
    private static func namesOtherCharset(_ instruction: ArraySlice<UInt8>) -> Bool {
        var rest = XMLScanner(Array(instruction))
        guard rest.name() == "xml" else { return false }
        rest.skipBlanks()
        while let attribute = rest.name() {
            guard let value = rest.value()?.lowercased() else { return true }
            if attribute == "encoding", !["utf-8", "us-ascii"].contains(value) { return true }
            rest.skipBlanks()
        }
        return rest.position < rest.bytes.count
    }

    private mutating func text() -> Token? {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        defer { position = end }
        return Self.unescaped(bytes[position..<end]).map { .text($0) }
    }

    private mutating func tag() -> Token? {
        position += 1
        let isClose = skip("/")
        guard let name = name() else { return nil }
        if isClose {
            skipBlanks()
            return skip(">") ? .close(name) : nil
        }
        var isNil = false
        while true {
            skipBlanks()
            if skip(">") { return .open(name, isNil: isNil) }
            if skip("/>") {
                pendingClose = name
                return .open(name, isNil: isNil)
            }
            guard let attribute = self.name(), let value = value() else { return nil }
            if attribute == "nil", value == "true" || value == "1" { isNil = true }
        }
    }

    private mutating func name() -> String? {
        let end = bytes[position...].firstIndex { !Self.isNameByte($0) } ?? bytes.count
        let parts = bytes[position..<end].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        position = end
        // A name cannot begin with a digit or a punctuation mark.
        guard parts.count <= 2, let local = parts.last, let first = local.first, first >= 0x41 else { return nil }
        return String(decoding: local, as: UTF8.self)
    }

    /// The value of an attribute, after its equals sign.
    private mutating func value() -> String? {
        skipBlanks()
        guard skip("=") else { return nil }
        skipBlanks()
        let quote = has("\"") ? "\"" : has("'") ? "'" : nil
        guard let quote, skip(quote), let raw = take(to: quote), !raw.contains(UInt8(ascii: "<")) else { return nil }
        return Self.unescaped(raw)
    }

    private func has(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func skip(_ text: String) -> Bool {
        guard has(text) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func skipBlanks() {
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    }

    /// The bytes before the mark, which is skipped.
    private mutating func take(to mark: String) -> ArraySlice<UInt8>? {
        guard let first = mark.utf8.first else { return nil }
        var place = position
        while let found = bytes[place...].firstIndex(of: first) {
            if bytes[found...].starts(with: mark.utf8) {
                defer { position = found + mark.utf8.count }
                return bytes[position..<found]
            }
            place = found + 1
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...0xFF: true
        default: false
        }
    }
}

extension XMLScanner {
    /// The text with references replaced, or `nil` for a reference that XML does not predefine.
    private static func unescaped(_ raw: ArraySlice<UInt8>) -> String? {
        var (result, rest) = ([UInt8](), raw)
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<start]
            // No reference is longer than `&#x10FFFF;`.
            guard let end = rest[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(String(decoding: rest[(start + 1)..<end], as: UTF8.self))
            else { return nil }
            result += Array(String(scalar).utf8)
            rest = rest[(end + 1)...]
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard let digits = name.removing(prefix: "#") else { return nil }
        // bounded: by what a character can be
        let number = digits.removing(prefix: "x").map { UInt32($0, radix: 16) } ?? UInt32(digits)
        let scalar = number.flatMap(Unicode.Scalar.init)
        return scalar.flatMap { $0.value >= 0x20 || [9, 10, 13].contains($0.value) ? $0 : nil }
    }
}
