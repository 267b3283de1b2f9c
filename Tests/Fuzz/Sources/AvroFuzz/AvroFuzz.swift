// SPDX-License-Identifier: Apache-2.0

import EventWire
import FuzzSupport
import RestJSON

/// The schema of inputs that do not begin with one.
private let usual = #"""
    {"type":"record","name":"R","fields":[{"name":"a","type":["null","string"]},{"name":"b","type":"double"},
    {"name":"c","type":{"type":"array","items":["null","int","R",{"type":"enum","name":"E","symbols":["X","Y"]}]}},
    {"name":"d","type":{"type":"fixed","name":"F","size":3}},{"name":"e","type":["float","long","bytes"]},
    {"name":"f","type":["null",{"type":"record","name":"S","fields":[{"name":"g","type":"boolean"}]}]}]}
    """#

/// The function that libFuzzer calls with each input: a schema, a line feed, and the bytes of a value.
///
/// Unsafe by need: this is libFuzzer's C interface. The bytes are copied before anything else.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe fuzzedBytes(start, count)
    let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? -1
    let text = end < 0 ? usual : String(decoding: input[..<end], as: UTF8.self)
    let bytes = Array(input[(end + 1)...])
    do throws(AvroError) {
        let schema = try AvroSchema(parsing: text)
        checkBitmaps(schema, bytes)
        // A map can repeat a name, of which a record keeps the last.
        let hasMaps = schema.types.contains { $0.form == .map }
        check(schema, bytes, hasMaps: hasMaps)
    } catch {
        require(!error.description.isEmpty && error.path.utf8.count <= 2_000, "a short description")
    }
    return 0
}

private func check(_ schema: AvroSchema, _ bytes: [UInt8], hasMaps: Bool) {
    let limits = AvroLimits(bytes: 1 << 16, textBytes: 1 << 20, values: 1 << 16)
    let reader = AvroReader(schema, limits: limits)
    do throws(AvroError) {
        let value = try reader.read(bytes)
        guard let parsed = try? JSONValue(parsing: value.placed().document.bytes) else { fatalError("no valid JSON") }
        require(parsed == value, "the tape is that of the text")
        guard let written = try? AvroWriter(schema, limits: limits).bytes(of: value) else { return }
        guard let again = try? reader.read(written) else { fatalError("own bytes refused") }
        require(hasMaps || again == value, "round trip")
    } catch {
        require((error.offset ?? 0) >= 0 && (error.offset ?? 0) <= bytes.count, "an offset inside the bytes")
    }
    _ = try? AvroReader(schema, timesAsText: true, limits: limits).read(bytes)
}

/// Bitmaps give names, and these the same names again.
private func checkBitmaps(_ schema: AvroSchema, _ bytes: [UInt8]) {
    guard let bitmaps = FieldBitmaps(schema) else { return }
    let list = bytes.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
    guard let names = try? bitmaps.names(list) else { return }
    guard let again = try? bitmaps.names(bitmaps.bitmaps(names)) else { fatalError("own bitmaps refused") }
    require(Set(again) == Set(names), "the same names")
}
