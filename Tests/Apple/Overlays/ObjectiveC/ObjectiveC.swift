// SPDX-License-Identifier: Apache-2.0

// Declarations of an Apple module, which are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import ObjectiveC

@frozen public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
    var _value: Bool
    public init(_ value: Bool) { _value = value }
    public var boolValue: Bool { _value }
    public init(booleanLiteral value: Bool) { self.init(value) }
}
public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { ObjCBool(x) }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { x.boolValue }
@frozen public struct Selector: ExpressibleByStringLiteral, Hashable {
    var ptr: OpaquePointer
    public init(_ str: String) { fatalError() }
    public init(stringLiteral value: String) { fatalError() }
}
@frozen public struct NSZone { var pointer: OpaquePointer }
extension NSObject: Equatable, Hashable {
    public static func == (lhs: NSObject, rhs: NSObject) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
    public var hashValue: Int { 0 }
}
extension NSObject: CVarArg { public var _cVarArgEncoding: [Int] { [] } }
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
