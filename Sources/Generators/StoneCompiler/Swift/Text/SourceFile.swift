// SPDX-License-Identifier: Apache-2.0

import RestText
import SwiftSource

/// A generated file: its header, the imports that its text needs, and its parts.
struct SourceFile {
    let text: String

    init(_ options: SwiftOptions, _ parts: [SwiftText]) {
        var lines = [
            "// SPDX-License-Identifier: Apache-2.0",
            "// swift-format-ignore-file",
            "// Written by stonegen \(SwiftEmitter.version) (\(options.summary)) from specs with the hash \(options.specHash).",
            "// Do not change it; change the specs and run stonegen again.",
            "",
        ]
        let words = SwiftCodeWords(parts)
        if words.hasRuntimeTypes {
            lines.append(words.all.contains("public") ? "public import StoneRuntime" : "import StoneRuntime")
        }
        if words.all.contains("HTTPBody") { lines.append("public import RestSDK") }
        if words.all.contains("Date") {
            lines += [
                "", "#if canImport(FoundationEssentials)", "public import FoundationEssentials", "#else",
                "public import Foundation", "#endif",
            ]
        }
        if lines.last != "" { lines.append("") }
        let body = parts.map { $0.lines.joined(separator: "\n") }.joined(separator: "\n\n")
        text = lines.joined(separator: "\n") + "\n" + body + "\n"
    }
}

/// The names that stand by themselves in code, outside of comments and literals.
private struct SwiftCodeWords {
    private(set) var all: Set<Substring> = []
    /// Whether one of them is of the runtime.
    var hasRuntimeTypes: Bool {
        all.contains { word in SwiftNames.runtimeTypes.contains(String(word.prefix(before: "."))) }
    }

    init(_ parts: [SwiftText]) {
        for line in parts.lazy.flatMap(\.lines) { add(line) }
    }

    private mutating func add(_ line: String) {
        let bytes = line.utf8
        guard !bytes.drop(while: { $0 == UInt8(ascii: " ") }).starts(with: "//".utf8) else { return }
        let (quote, escape) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        var (isLiteral, isEscaped) = (false, false)
        // What stands in a literal is a separator as its quotes are.
        let words = bytes.split { byte in
            defer {
                isLiteral = isLiteral != (byte == quote && !isEscaped)
                isEscaped = byte == escape && !isEscaped
            }
            return isLiteral || !Self.isPart(byte)
        }
        for word in words { all.insert(Substring(word)) }
    }

    /// Whether a byte belongs to a word; a dot does, so that a member of this name is another word.
    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "`"), 0x80...:
            true
        default: false
        }
    }
}
