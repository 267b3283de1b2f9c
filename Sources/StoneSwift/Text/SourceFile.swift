// SPDX-License-Identifier: Apache-2.0

/// A generated file: its header, the imports that its text needs, and its parts.
struct SourceFile {
    let text: String

    init(_ options: SwiftOptions, _ parts: [SwiftText]) {
        let body = parts.map { $0.lines.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
        var lines = [
            "// SPDX-License-Identifier: Apache-2.0",
            "// swift-format-ignore-file",
            "// Written by stonegen \(SwiftEmitter.version) (\(options.summary)) from specs with the hash \(options.specHash).",
            "// Do not change it; change the specs and run stonegen again.",
            "",
        ]
        if ["Stone", "Route", "JobState"].contains(where: body.contains) {
            lines.append(Self.isPublic(body) ? "public import StoneRuntime" : "import StoneRuntime")
        }
        if body.contains("body: HTTPBody") { lines.append("public import RestSDK") }
        if Self.names("Date", in: body) {
            lines += [
                "", "#if canImport(FoundationEssentials)", "public import FoundationEssentials", "#else",
                "public import Foundation", "#endif",
            ]
        }
        if lines.last != "" { lines.append("") }
        text = lines.joined(separator: "\n") + "\n" + body
    }

    /// Whether the runtime's types are in public declarations; jobs are read inside the module alone.
    private static func isPublic(_ body: String) -> Bool {
        body.contains("public struct") || body.contains("public enum") || body.contains("public func")
            || body.contains("public static") || body.contains("public let")
    }

    /// Whether a type's name stands by itself somewhere outside of comments.
    private static func names(_ name: String, in body: String) -> Bool {
        body.split(separator: "\n").contains { line in
            guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return false }
            return line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." && $0 != "`" }.contains {
                $0 == name[...]
            }
        }
    }
}
