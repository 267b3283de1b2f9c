// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestTesting

/// Strings that quoting code often handles incorrectly.
///
/// They contain quotes, line ends and special characters of every language into which values are written, with
/// combining marks after them. A character with its mark is one `Character` of two scalars.
struct AwkwardText {
    private static let chunks = [
        "'", "\"", "`", "\\", "\"\"\"", "'''", "''", "\"\"", "\r", "\n", "\r\n", "\t", "\0", "*/", "/*", "//", "--",
        "@{", "}",
        "${", "$(", ")", "\\(", "\\#(", ";", "|", "&", "#", "%", "_", "?", ",", ":", "=", "<", ">", "[", "]", "~", "!",
        " ",
        "\u{2028}", "\u{2029}", "\u{85}", "\u{0B}", "\u{0C}", "\u{FEFF}", "\u{7F}", "\u{1B}", "\u{E9}", "e\u{301}",
        "\u{D55C}",
        "\u{1112}\u{1161}\u{11AB}", "\u{1F469}\u{200D}\u{1F467}", "\u{1F1E6}", "\u{600}", "a", "B1", "n", "u{41}",
        "\\u0041",
    ]
    private static let marks = ["\u{301}", "\u{200D}", "\u{20DD}", "\u{FE0F}", "\u{1F3FD}", "\u{903}"]

    private var numbers: SeededGenerator

    init(seed: UInt64, _ place: Int) { numbers = SeededGenerator(seed: seed, path: [place]) }

    /// Returns a string of one to eight fragments, about half of them with a combining mark.
    mutating func text() -> String {
        (0..<Int.random(in: 1...8, using: &numbers)).map { _ in
            let chunk = Self.chunks.randomElement(using: &numbers) ?? ""
            return chunk + (Bool.random(using: &numbers) ? Self.marks.randomElement(using: &numbers) ?? "" : "")
        }.joined()
    }

    /// The seeds of a run, one by default or as many as `TEXT_SEEDS` says.
    static var seeds: Range<UInt64> {
        1..<1 + (ProcessInfo.processInfo.environment["TEXT_SEEDS"].flatMap { UInt64($0) } ?? 1)
    }

    /// Returns the strings of a seed, including each fragment alone with a random mark.
    static func texts(_ count: Int, seed: UInt64, _ place: Int) -> [String] {
        var awkward = AwkwardText(seed: seed, place)
        let pairs = chunks.map { $0 + (marks.randomElement(using: &awkward.numbers) ?? "") }
        return pairs + (0..<count).map { _ in awkward.text() }
    }
}

extension String {
    /// The bytes in hexadecimal digits, in which tests compare strings and report differences.
    var hex: String { utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    /// The string without NUL, for languages that do not support NUL.
    var withoutNUL: String { String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\0" })) }
}

enum Program {
    /// Runs a program with a string as its input, in the environment of every tool with `HOME`.
    static func run(_ arguments: [String], input: String) throws -> RunningProgram.Outcome {
        let home = ProcessInfo.processInfo.environment.filter { $0.key == "HOME" }
        return try RunningProgram.run(
            URL(filePath: "/usr/bin/env"), arguments, environment: Process.toolEnvironment(adding: home), input: input,
            in: FileManager.default.temporaryDirectory)
    }

    /// Returns the words that a script printed, each followed by a NUL.
    static func words(of script: String, by shell: String) throws -> [String] {
        let outcome = try run([shell], input: script)
        guard outcome.status == 0, outcome.errors.isEmpty else {
            throw RunningProgram.Failed(status: outcome.status, text: outcome.errors)
        }
        return outcome.bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
