// SPDX-License-Identifier: Apache-2.0

// Declarations of an Apple module, which are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public typealias TimeInterval = Double
public struct Date: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    public typealias Stride = TimeInterval
    public init() {}
    public init(timeIntervalSince1970: TimeInterval) {}
    public init(timeIntervalSinceNow: TimeInterval) {}
    public init(timeIntervalSinceReferenceDate: TimeInterval) {}
    public init(timeInterval: TimeInterval, since: Date) {}
    public static var now: Date { Date() }
    public static let distantFuture = Date()
    public static let distantPast = Date()
    public var timeIntervalSince1970: TimeInterval { 0 }
    public var timeIntervalSinceNow: TimeInterval { 0 }
    public var timeIntervalSinceReferenceDate: TimeInterval { 0 }
    public func timeIntervalSince(_ d: Date) -> TimeInterval { 0 }
    public func addingTimeInterval(_ t: TimeInterval) -> Date { self }
    public static func < (a: Date, b: Date) -> Bool { false }
    public static func + (a: Date, b: TimeInterval) -> Date { a }
    public static func - (a: Date, b: TimeInterval) -> Date { a }
    public static func += (a: inout Date, b: TimeInterval) {}
    public static func -= (a: inout Date, b: TimeInterval) {}
    public var description: String { "" }
}
extension Date: Strideable {
    public func distance(to other: Date) -> TimeInterval { 0 }
    public func advanced(by n: TimeInterval) -> Date { self }
}
extension Date: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSDate { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSDate, result: inout Date?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSDate, result: inout Date?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ x: NSDate?) -> Date { fatalError() }
}
public struct Locale: Sendable { public init(identifier: String) {} }
public struct TimeZone: Hashable, Sendable {
    public init?(identifier: String) { nil }
    public init?(secondsFromGMT: Int) { nil }
    public static var gmt: TimeZone { fatalError() }
    public static var current: TimeZone { gmt }
    public func secondsFromGMT(for d: Date = Date()) -> Int { 0 }
}
public struct DateComponents: Hashable, Sendable {
    public var year, month, day, hour, minute, second, nanosecond: Int?
    public init() {}
}
public struct Calendar: Hashable, Sendable {
    public enum Identifier: Sendable { case gregorian, iso8601 }
    public enum Component: Hashable, Sendable { case year, month, day, hour, minute, second, nanosecond }
    public init(identifier: Identifier) {}
    public var timeZone: TimeZone {
        get { .gmt }
        set {}
    }
    public func dateComponents(_ c: Set<Component>, from: Date) -> DateComponents { DateComponents() }
    public func date(from: DateComponents) -> Date? { nil }
}
extension Date {
    public struct ISO8601FormatStyle: Sendable {
        public init(includingFractionalSeconds: Bool = false) {}
        public func format(_ d: Date) -> String { "" }
        public static var iso8601: ISO8601FormatStyle { ISO8601FormatStyle() }
        public func parse(_ s: String) throws -> Date { Date() }
    }
    public func ISO8601Format(_ style: ISO8601FormatStyle = .init()) -> String { "" }
    public func formatted(_ f: ISO8601FormatStyle) -> String { "" }
    public init(_ s: String, strategy: ISO8601FormatStyle) throws {}
}
extension Calendar { public func startOfDay(for d: Date) -> Date { d } }
