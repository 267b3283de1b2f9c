// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// A value of a schema's JSON, and where it is.
struct SchemaNode {
    let value: JSONValue
    let path: String

    func error(_ message: String) -> SchemaError { SchemaError(message: message, place: path) }

    /// A member that is there and not null.
    private func present(_ name: String) -> JSONValue? {
        guard let value = value[name], !value.isNull else { return .none }
        return value
    }

    func text(_ name: String) throws(SchemaError) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else { throw error("'\(name)' must be a text") }
        return text
    }

    func required(_ name: String) throws(SchemaError) -> String {
        guard let text = try text(name), !text.isEmpty else { throw error("'\(name)' is missing") }
        return text
    }

    /// A name that stands in queries.
    func identifier(_ name: String) throws(SchemaError) -> String {
        let text = try required(name)
        let letters = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_")
        }
        guard letters, text.utf8.count <= 255, !(0x30...0x39).contains(text.utf8.first ?? 0) else {
            throw error("'\(text.prefix(100))' is no name: use a letter, then letters, digits and '_'")
        }
        return text
    }

    func flag(_ name: String, else other: Bool) throws(SchemaError) -> Bool {
        guard let value = present(name) else { return other }
        guard let flag = value.bool else { throw error("'\(name)' must be true or false") }
        return flag
    }

    /// A number from 0 to ten millions; 0 where there is none.
    func size(_ name: String) throws(SchemaError) -> Int {
        guard let value = present(name) else { return 0 }
        // bounded: by the range
        guard let size = value.int, (0...10_000_000).contains(size) else {
            throw error("'\(name)' must be a whole number from 0 to 10000000")
        }
        return size
    }

    func list(_ name: String) throws(SchemaError) -> [SchemaNode]? {
        guard let value = present(name) else { return nil }
        guard let list = value.array else { throw error("'\(name)' must be a list") }
        return list.enumerated().map { SchemaNode(value: $1, path: "\(path).\(name)[\($0)]") }
    }

    /// The texts of a list.
    func texts(_ name: String) throws(SchemaError) -> [String] {
        var texts: [String] = []
        for node in try list(name) ?? [] {
            guard let text = node.value.string else { throw node.error("it must be a text") }
            texts.append(text)
        }
        return texts
    }
}
