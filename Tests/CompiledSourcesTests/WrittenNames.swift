// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The names of types in generated sources: those that they declare, and those that they write without a type before
/// them.
struct WrittenNames {
    private(set) var declared: Set<String> = []
    private(set) var bare: Set<String> = []

    init(_ sources: some Collection<String>) {
        for source in sources {
            var isText = false
            for line in source.split(separator: "\n") {
                let trimmed = line.drop { $0 == " " }
                if trimmed.hasPrefix("\"\"\"") {
                    isText.toggle()
                } else if !isText, !trimmed.hasPrefix("//"), !trimmed.hasPrefix("#"), !trimmed.hasPrefix("@"),
                    !trimmed.contains("import ")
                {
                    read(Self.withoutLiterals(trimmed))
                }
            }
        }
    }

    private static func withoutLiterals(_ line: Substring) -> String {
        var (isLiteral, isEscaped) = (false, false)
        return line.reduce(into: "") { text, character in
            if character == "\"", !isEscaped { isLiteral.toggle() }
            isEscaped = character == "\\" && !isEscaped
            text.append(isLiteral ? "\"" : character)
        }
    }

    private static let kinds: Set = ["struct", "enum", "typealias"]

    private mutating func read(_ line: String) {
        var word = "", before: Character = " ", last = ""
        for character in line + " " {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                continue
            }
            if Self.kinds.contains(last) {
                if !word.isEmpty { declared.insert(word) }
            } else if word.first?.isUppercase == true, before != ".", before != "`" {
                bare.insert(word)
            }
            if !word.isEmpty { last = word }
            before = character
            word = ""
        }
    }
}

/// The public names of modules, as their sources declare them.
struct PublicNames {
    /// The types at the top of files, also single ones that are exported of other modules.
    private(set) var types: Set<String> = []
    /// The types inside other types, by the names of these.
    private(set) var nested: [String: Set<String>] = [:]
    private(set) var members: Set<String> = []

    /// Reads the sources of modules.
    init(of modules: [String]) throws {
        for module in modules {
            let folder = try Checkout.folder(of: module)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift")
            {
                let text = try Data(contentsOf: folder.appending(path: path))
                var outer = ""
                for line in text.split(separator: UInt8(ascii: "\n")) {
                    read(String(decoding: line, as: UTF8.self), &outer)
                }
            }
        }
    }

    private static let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    private static let values: Set<Substring> = ["func", "var", "let", "case", "associatedtype"]

    private mutating func read(_ line: String, _ outer: inout String) {
        let isTop = !line.hasPrefix(" ")
        if isTop, line.hasPrefix("}") { outer = "" }
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." && $0 != "@" }
        if isTop, let kind = words.firstIndex(where: { Self.kinds.contains($0) || $0 == "extension" }),
            kind + 1 < words.count
        {
            let name = words[kind + 1].split(separator: ".").last.map(String.init) ?? ""
            outer = String(words[kind + 1])
            if words[..<kind].contains("public"), words[kind] != "extension" { types.insert(name) }
        } else if words.contains("public") || line.contains("{ get") {
            if let kind = words.firstIndex(where: Self.kinds.contains), kind + 1 < words.count, line.hasPrefix("    p")
            {
                nested[outer, default: []].insert(String(words[kind + 1]))
            }
            if let kind = words.firstIndex(where: Self.values.contains), kind + 1 < words.count {
                members.insert(String(words[kind + 1]))
            }
        }
    }
}

/// The checkout that the tests were built from.
enum Checkout {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of a module, `Sources/DIRECTORY/MODULE`.
    static func folder(of module: String) throws -> URL {
        let sources = root.appending(path: "Sources")
        return try FileManager.default.contentsOfDirectory(atPath: sources.path).lazy
            .map { sources.appending(path: $0).appending(path: module).resolvingSymlinksInPath() }
            .first { FileManager.default.fileExists(atPath: $0.path) } ?? sources.appending(path: module)
    }
}
