// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON

/// Cuts a document of the query language GraphQL into tokens (October 2021, §2.1).
struct GraphQLLexer {
    enum Token: Hashable {
        case name(String)
        /// One of `! $ & ( ) ... : = @ [ ] { | }`.
        case sign(String)
        case int(String), float(String)
        case string(String)
        case end

        /// The token for people.
        var text: String {
            switch self {
            case .name(let text), .sign(let text), .int(let text), .float(let text): text
            case .string: "a string"
            case .end: "<EOF>"
            }
        }
    }

    private let bytes: [UInt8]
    private var index = 0
    private(set) var position = GraphQLProblem.Position()

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The next token and where it begins.
    mutating func next() throws(GraphQLProblem) -> (Token, GraphQLProblem.Position) {
        skipIgnored()
        let start = position
        guard let byte = peek else { return (.end, start) }
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): return (.name(take(while: \.isNameByte)), start)
        case 0x30...0x39, UInt8(ascii: "-"): return (try number(start), start)
        case UInt8(ascii: "\""):
            return (.string(isAhead("\"\"\"") ? try block(start) : try string(start)), start)
        case UInt8(ascii: ".") where isAhead("..."):
            for _ in 0..<3 { advance() }
            return (.sign("..."), start)
        default:
            let sign = String(decoding: [byte], as: UTF8.self)
            guard "!$&():=@[]{|}".utf8.contains(byte) else {
                throw .syntax("offending token '\(byte < 0x80 ? sign : "?")'", start)
            }
            advance()
            return (.sign(sign), start)
        }
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func isAhead(_ text: StaticString) -> Bool {
        bytes[index...].starts(with: text.description.utf8)
    }

    private mutating func advance() {
        if bytes[index] == 0x0A {
            position.line += 1
            position.column = 1
        } else if bytes[index] & 0xC0 != 0x80 {
            position.column += 1
        }
        index += 1
    }

    private mutating func take(while isWanted: (UInt8) -> Bool) -> String {
        let start = index
        while let byte = peek, isWanted(byte) { advance() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Blanks, commas, a byte order mark and comments.
    private mutating func skipIgnored() {
        while let byte = peek {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), 0xEF, 0xBB, 0xBF: advance()
            case UInt8(ascii: "#"): _ = take { $0 != 0x0A && $0 != 0x0D }
            default: return
            }
        }
    }

    private mutating func number(_ start: GraphQLProblem.Position) throws(GraphQLProblem) -> Token {
        let text = take {
            $0.isNameByte || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ".")
        }
        let digits = text.removing(prefix: "-") ?? text[...]
        if digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits == "0" || (digits.first ?? "0") != "0" {
            return .int(text)
        }
        let isNumber = digits.utf8.first.map { (0x30...0x39).contains($0) } ?? false
        guard isNumber, digits.utf8.count <= 400, Double(text)?.isFinite == true else {
            throw .syntax("'\(text.prefix(40))' is no number", start)
        }
        return .float(text)
    }

    private mutating func string(_ start: GraphQLProblem.Position) throws(GraphQLProblem) -> String {
        advance()
        var result: [UInt8] = []
        while let byte = peek, byte != 0x0A, byte != 0x0D {
            advance()
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"): result += try escape(start)
            default: result.append(byte)
            }
        }
        throw .syntax("a string does not end", start)
    }

    private mutating func escape(_ start: GraphQLProblem.Position) throws(GraphQLProblem) -> [UInt8] {
        guard let byte = peek else { throw .syntax("a string does not end", start) }
        advance()
        switch byte {
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "u"):
            var unit = try codeUnit(start)
            if (0xD800..<0xDC00).contains(unit), isAhead("\\u") {
                advance()
                advance()
                let low = try codeUnit(start)
                guard (0xDC00..<0xE000).contains(low) else { throw .syntax("half a character in a string", start) }
                unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(unit) else { throw .syntax("half a character in a string", start) }
            return Array(String(scalar).utf8)
        default: throw .syntax("an unknown escape in a string", start)
        }
    }

    private mutating func codeUnit(_ start: GraphQLProblem.Position) throws(GraphQLProblem) -> UInt32 {
        let digits = bytes[index...].prefix(4)
        // bounded: four hexadecimal digits
        guard digits.count == 4, let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
            digits.first != UInt8(ascii: "+")
        else { throw .syntax("four hexadecimal digits must follow \\u", start) }
        for _ in 0..<4 { advance() }
        return unit
    }

    /// A block string, as its lines without the indentation that they have in common.
    private mutating func block(_ start: GraphQLProblem.Position) throws(GraphQLProblem) -> String {
        for _ in 0..<3 { advance() }
        var result: [UInt8] = []
        while let byte = peek {
            if isAhead("\"\"\"") {
                for _ in 0..<3 { advance() }
                return Self.dedented(String(decoding: result, as: UTF8.self))
            }
            if isAhead("\\\"\"\"") {
                for _ in 0..<4 { advance() }
                result += Array("\"\"\"".utf8)
            } else {
                result.append(byte)
                advance()
            }
        }
        throw .syntax("a string does not end", start)
    }

    private static func dedented(_ text: String) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        // Other line breaks of Unicode are letters of the text.
        var lines = text.lines.map(\.utf8)
        let indent = lines.dropFirst().filter { !$0.allSatisfy(isBlank) }.map { $0.prefix(while: isBlank).count }.min()
        for line in lines.indices.dropFirst() { lines[line] = lines[line].dropFirst(indent ?? 0) }
        while lines.first?.allSatisfy(isBlank) == true { lines.removeFirst() }
        while lines.last?.allSatisfy(isBlank) == true { lines.removeLast() }
        return lines.map { String(Substring($0)) }.joined(separator: "\n")
    }
}

extension UInt8 {
    fileprivate var isNameByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
        default: false
        }
    }
}

/// Why a document, or a field of it, cannot be answered.
struct GraphQLProblem: Error, Hashable {
    /// What kind of problem it is, as `extensions.ErrorType` tells.
    enum Kind: String, Sendable {
        case syntax = "InvalidSyntax"
        case validation = "ValidationError"
        case fetching = "DataFetchingException"
    }

    /// A place in the document, both counted from 1.
    struct Position: Hashable, Sendable {
        var line = 1
        var column = 1
    }

    let kind: Kind
    let message: String
    var position: Position?
    /// The keys from the root of the answer to the field.
    var path: [String] = []

    static func syntax(_ message: String, _ position: Position) -> GraphQLProblem {
        GraphQLProblem(kind: .syntax, message: "Invalid Syntax: \(message)", position: position)
    }

    static func validation(_ message: String, _ position: Position?, _ path: [String] = []) -> GraphQLProblem {
        GraphQLProblem(kind: .validation, message: "Validation error: \(message)", position: position, path: path)
    }

    var json: JSONValue {
        var json: JSONObject = ["message": JSONValue(message)]
        if let position {
            json["locations"] = [["line": JSONValue(position.line), "column": JSONValue(position.column)]]
        }
        if !path.isEmpty { json["path"] = JSONValue(JSONArray(path.map { JSONValue($0) })) }
        json["extensions"] = ["ErrorType": JSONValue(kind.rawValue)]
        return JSONValue(json)
    }
}
