// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Members of the object that is being written; one without a value is left out.
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

    /// An integer of 32 bits with sign.
    public func int32(_ name: StaticString, _ value: Int32?) {
        // bounded: wider than what it is made of
        int64(name, value.map { Int64($0) })
    }

    /// An integer of 64 bits with sign.
    public func int64(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        begin(name)
        output.append(int64: value)
    }

    /// An integer of 32 bits without sign.
    public func uint32(_ name: StaticString, _ value: UInt32?) {
        // bounded: wider than what it is made of
        uint64(name, value.map { UInt64($0) })
    }

    /// An integer of 64 bits without sign.
    public func uint64(_ name: StaticString, _ value: UInt64?) {
        guard let value else { return }
        begin(name)
        output.append(uint64: value)
    }

    /// A number of single precision.
    public func float32(_ name: StaticString, _ value: Float?) {
        guard let value else { return }
        begin(name)
        number(value)
    }

    /// A number of double precision.
    public func float64(_ name: StaticString, _ value: Double?) {
        guard let value else { return }
        begin(name)
        number(value)
    }

    /// A point in time, in a format.
    public func date(_ name: StaticString, _ value: Date?, _ format: StoneTimestamp) {
        guard let value else { return }
        begin(name)
        date(value, format)
    }

    /// Bytes, in base 64.
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

/// Values alone.
extension StoneWriter {
    /// A number, which must be finite.
    func number(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
        value.isFinite ? output.append(ascii: value.description) : refuse("JSON has no number \(value)")
    }

    /// A point in time within the years that the format can write.
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

    /// A number below 10,000 with so many digits.
    private func digits(_ number: Int, _ count: Int) {
        if count == 4 { digits(number / 100, 2) }
        output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10 % 10))
        output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
    }
}
