// SPDX-License-Identifier: Apache-2.0

// Declarations of an Apple module, which are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public struct UUID: Hashable, Sendable, Codable, CustomStringConvertible {
    public init() {}
    public init?(uuidString: String) { nil }
    public var uuidString: String { "" }
    public var description: String { "" }
}
open class JSONEncoder {
    public init() {}
    open func encode<T: Encodable>(_ value: T) throws -> Data { fatalError() }
}
open class JSONDecoder {
    public init() {}
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}
public struct Decimal: Hashable, Comparable, Sendable, Codable, SignedNumeric, Strideable, ExpressibleByFloatLiteral,
    CustomStringConvertible
{
    public init() {}
    public init(_ v: Double) {}
    public init(_ v: Int) {}
    public init?(string: String, locale: Locale? = nil) { nil }
    public init?<T: BinaryInteger>(exactly s: T) { nil }
    public init(integerLiteral v: Int) {}
    public init(floatLiteral v: Double) {}
    public var isNaN: Bool { false }
    public var isFinite: Bool { false }
    public var description: String { "" }
    public var magnitude: Decimal { self }
    public var isInfinite: Bool { false }
    public var isZero: Bool { false }
    public static func < (a: Self, b: Self) -> Bool { false }
    public static func + (a: Self, b: Self) -> Self { a }
    public static func - (a: Self, b: Self) -> Self { a }
    public static func * (a: Self, b: Self) -> Self { a }
    public static func *= (a: inout Self, b: Self) {}
    public func distance(to other: Decimal) -> Decimal { self }
    public func advanced(by n: Decimal) -> Decimal { self }
}
extension String {
    public struct Encoding: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let utf8 = Encoding(rawValue: 4)
        public static let ascii = Encoding(rawValue: 1)
        public static let isoLatin1 = Encoding(rawValue: 5)
    }
    public init(contentsOfFile path: String, encoding enc: Encoding) throws { fatalError() }
    public init(contentsOf url: URL, encoding enc: Encoding) throws { fatalError() }
    public init?(data: Data, encoding: Encoding) { nil }
    public func data(using encoding: Encoding, allowLossyConversion: Bool = false) -> Data? { nil }
    public init(format: String, _ arguments: any CVarArg...) { fatalError() }
}
extension StringProtocol {
    public func write<T: StringProtocol>(
        toFile path: T, atomically useAuxiliaryFile: Bool, encoding enc: String.Encoding
    )
        throws
    {}
    public func write(to url: URL, atomically useAuxiliaryFile: Bool, encoding enc: String.Encoding) throws {}
    public func contains<T: StringProtocol>(_ other: T) -> Bool { false }
    public func replacingOccurrences<T: StringProtocol, R: StringProtocol>(of target: T, with replacement: R) -> String
    {
        ""
    }
    public func components<T: StringProtocol>(separatedBy separator: T) -> [String] { [] }
    public func trimmingCharacters(in set: CharacterSet) -> String { "" }
    public func lowercased(with locale: Locale?) -> String { "" }
}
public struct CharacterSet: Sendable, ExpressibleByArrayLiteral {
    public init(arrayLiteral: Unicode.Scalar...) {}
    public static let whitespacesAndNewlines = CharacterSet()
    public static let whitespaces = CharacterSet()
    public static let alphanumerics = CharacterSet()
    public static let newlines = CharacterSet()
    public static let controlCharacters = CharacterSet()
    public static let decimalDigits = CharacterSet()
    public static let urlQueryAllowed = CharacterSet()
    public init() {}
    public init(charactersIn: String) {}
}
open class JSONSerialization {
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let fragmentsAllowed = ReadingOptions(rawValue: 4)
    }
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let sortedKeys = WritingOptions(rawValue: 2)
        public static let fragmentsAllowed = WritingOptions(rawValue: 4)
    }
    open class func jsonObject(with data: Data, options: ReadingOptions = []) throws -> Any { 0 }
    open class func data(withJSONObject: Any, options: WritingOptions = []) throws -> Data { Data() }
}
extension JSONDecoder {
    public enum DateDecodingStrategy: Sendable { case iso8601, secondsSince1970, millisecondsSince1970, deferredToDate }
    public var dateDecodingStrategy: DateDecodingStrategy {
        get { .iso8601 }
        set {}
    }
}
extension JSONEncoder {
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let sortedKeys = OutputFormatting(rawValue: 1)
        public static let prettyPrinted = OutputFormatting(rawValue: 2)
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
    }
    public var outputFormatting: OutputFormatting {
        get { [] }
        set {}
    }
    public enum DateEncodingStrategy: Sendable { case iso8601, secondsSince1970, millisecondsSince1970, deferredToDate }
    public var dateEncodingStrategy: DateEncodingStrategy {
        get { .iso8601 }
        set {}
    }
}
extension Decimal {
    public static var nan: Decimal { fatalError() }
    public static let pi = Decimal()
    public static let greatestFiniteMagnitude = Decimal()
    public static let leastNonzeroMagnitude = Decimal()
    public static func / (a: Decimal, b: Decimal) -> Decimal { a }
    public static func pow(_ x: Decimal, _ y: Int) -> Decimal { x }
}
extension StringProtocol {
    public func addingPercentEncoding(withAllowedCharacters: CharacterSet) -> String? { nil }
    public var removingPercentEncoding: String? { nil }
    public func localizedStandardContains<T: StringProtocol>(_ s: T) -> Bool { false }
    public func range<T: StringProtocol>(of s: T) -> Range<Index>? { nil }
    public var capitalized: String { "" }
}
