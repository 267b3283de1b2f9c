// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestBase
import Testing

@testable import soql

@Suite("How wide text is on a terminal", .timeLimit(.minutes(1)))
struct ColumnWidthTests {
    @Test(
        "wide, joined, tinted, chosen and combining characters",
        arguments: [
            ("abc", 3), ("日本語", 6), ("e\u{301}", 1), ("ｱ", 1), ("Ａ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("🇩", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("👍🏽", 2),
            ("👍", 2), ("a\u{200D}b", 2), ("\u{AD}", 1), ("\u{200B}", 0), ("क्षि", 3), ("ไทย", 3), ("ก็", 1), ("—", 1),
            ("🫨", 2), ("\u{E9}", 1), ("𠮷", 2),
        ])
    func widths(text: String, columns: Int) {
        #expect(text.columnWidth == columns, "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
    }

    @Test("texts are cut and wrapped at the ends of characters")
    func cutting() {
        #expect("日本語".cut(toColumns: 4) == "日…")
        #expect("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦".cut(toColumns: 5) == "👩‍👩‍👧‍👦👩‍👩‍👧‍👦…")
        #expect("abcdefghij".cut(toColumns: 6, mark: "...") == "abc...")
        #expect("abcdefghij".cut(toColumns: 2, mark: "...") == "..")
        #expect("abcdefg".wrapped(toColumns: 3) == ["abc", "def", "g"])
        #expect("日本語".wrapped(toColumns: 3) == ["日", "本", "語"])
        #expect("日本語".wrapped(toColumns: 1) == ["日", "本", "語"])
        #expect("".wrapped(toColumns: 3) == [""])
    }

    @Test("the table is what its script makes of the same Unicode data, and in order")
    func table() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let kept = try String(
            contentsOf: root.appending(path: "Sources/Command/soql/Terminal/ColumnWidth+Table.swift"), encoding: .utf8)
        let version = try output(of: root, "--unicode").trimmingBlanks
        // Another Python has other data; the table of its own data is another one.
        if kept.contains("of Unicode \(version).") { #expect(try output(of: root) == kept) }
        for ranges in [ColumnWidthTable.wide, ColumnWidthTable.zero] {
            #expect(ranges.count > 100 && ranges.count.isMultiple(of: 2))
            #expect(
                zip(ranges, ranges.dropFirst()).enumerated().allSatisfy { $0 % 2 == 0 ? $1.0 <= $1.1 : $1.0 < $1.1 })
        }
    }

    private func output(of root: URL, _ arguments: String...) throws -> String {
        let (process, pipe) = (Process.tool(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", root.appending(path: ".ci/column-widths").path] + arguments
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text
    }
}
