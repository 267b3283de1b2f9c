// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import RestCSV

/// Called by libFuzzer with each input: two bytes that select a dialect, limits and chunk sizes, and then a text.
///
/// Unsafe because it is libFuzzer's C interface. The bytes are copied first.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe fuzzedBytes(start, count)
    guard bytes.count >= 2 else { return 0 }
    let (choice, size) = (Int(bytes[0]), 1 + Int(bytes[1]) % 80)
    let text = Array(bytes[2...])
    let endings: [CSVDialect.LineEnding?] = [nil, .lf, .crlf, .cr]
    let dialect = CSVDialect(
        delimiter: choice & 4 == 0 ? .comma : .tab, lineEnding: endings[choice & 3], null: choice & 8 == 0 ? nil : "N")
    var options = CSVReader.Options(hasHeader: choice & 16 != 0, allowsAnyWidth: choice & 32 != 0)
    if choice & 64 != 0 {
        options.limits = CSVLimits(maximumFieldBytes: 20, maximumRowBytes: 50, maximumColumns: 4)
    }
    let whole = read([text], dialect, options)
    let parts = stride(from: 0, to: text.count, by: size).map { Array(text[$0..<min($0 + size, text.count)]) }
    let cut = read(parts, dialect, options)
    require(whole.rows == cut.rows, "the rows do not depend on the pieces")
    require(whole.error?.description == cut.error?.description, "nor does the fault")
    if let error = whole.error {
        require(error.offset >= 0 && error.offset <= text.count, "offset inside the text")
        require(error.row >= 1 && error.column >= 1 && error.line >= 1, "row, column and line from 1")
    }
    checkRoundTrip(whole.rows, dialect)
    return 0
}

private func read(
    _ parts: [[UInt8]], _ dialect: CSVDialect, _ options: CSVReader.Options
) -> (rows: [[String]], error: CSVError?) {
    var reader = CSVReader(dialect, options: options)
    var rows: [[String]] = []
    do throws(CSVError) {
        for part in parts { rows += try reader.push(part).map { Array($0) } }
        rows += try reader.finish().map { Array($0) }
        return (rows, nil)
    } catch {
        return (rows, error)
    }
}

/// Checks that rows are written and read back unchanged, except for the null text and rows of another width.
private func checkRoundTrip(_ rows: [[String]], _ dialect: CSVDialect) {
    guard var writer = try? CSVWriter(dialect) else { fatalError("no writer") }
    var kept: [[String]] = []
    for row in rows where (try? writer.append(row: row)) != nil { kept.append(row) }
    let again = read([writer.takeBytes()], dialect, CSVReader.Options(hasHeader: false))
    require(again.error == nil, "own text refused")
    require(again.rows == kept, "round trip")
}
