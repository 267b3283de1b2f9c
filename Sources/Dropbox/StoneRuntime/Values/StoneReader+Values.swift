// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Required values. Each method throws ``StoneFailure`` if the slot has no value or a value of another kind.
extension StoneReader {
    /// A string.
    public func string(_ slot: Int) throws(StoneFailure) -> String {
        guard case let place = frames.place(in: slot), place != 0, let text = document.characters(at: place) else {
            throw failure(in: slot, "a string")
        }
        return text
    }

    /// A boolean.
    public func bool(_ slot: Int) throws(StoneFailure) -> Bool {
        guard case let place = frames.place(in: slot), place != 0, let flag = document.bool(at: place) else {
            throw failure(in: slot, "a bool")
        }
        return flag
    }

    /// An integer from -2³¹ to 2³¹ - 1.
    public func int32(_ slot: Int) throws(StoneFailure) -> Int32 {
        guard case let place = frames.place(in: slot), place != 0, let number = document.int64(at: place),
            let value = Int32(exactly: number)
        else { throw failure(in: slot, "a number without fraction that fits in Int32") }
        return value
    }

    /// An integer from -2⁶³ to 2⁶³ - 1.
    public func int64(_ slot: Int) throws(StoneFailure) -> Int64 {
        guard case let place = frames.place(in: slot), place != 0, let number = document.int64(at: place) else {
            throw failure(in: slot, "a number without fraction that fits in Int64")
        }
        return number
    }

    /// An integer from 0 to 2³² - 1.
    public func uint32(_ slot: Int) throws(StoneFailure) -> UInt32 {
        guard case let place = frames.place(in: slot), place != 0, let number = document.uint64(at: place),
            let value = UInt32(exactly: number)
        else { throw failure(in: slot, "a number without fraction that fits in UInt32") }
        return value
    }

    /// An integer from 0 to 2⁶⁴ - 1.
    public func uint64(_ slot: Int) throws(StoneFailure) -> UInt64 {
        guard case let place = frames.place(in: slot), place != 0, let number = document.uint64(at: place) else {
            throw failure(in: slot, "a number without fraction that fits in UInt64")
        }
        return number
    }

    /// A single-precision number.
    public func float32(_ slot: Int) throws(StoneFailure) -> Float {
        guard case let place = frames.place(in: slot), place != 0, let number = document.single(at: place) else {
            throw failure(in: slot, "a number that fits in Float32")
        }
        return number
    }

    /// A double-precision number.
    public func float64(_ slot: Int) throws(StoneFailure) -> Double {
        guard case let place = frames.place(in: slot), place != 0, let number = document.double(at: place) else {
            throw failure(in: slot, "a number that fits in Float64")
        }
        return number
    }

    /// A point in time in a format.
    public func date(_ slot: Int, _ format: StoneTimestamp) throws(StoneFailure) -> Date {
        guard case let place = frames.place(in: slot), place != 0, let date = date(format, at: place) else {
            throw failure(in: slot, "a string in the format \(format)")
        }
        return date
    }

    /// Bytes in base64.
    public func bytes(_ slot: Int) throws(StoneFailure) -> [UInt8] {
        guard case let place = frames.place(in: slot), place != 0,
            let bytes = document.characters(at: place).flatMap(Base64.decode)
        else { throw failure(in: slot, "a string in base64") }
        return bytes
    }

    /// A struct or union.
    public func value<T: StoneType>(_ slot: Int) throws(StoneFailure) -> T {
        try read(at: present(slot, "an object"))
    }

    /// A list of structs or unions.
    public func list<T: StoneType>(_ slot: Int) throws(StoneFailure) -> [T] {
        try elements(at: present(slot, "an array")) { (reader, place) throws(StoneFailure) in try reader.read(at: place)
        }
    }

    /// A list of strings.
    public func strings(_ slot: Int) throws(StoneFailure) -> [String] {
        try elements(at: present(slot, "an array")) { (reader, place) throws(StoneFailure) in
            guard let text = reader.document.characters(at: place) else { throw reader.mismatch("a string", at: place) }
            return text
        }
    }

    /// A value of any other type.
    public func coded<Value>(_ slot: Int, _ coding: StoneCoding<Value>) throws(StoneFailure) -> Value {
        try read(coding, at: present(slot, coding.name))
    }

    /// The place of a slot's value, which is required.
    private func present(_ slot: Int, _ needed: String) throws(StoneFailure) -> Int {
        let place = frames.place(in: slot)
        guard place != 0 else { throw failure(in: slot, needed) }
        return place
    }
}

extension StoneReader {
    /// The point in time at a place, or `nil` for another format.
    func date(_ format: StoneTimestamp, at place: Int) -> Date? {
        let text = document.plainText(at: place) ?? document.characters(at: place).map { ArraySlice($0.utf8) }
        guard let seconds = text.flatMap({ format.seconds(in: $0) }) else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }

    func elements<Element>(
        at place: Int, _ read: (StoneReader, Int) throws(StoneFailure) -> Element
    ) throws(StoneFailure) -> [Element] {
        guard let inside = document.inside(.array, at: place) else { throw mismatch("an array", at: place) }
        try descend(to: place)
        defer { ascend() }
        let isLong = inside.count >= Self.longArray
        var elements: [Element] = []
        // Room for more elements is made as they are read, because a long array may have invalid elements.
        elements.reserveCapacity(min(document.count(at: place), Self.mostReserved))
        var next = inside.lowerBound
        while next < inside.upperBound {
            if isLong, elements.count.isMultiple(of: Self.elementsBetween), Task.isCancelled {
                throw StoneFailure(.interrupted, at: place, "the reading was cancelled")
            }
            elements.append(try read(self, next))
            next = document.index(after: next)
        }
        return elements
    }

    /// The minimum number of places of an array whose reading can be cancelled.
    private static let longArray = 1 << 11
    /// The maximum number of elements for which room is reserved.
    private static let mostReserved = 1 << 12
    /// The number of elements between two checks for cancellation.
    private static let elementsBetween = 64
}

/// Optional values: `nil` if the value is absent or `null`. Each method throws ``StoneFailure`` for another kind.
extension StoneReader {
    /// A string, if there is one.
    public func optionalString(_ slot: Int) throws(StoneFailure) -> String? { isThere(slot) ? try string(slot) : nil }

    /// A boolean, if there is one.
    public func optionalBool(_ slot: Int) throws(StoneFailure) -> Bool? { isThere(slot) ? try bool(slot) : nil }

    /// A signed 32-bit integer, if there is one.
    public func optionalInt32(_ slot: Int) throws(StoneFailure) -> Int32? { isThere(slot) ? try int32(slot) : nil }

    /// A signed 64-bit integer, if there is one.
    public func optionalInt64(_ slot: Int) throws(StoneFailure) -> Int64? { isThere(slot) ? try int64(slot) : nil }

    /// An unsigned 32-bit integer, if there is one.
    public func optionalUInt32(_ slot: Int) throws(StoneFailure) -> UInt32? { isThere(slot) ? try uint32(slot) : nil }

    /// An unsigned 64-bit integer, if there is one.
    public func optionalUInt64(_ slot: Int) throws(StoneFailure) -> UInt64? { isThere(slot) ? try uint64(slot) : nil }

    /// A single-precision number, if there is one.
    public func optionalFloat32(_ slot: Int) throws(StoneFailure) -> Float? { isThere(slot) ? try float32(slot) : nil }

    /// A double-precision number, if there is one.
    public func optionalFloat64(_ slot: Int) throws(StoneFailure) -> Double? { isThere(slot) ? try float64(slot) : nil }

    /// A point in time in a format, if there is one.
    public func optionalDate(_ slot: Int, _ format: StoneTimestamp) throws(StoneFailure) -> Date? {
        isThere(slot) ? try date(slot, format) : nil
    }

    /// Bytes in base64, if there are any.
    public func optionalBytes(_ slot: Int) throws(StoneFailure) -> [UInt8]? { isThere(slot) ? try bytes(slot) : nil }

    /// A struct or union, if there is one.
    public func optionalValue<T: StoneType>(_ slot: Int) throws(StoneFailure) -> T? {
        isThere(slot) ? try value(slot) : nil
    }

    /// A list of structs or unions, if there is one.
    public func optionalList<T: StoneType>(_ slot: Int) throws(StoneFailure) -> [T]? {
        isThere(slot) ? try list(slot) : nil
    }

    /// A list of strings, if there is one.
    public func optionalStrings(_ slot: Int) throws(StoneFailure) -> [String]? {
        isThere(slot) ? try strings(slot) : nil
    }

    /// A value of any other type, if there is one.
    public func optionalCoded<Value>(
        _ slot: Int, _ coding: StoneCoding<Value>
    ) throws(StoneFailure) -> Value? {
        isThere(slot) ? try coded(slot, coding) : nil
    }

    func isThere(_ slot: Int) -> Bool {
        let place = frames.place(in: slot)
        return place != 0 && !document.isNull(at: place)
    }
}
