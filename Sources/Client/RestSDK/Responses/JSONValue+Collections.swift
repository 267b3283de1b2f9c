// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONObject {
    /// The members as a plain dictionary, for code that expects one; of a name that repeats the last member
    /// counts.
    ///
    /// Values are `String`, `Bool`, `Int`, `Double`, `Decimal`, `[String: any Sendable]` and `[any Sendable]`; `null`
    /// stays `JSONValue.null`, so that it is not lost. A number is an `Int` if it is one, a `Double` if it has up to 15
    /// digits, else a `Decimal`.
    public var dictionary: [String: any Sendable] {
        var dictionary: [String: any Sendable] = [:]
        for member in self { dictionary[member.key] = member.value.plain }
        return dictionary
    }
}

extension JSONArray {
    /// The elements as a plain array; see `JSONObject.dictionary`.
    public var array: [any Sendable] { map(\.plain) }
}

extension JSONValue {
    fileprivate var plain: any Sendable {
        if let string { return string }
        if let bool { return bool }
        if let int { return int }
        if let numberText { return number(numberText) }
        if let object { return object.dictionary }
        if let array { return array.array }
        return self
    }

    /// A double, which gives back up to 15 digits as they were written; beyond that a decimal.
    private func number(_ text: String) -> any Sendable {
        let digits = text.prefix(beforeAny: "eE").without("-+.").drop(anyOf: "0")
        if digits.utf8.count <= 15, let double { return double }
        return Decimal(string: text) ?? double ?? self
    }
}
