// SPDX-License-Identifier: Apache-2.0

/// A value that fills one field.
protocol CSVScalar: Codable {
    /// Reads a field strictly: no spaces, no signs that nobody needs; nil if it is no such value.
    init?(field: String)
    /// The text of the field; nil for what no field can hold.
    var field: String? { get }
}

extension String: CSVScalar {
    init?(field: String) { self = field }
    var field: String? { self }
}

extension Bool: CSVScalar {
    /// `true`, `false`, `1` or `0`, in either case.
    init?(field: String) {
        switch field {
        case "true", "TRUE", "True", "1": self = true
        case "false", "FALSE", "False", "0": self = false
        default: return nil
        }
    }

    var field: String? { self ? "true" : "false" }
}

extension CSVScalar where Self: FixedWidthInteger {
    init?(field: String) {
        guard field.utf8.first != UInt8(ascii: "+") else { return nil }
        // The range of the type is the bound; what is outside of it gives nil.
        self.init(field, radix: 10)  // bounded: the type's own range, nil outside of it
    }

    var field: String? { String(self) }
}

extension Int: CSVScalar {}
extension Int8: CSVScalar {}
extension Int16: CSVScalar {}
extension Int32: CSVScalar {}
extension Int64: CSVScalar {}
extension Int128: CSVScalar {}
extension UInt: CSVScalar {}
extension UInt8: CSVScalar {}
extension UInt16: CSVScalar {}
extension UInt32: CSVScalar {}
extension UInt64: CSVScalar {}
extension UInt128: CSVScalar {}

extension CSVScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// Digits, a point, an exponent; no words and no hexadecimal digits, and nothing that rounds to infinity.
    init?(field: String) {
        let isDecimal = field.utf8.allSatisfy { byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-.eE".utf8.contains(byte) || byte == UInt8(ascii: "+")
        }
        guard isDecimal, field.utf8.first != UInt8(ascii: "+"), let value = Self(field), value.isFinite else {
            return nil
        }
        self = value
    }

    var field: String? { isFinite ? description : nil }
}

extension Double: CSVScalar {}
extension Float: CSVScalar {}
