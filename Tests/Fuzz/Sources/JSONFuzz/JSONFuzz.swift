// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import MutatedPages
import RestJSON

/// Called by libFuzzer with each input.
///
/// If a property does not hold, the process ends, which reports the error.
///
/// Unsafe because it is libFuzzer's C interface. The bytes are copied first.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe fuzzedBytes(start, count)
    let parsed = Result { () throws(JSONError) in try JSONValue(parsing: bytes) }
    switch parsed {
    case .success(let value):
        checkRoundTrip(value, bytes)
        checkReading(value)
        checkDecoding(value)
    case .failure(let error):
        require(error.offset >= 0 && error.offset <= bytes.count, "offset inside the text")
        require(error.line >= 1 && error.column >= 1, "line and column from 1")
        require(!error.description.isEmpty, "a description")
    }
    require(PageDifference.first(in: bytes) == nil, "the plainest parser reads the same")
    return 0
}

/// Checks that a written value is parsed as the same value, in every layout.
private func checkRoundTrip(_ value: JSONValue, _ bytes: [UInt8]) {
    let compact = value.bytes()
    require(compact.count <= 6 * bytes.count, "compact text")
    for text in [compact, value.bytes(pretty: true), value.bytes(sortedKeys: true)] {
        guard let again = try? JSONValue(parsing: text) else { fatalError("own text refused") }
        require(again == value && again.hashValue == value.hashValue, "round trip")
    }
    guard let encoded = try? value.json() else { fatalError("own value refused") }
    require(encoded == compact, "encoder and writer agree")
}

/// Checks every accessor of every value, and finds every name.
private func checkReading(_ value: JSONValue) {
    require((value.string != nil) == (value.kind == .string), "string")
    require((value.numberText != nil) == (value.kind == .number), "number text")
    require(value.int == nil || value.kind == .number, "int")
    if let double = value.double { require(double.isFinite, "finite") }
    if let int = value.int, let double = value.double { require(Double(int) == double, "int and double agree") }
    if let string = value.string { _ = JSONTimestamp(string) }
    for (index, element) in (value.array ?? []).enumerated() {
        if index < 16 { require(value[index] == element, "element by index") }
        checkReading(element)
    }
    guard let object = value.object else { return }
    var last: [[UInt8]: JSONValue] = [:]
    for (key, member) in object {
        last[Array(key.utf8)] = member
        checkReading(member)
    }
    for key in object.keys { require(object[key] == last[Array(key.utf8)], "the last member of a name") }
    require(object["no such name"] == last[Array("no such name".utf8)], "absent name")
}

/// Checks that decoding any value throws or succeeds.
private func checkDecoding(_ value: JSONValue) {
    struct Record: Decodable {
        var id: Int8?
        var name: String?
        var score: Double?
        var list: [UInt64]?
        var child: [Record]?
        var any: JSONValue?
    }
    do {
        _ = try value.decode(Record.self, options: JSONDecodingOptions())
    } catch {
        require(!error.description.isEmpty, "a description")
    }
    _ = try? value.decode([String: JSONValue].self, options: .init(keyStrategy: .convertFromSnakeCase))
    guard let same = try? value.decode(JSONValue.self, options: JSONDecodingOptions()) else {
        fatalError("a value does not decode as itself")
    }
    require(same == value, "decodes as itself")
}
