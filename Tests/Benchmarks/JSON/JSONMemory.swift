// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Prints the peak memory of a parse as a multiple of the input, including the input.
///
/// The input is 64 pages, for which the allocator cannot reuse memory that it already holds.
func jsonMemoryFigure(_ page: JSONPage) {
    let name = "json.parse-peak-memory"
    var text: [UInt8] = [UInt8(ascii: "[")]
    text.reserveCapacity(64 * (page.bytes.count + 1) + 1)
    for index in 0..<64 {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text += page.bytes
    }
    text.append(UInt8(ascii: "]"))
    guard ProcessMemory.resetPeak(), let before = ProcessMemory.present,
        let document = try? JSONDocument(parsing: text),
        let peak = ProcessMemory.peak
    else {
        Figure.absent(name, peer: "/proc/self/clear_refs")
        return
    }
    consume(document)
    Figure(
        name: name, value: Double(peak - before + text.count) / Double(text.count), unit: "x", relation: .atMost,
        bound: 2.2
    ).print()
}
