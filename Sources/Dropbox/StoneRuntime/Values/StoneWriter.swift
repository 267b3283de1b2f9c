// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Writes the members of structs and unions of a spec as JSON text.
///
/// Members that are `nil` are left out. The first value that cannot be written is noted, and thrown at the end.
public final class StoneWriter {
    let output = JSONOutput.empty()
    /// Whether the text is for people, and has only the name of an unknown tag.
    let isForPeople: Bool
    private var isFirst = true
    private var depth = 0
    /// The member of the first value that cannot be written, and the reason.
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

    /// Returns the text.
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

    /// Writes an unknown tag with its whole object, or only the tag for people.
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

    /// Writes a map with sorted keys, so that equal maps have equal texts.
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

    /// Writes `null` instead of a value that cannot be written.
    func refuse(_ reason: String) {
        problem = problem ?? ("\(member)", reason)
        null()
    }

    func null() { output.append(ascii: "null") }

    private func enter() -> Bool {
        depth &+= 1
        guard depth > StoneReader.maximumDepth else { return true }
        problem = problem ?? ("\(member)", "more than \(StoneReader.maximumDepth) nested values")
        return false
    }

    private func leave() { depth &-= 1 }
}

/// Members of an object. A member without a value is left out.
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

    /// A point in time in a format.
    public func date(_ name: StaticString, _ value: Date?, _ format: StoneTimestamp) {
        guard let value else { return }
        begin(name)
        date(value, format)
    }

    /// Bytes in base64.
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
        value.isFinite ? output.append(ascii: value.description) : refuse("JSON cannot represent the number \(value)")
    }

    func date(_ value: Date, _ format: StoneTimestamp) {
        guard let parts = TimestampParts(secondsSince1970: value.timeIntervalSince1970) else {
            return refuse("the date is outside of the years 1 to 9999")
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

    /// Writes a number below 10,000 with leading zeros.
    private func digits(_ number: Int, _ count: Int) {
        if count == 4 { digits(number / 100, 2) }
        output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10 % 10))
        output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
    }
}
