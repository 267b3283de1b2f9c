// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// The members of an object that an authorization server answered.
///
/// Some servers write every member of a type, and leave those empty that say nothing. So a member that is null or a
/// blank string counts as missing, whichever it is.
struct OAuthMembers {
    /// Everything that the server wrote.
    let object: JSONValue

    /// The members of an object; no members of any other value.
    init(_ object: JSONValue) {
        self.object = object
    }

    /// The value of a member; `nil` if the server says nothing with it.
    subscript(_ name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull, value.string?.utf8.allSatisfy({ $0 == 0x20 }) != true else {
            return nil
        }
        return value
    }

    /// A member that lists words: in one string (RFC 6749 §3.3), or in an array as some servers write it.
    func words(_ name: String) -> [String] {
        guard let value = self[name] else { return [] }
        return value.string?.split(byte: " ").map(String.init) ?? value.array?.compactMap(\.string) ?? []
    }
}

extension JSONValue {
    /// A whole number of a server's answer; `nil` outside the range.
    ///
    /// It is written as a number or as digits. A number with a fraction is rounded.
    func whole(in range: NumberRange, rounding rule: FloatingPointRoundingRule = .down) -> Int64? {
        integer(as: Int64.self).flatMap { Int64(outside: $0, in: range) }
            ?? string.flatMap { Int64(outside: $0, in: range) }
            ?? double.flatMap { Int64(exactly: $0.rounded(rule)) }.flatMap { Int64(outside: $0, in: range) }
    }
}
