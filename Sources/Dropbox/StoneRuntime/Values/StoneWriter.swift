// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A writer for structs and unions of a spec, which writes JSON directly as bytes.
///
/// Members that are `nil` are omitted. An error is stored and thrown by the outermost call.
public final class StoneWriter {
    let output = JSONOutput.empty()
    /// Whether to omit the data of unknown tags.
    let isForPeople: Bool
    private var isFirst = true
    private var depth = 0
    private var problem: (member: String, reason: String)?
    private var member: StaticString = ""

    init(isForPeople: Bool = false) {
        self.isForPeople = isForPeople
    }

    static func text(of value: some StoneType, isForPeople: Bool = false) -> [UInt8] {
        let writer = StoneWriter(isForPeople: isForPeople)
        writer.object(value)
        return writer.output.bytes
    }

    /// Returns the JSON.
    ///
    /// - Throws: `JSONEncodingError` for the first value that cannot be encoded.
    func result() throws(JSONEncodingError) -> [UInt8] {
        guard let problem else { return output.bytes }
        let path = problem.member.isEmpty ? [] : [jsonKey(problem.member)]
        throw JSONEncodingError(reason: .invalidValue, codingPath: path, message: problem.reason)
    }

    /// Writes the tag of a union.
    public func tag(_ tag: StaticString) {
        begin(".tag")
        output.append(UInt8(ascii: "\""))
        output.append(plain: tag)
        output.append(UInt8(ascii: "\""))
    }

    /// Writes an unknown tag with all its data, or the tag alone for people.
    public func unknown(_ tag: UnknownTag) {
        guard !isForPeople else {
            begin(".tag")
            return output.append(string: tag.tag)
        }
        if !isFirst { output.append(UInt8(ascii: ",")) }
        output.append(tag.members)
        isFirst = false
    }

    func begin(_ name: StaticString) {
        output.append(name: name, isFirst: isFirst)
        isFirst = false
        member = name
    }

    func object(_ value: some StoneType) {
        output.append(UInt8(ascii: "{"))
        isFirst = true
        if enter() { value.write(to: self) }
        leave()
        output.append(UInt8(ascii: "}"))
        isFirst = false
    }

    func array<Element>(_ elements: [Element], _ write: (StoneWriter, Element) -> Void) {
        output.append(UInt8(ascii: "["))
        if enter() {
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                write(self, element)
            }
        }
        leave()
        output.append(UInt8(ascii: "]"))
    }

    /// Writes a map with sorted keys, so that equal maps have equal JSON.
    func map<Value>(_ values: [String: Value], _ write: (StoneWriter, Value) -> Void) {
        output.append(UInt8(ascii: "{"))
        if enter() {
            for (index, entry) in values.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                output.append(string: entry.key, colon: true)
                write(self, entry.value)
            }
        }
        leave()
        output.append(UInt8(ascii: "}"))
        isFirst = false
    }

    func refuse(_ reason: String) {
        problem = problem ?? ("\(member)", reason)
        null()
    }

    func null() { output.append(ascii: "null") }

    private func enter() -> Bool {
        depth &+= 1
        guard depth > StoneReader.maximumDepth else { return true }
        problem = problem ?? ("\(member)", "more than \(StoneReader.maximumDepth) values inside one another")
        return false
    }

    private func leave() { depth &-= 1 }
}

/// Writes members of the current object, except members that are `nil`.
extension StoneWriter {
    /// A string.
    public func string(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        begin(name)
        output.append(string: value)
    }

    /// A boolean.
    public func bool(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        begin(name)
        output.append(ascii: value ? "true" : "false")
    }

    /// A signed 32-bit integer.
    public func int32(_ name: StaticString, _ value: Int32?) {
        // bounded: wider than what it is made of
        int64(name, value.map { Int64($0) })
    }

    /// A signed 64-bit integer.
    public func int64(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        begin(name)
        output.append(int64: value)
    }

    /// An unsigned 32-bit integer.
    public func uint32(_ name: StaticString, _ value: UInt32?) {
        // bounded: wider than what it is made of
        uint64(name, value.map { UInt64($0) })
    }

    /// An unsigned 64-bit integer.
    public func uint64(_ name: StaticString, _ value: UInt64?) {
        guard let value else { return }
        begin(name)
        output.append(uint64: value)
    }

    /// A single-precision number.
    public func float32(_ name: StaticString, _ value: Float?) {
        guard let value else { return }
        begin(name)
        number(value)
    }

    /// A double-precision number.
    public func float64(_ name: StaticString, _ value: Double?) {
        guard let value else { return }
        begin(name)
        number(value)
    }

    /// A date in a format.
    public func date(_ name: StaticString, _ value: Date?, _ format: StoneTimestamp) {
        guard let value else { return }
        begin(name)
        date(value, format)
    }

    /// Bytes in Base64.
    public func bytes(_ name: StaticString, _ value: [UInt8]?) {
        guard let value else { return }
        begin(name)
        output.append(string: Base64.encode(value))
    }

    /// A struct or union.
    public func value<T: StoneType>(_ name: StaticString, _ value: T?) {
        guard let value else { return }
        begin(name)
        object(value)
    }

    /// A list of structs or unions.
    public func list<T: StoneType>(_ name: StaticString, _ values: [T]?) {
        guard let values else { return }
        begin(name)
        array(values) { $0.object($1) }
    }

    /// A list of strings.
    public func strings(_ name: StaticString, _ values: [String]?) {
        guard let values else { return }
        begin(name)
        array(values) { $0.output.append(string: $1) }
    }

    /// A value of any other type.
    public func coded<Value>(_ name: StaticString, _ value: Value?, _ coding: StoneCoding<Value>) {
        guard let value else { return }
        begin(name)
        coding.write(self, value)
    }
}

extension StoneWriter {
    func number(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
        value.isFinite ? output.append(ascii: value.description) : refuse("JSON has no number \(value)")
    }

    func date(_ value: Date, _ format: StoneTimestamp) {
        guard let parts = TimestampParts(secondsSince1970: value.timeIntervalSince1970) else {
            return refuse("the date is not one of the years 1 to 9999")
        }
        output.append(UInt8(ascii: "\""))
        digits(parts.year, 4)
        output.append(UInt8(ascii: "-"))
        digits(parts.month, 2)
        output.append(UInt8(ascii: "-"))
        digits(parts.day, 2)
        if case .seconds = format { time(parts) }
        output.append(UInt8(ascii: "\""))
    }

    private func time(_ parts: TimestampParts) {
        output.append(UInt8(ascii: "T"))
        digits(parts.hour, 2)
        output.append(UInt8(ascii: ":"))
        digits(parts.minute, 2)
        output.append(UInt8(ascii: ":"))
        digits(parts.second, 2)
        output.append(UInt8(ascii: "Z"))
    }

    private func digits(_ number: Int, _ count: Int) {
        if count == 4 { digits(number / 100, 2) }
        output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10 % 10))
        output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
    }
}
