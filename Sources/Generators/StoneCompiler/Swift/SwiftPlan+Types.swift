// SPDX-License-Identifier: Apache-2.0

import SwiftSource

/// How types of a spec are spelt, read and written in Swift.
extension SwiftPlan {
    /// The Swift type, an optional one for a type that allows null.
    func swiftType(_ type: StoneType) -> String {
        let (inner, isNullable) = api.unwrapped(type)
        return plainType(inner) + (isNullable ? "?" : "")
    }

    /// The Swift type of a type without aliases and nullability.
    func plainType(_ type: StoneType) -> String {
        switch type {
        case .void: "Void"
        case .boolean: "Bool"
        case .bytes: "[UInt8]"
        case .integer(let integer): integer.size.rawValue
        case .float(let float): float.size == .float32 ? "Float" : "Double"
        case .string: "String"
        case .timestamp: "Date"
        case .list(let list): "[\(swiftType(list.element))]"
        case .map(_, let value): "[String: \(swiftType(value))]"
        case .structure(let id): name(.structure(id))
        case .union(let id): name(.union(id))
        case .nullable(let inner): swiftType(inner) + "?"
        case .alias(let id): swiftType(api[id].type)
        }
    }

    /// The `StoneCoding` of a type.
    func coding(_ type: StoneType) -> String {
        let (inner, isNullable) = api.unwrapped(type)
        let plain =
            switch inner {
            case .void, .nullable, .alias: ".void"
            case .boolean: ".bool"
            case .bytes: ".bytes"
            case .integer(let integer): ".\(integer.size.rawValue.lowercased())"
            case .float(let float): ".\(float.size.rawValue.lowercased())"
            case .string: ".string"
            case .timestamp(let format): ".date(\(timestamp(format)))"
            case .list(let list): ".list(\(coding(list.element)))"
            case .map(_, let value): ".map(\(coding(value)))"
            case .structure, .union: ".type"
            }
        return isNullable ? ".nullable(\(plain))" : plain
    }

    /// A format of timestamps, one of those that ``SwiftForms`` lets through.
    private func timestamp(_ format: String) -> String { SwiftForms.timestamps[format] ?? ".seconds" }

    /// The reader's method for a type, and its arguments after the slot; the same for the writer, after the value.
    func access(_ type: StoneType) -> (method: String, arguments: String) {
        let inner = api.unwrapped(type).type
        switch inner {
        case .boolean: return ("bool", "")
        case .bytes: return ("bytes", "")
        case .integer(let integer): return (integer.size.rawValue.lowercased(), "")
        case .float(let float): return (float.size.rawValue.lowercased(), "")
        case .string: return ("string", "")
        case .timestamp(let format): return ("date", ", " + timestamp(format))
        case .structure, .union: return ("value", "")
        case .list(let list):
            if api.isNullable(list.element) { break }
            if api.declaration(of: list.element) != nil { return ("list", "") }
            if case .string = api.withoutAliases(list.element) { return ("strings", "") }
        default: break
        }
        return ("coded", ", " + coding(inner))
    }

    /// An expression that reads a value out of a slot.
    func read(_ type: StoneType, _ slot: String, default value: StoneLiteral? = nil) -> String {
        let (method, arguments) = access(type)
        let isOptional = api.isNullable(type) || value != nil
        let name = isOptional ? "optional" + method.prefix(1).uppercased() + method.dropFirst() : method
        let fallback = value.map { " ?? \(literal($0, of: type))" } ?? ""
        return "try reader.\(Self.readerNames[name] ?? name)(\(slot)\(arguments))\(fallback)"
    }

    /// Methods whose capitals are not those of a rule.
    private static let readerNames = ["optionalUint32": "optionalUInt32", "optionalUint64": "optionalUInt64"]

    /// A statement that writes a member.
    func write(_ type: StoneType, _ name: String, _ value: String) -> String {
        let (method, arguments) = access(type)
        return "writer.\(method)(\(name.swiftLiteral), \(value)\(arguments))"
    }

    /// A default in Swift.
    func literal(_ literal: StoneLiteral, of type: StoneType) -> String {
        switch literal {
        case .null: "nil"
        case .boolean(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .float(let number): floatLiteral(number, of: type)
        case .string(let text): stringLiteral(text, of: type)
        case .tag(let union, let tag): tagLiteral(tag, of: api.declaration(of: type) ?? .union(union), union)
        }
    }

    private func floatLiteral(_ number: Double, of type: StoneType) -> String {
        guard case .float(let float) = api.unwrapped(type).type else { return "\(number)" }
        return float.size.literal(number)
    }

    private func stringLiteral(_ text: String, of type: StoneType) -> String {
        switch api.unwrapped(type).type {
        case .bytes: "Array(\(text.swiftLiteral).utf8)"
        default: text.swiftLiteral
        }
    }

    private func tagLiteral(_ tag: String, of declaration: StoneDeclaration, _ union: UnionID) -> String {
        let tags = members.tags(of: union)
        guard tags.catchAll != tag else { return "\(name(declaration)).other(UnknownTag(\"other\"))" }
        return "\(name(declaration)).\(SwiftIdentifiers.escaped(tags.names[tag] ?? tag))"
    }
}

extension StoneFloatType.Size {
    /// A number of this size in Swift; one too small for all of its digits as the bits that it has, as the compiler
    /// warns of decimal digits that are lost.
    func literal(_ number: Double) -> String {
        let isNarrow = self == .float32
        let isSmall = isNarrow ? abs(number) < Double(Float.leastNormalMagnitude) : number.isSubnormal
        guard isSmall, number != 0 else { return "\(number)" }
        let bits = isNarrow ? UInt64(Float(abs(number)).bitPattern) : abs(number).bitPattern
        return (number < 0 ? "-" : "") + "0x\(String(bits, radix: 16))p" + (isNarrow ? "-149" : "-1074")
    }
}
