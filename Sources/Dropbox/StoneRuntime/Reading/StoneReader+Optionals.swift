// SPDX-License-Identifier: Apache-2.0

import RestJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Values that may be absent or `null`, which gives `nil`; each throws ``StoneFailure`` for one of another kind.
extension StoneReader {
    /// A string, if there is one.
    public func optionalString(_ slot: Int) throws(StoneFailure) -> String? { isThere(slot) ? try string(slot) : nil }

    /// A boolean, if there is one.
    public func optionalBool(_ slot: Int) throws(StoneFailure) -> Bool? { isThere(slot) ? try bool(slot) : nil }

    /// An integer of 32 bits with sign, if there is one.
    public func optionalInt32(_ slot: Int) throws(StoneFailure) -> Int32? { isThere(slot) ? try int32(slot) : nil }

    /// An integer of 64 bits with sign, if there is one.
    public func optionalInt64(_ slot: Int) throws(StoneFailure) -> Int64? { isThere(slot) ? try int64(slot) : nil }

    /// An integer of 32 bits without sign, if there is one.
    public func optionalUInt32(_ slot: Int) throws(StoneFailure) -> UInt32? { isThere(slot) ? try uint32(slot) : nil }

    /// An integer of 64 bits without sign, if there is one.
    public func optionalUInt64(_ slot: Int) throws(StoneFailure) -> UInt64? { isThere(slot) ? try uint64(slot) : nil }

    /// A number of single precision, if there is one.
    public func optionalFloat32(_ slot: Int) throws(StoneFailure) -> Float? { isThere(slot) ? try float32(slot) : nil }

    /// A number of double precision, if there is one.
    public func optionalFloat64(_ slot: Int) throws(StoneFailure) -> Double? { isThere(slot) ? try float64(slot) : nil }

    /// A point in time written in a format, if there is one.
    public func optionalDate(_ slot: Int, _ format: StoneTimestamp) throws(StoneFailure) -> Date? {
        isThere(slot) ? try date(slot, format) : nil
    }

    /// Bytes written in base 64, if there are any.
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

    /// Whether a slot has a value other than `null`.
    func isThere(_ slot: Int) -> Bool {
        let place = frames.place(in: slot)
        return place != 0 && !document.isNull(at: place)
    }
}
