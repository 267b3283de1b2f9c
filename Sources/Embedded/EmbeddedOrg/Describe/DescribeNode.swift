// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON

/// A value of a description, and where it is.
struct DescribeNode {
    let value: JSONValue
    /// Its place in the JSON (`$.sobjects[0].fields[2]`).
    let path: String
    /// The object or the field that it belongs to (`Invoice__c.Total__c`).
    var subject = ""

    /// Why the description cannot be used, and what to do.
    func error(_ message: String, at member: String? = nil) -> LocalOrgError {
        let place = member.map { "\(path).\($0)" } ?? path
        return LocalOrgError(
            code: .invalidSchema,
            message: "the schema cannot be used: \(subject.isEmpty ? "" : subject + ": ")\(message) (at \(place))")
    }

    /// A member that is there and not null.
    func present(_ name: String) -> JSONValue? {
        guard let value = value[name], !value.isNull else { return .none }
        return value
    }

    func text(_ name: String) throws(LocalOrgError) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else { throw error("'\(name)' must be a text", at: name) }
        return text
    }

    func flag(_ name: String, else other: Bool = false) throws(LocalOrgError) -> Bool {
        guard let value = present(name) else { return other }
        guard let flag = value.bool else { throw error("'\(name)' must be true or false", at: name) }
        return flag
    }

    /// A number from 0 to ten millions.
    func size(_ name: String) throws(LocalOrgError) -> Int? {
        guard let value = present(name) else { return nil }
        // bounded: by the range
        guard let size = value.int, (0...10_000_000).contains(size) else {
            throw error("'\(name)' must be a whole number from 0 to 10000000", at: name)
        }
        return size
    }

    func list(_ name: String) throws(LocalOrgError) -> [DescribeNode]? {
        guard let value = present(name) else { return nil }
        guard let list = value.array else { throw error("'\(name)' must be a list", at: name) }
        return list.enumerated().map {
            DescribeNode(value: $1, path: "\(path).\(name)[\($0)]", subject: subject)
        }
    }

    /// The name of an object, a field or a relationship; SQL and paths take it as it is.
    func identifier(_ name: String) throws(LocalOrgError) -> String? {
        guard let text = try text(name) else { return nil }
        guard Self.isIdentifier(text) else {
            throw error(
                "'\(text.prefix(100))' is no name: use a letter, then letters, digits and '_', 80 at most", at: name)
        }
        return text
    }

    private static func isIdentifier(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, isLetter(first), bytes.count <= 80 else { return false }
        // SQLite keeps these names for itself.
        let reserved =
            ["rowid", "oid", "_rowid_"].contains(text.lowercased()) || text.lowercased().hasBytes(prefix: "sqlite_")
        return !reserved && bytes.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
