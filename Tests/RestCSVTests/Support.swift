// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestCSV
import RestTransport

let plain = CSVReader.Options(hasHeader: false)

/// Reads the chunks of a text, and returns its rows and the error that stopped the reader.
func read(
    _ chunks: [[UInt8]], _ dialect: CSVDialect = .rfc4180, _ options: CSVReader.Options = plain
) -> (rows: [[String]], error: CSVError?) {
    var reader = CSVReader(dialect, options: options)
    var rows: [[String]] = []
    do throws(CSVError) {
        for chunk in chunks { rows += try reader.push(chunk).map { Array($0) } }
        rows += try reader.finish().map { Array($0) }
        return (rows, nil)
    } catch {
        return (rows, error)
    }
}

func read(
    _ text: String, _ dialect: CSVDialect = .rfc4180, _ options: CSVReader.Options = plain
) -> (rows: [[String]], error: CSVError?) {
    read([Array(text.utf8)], dialect, options)
}

func chunks(_ bytes: [UInt8], of size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
}

/// Returns random rows that contain everything with a special meaning in CSV.
func randomRows(_ random: inout SplitMix64, _ dialect: CSVDialect) -> [[String]] {
    let delimiter = String(UnicodeScalar(dialect.delimiter.byte))
    let parts = ["\"", "\"\"", delimiter, "\n", "\r\n", "\r", "", "a", "é", "日本", "😀", "#N/A", " ", "\u{FEFF}", "\0"]
    let long = String(repeating: "long text ", count: 13)
    let width = Int.random(in: 1...5, using: &random)
    return (0..<Int.random(in: 0...6, using: &random)).map { _ in
        (0..<width).map { _ in
            var text = Int.random(in: 0..<9, using: &random) == 0 ? long : ""
            for _ in 0..<Int.random(in: 0...4, using: &random) { text += parts.randomElement(using: &random) ?? "" }
            return text == dialect.null ? "" : text
        }
    }
}

let allDialects: [CSVDialect] = CSVDialect.Delimiter.platformNames.values.flatMap { delimiter in
    [CSVDialect(delimiter: delimiter)]
        + CSVDialect.LineEnding.allCases.map { CSVDialect.platform(delimiter: delimiter, lineEnding: $0) }
}

/// A simple reader for valid CSV that takes one byte after another, for comparison with the real reader.
enum SlowCSV {
    static func rows(_ bytes: [UInt8], _ dialect: CSVDialect) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        var isOpen = false
        while let byte = rest.popFirst() {
            isOpen = true
            if isQuoted {
                if byte != 0x22 {
                    field.append(byte)
                } else if rest.first == 0x22 {
                    rest.removeFirst()
                    field.append(0x22)
                } else {
                    isQuoted = false
                }
                continue
            }
            if byte == 0x22 {
                isQuoted = true
            } else if byte == dialect.delimiter.byte || byte == 0x0A || byte == 0x0D {
                row.append(String(decoding: field, as: UTF8.self))
                field = []
                if byte == dialect.delimiter.byte { continue }
                if byte == 0x0D, dialect.lineEnding != .cr { rest.removeFirst() }
                rows.append(row)
                row = []
                isOpen = false
            } else {
                field.append(byte)
            }
        }
        if isOpen { rows.append(row + [String(decoding: field, as: UTF8.self)]) }
        return rows
    }
}
