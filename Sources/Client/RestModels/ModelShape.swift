// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK

/// A model's knowledge of its object: the fields with their types, and the models of its relationships.
///
/// Responses are checked against it. If a field's type was changed in the org, a query throws an error with the path of
/// the field.
public struct ModelShape: Sendable {
    /// The API name of the object.
    public let object: String
    /// The API names of the fields.
    public var fields: [String] { list.map(\.name) }
    private let list: [Field]
    private let positions: [String: Int]
    private let parents: [String: any RecordModel.Type]
    private let children: [String: any RecordModel.Type]

    private struct Field: Sendable {
        let name: String
        let kind: Kind
        let isCreateable: Bool
    }

    /// Creates the shape of an object.
    ///
    /// - Parameters:
    ///   - object: the API name.
    ///   - fields: one line for each field: its name, its type as in the describe, and optionally an access word:
    ///     `read` for a read-only field, `create` for a field that can be set only in a new record, `update` for a
    ///     field that can be set only in an existing record.
    ///   - parents: the models of the parents, by relationship.
    ///   - children: the models of the children, by relationship.
    public init(
        _ object: String, _ fields: String, parents: [String: any RecordModel.Type] = [:],
        children: [String: any RecordModel.Type] = [:]
    ) {
        self.object = object
        list = fields.split(byte: "\n").compactMap { line in
            let words = line.split(byte: " ")
            guard let name = words.first else { return nil }
            let isCreateable = !words.dropFirst(2).contains { $0 == "read" || $0 == "update" }
            return Field(
                name: String(name), kind: Kind(words.dropFirst().first ?? ""), isCreateable: isCreateable)
        }
        positions = Dictionary(list.enumerated().map { ($1.name, $0) }) { first, _ in first }
        (self.parents, self.children) = (parents, children)
    }

    func isCreateable(_ name: String) -> Bool { positions[name].map { list[$0].isCreateable } ?? false }

    /// Checks a record from a response, and throws the path of the first field whose value is of another type.
    func check(_ fields: JSONObject) throws(ModelMismatch) {
        for (name, value) in fields where !value.isNull {
            if let position = positions[name] {
                guard list[position].kind.fits(value) else {
                    throw ModelMismatch(path: name, reason: "found \(value.kind.rawValue) for \(list[position].kind)")
                }
            } else if let parent = parents[name] {
                try Self.check(value, as: parent, at: name)
            } else if let child = children[name] {
                for (position, value) in (value["records"]?.array ?? []).enumerated() {
                    try Self.check(value, as: child, at: "\(name).records[\(position)]")
                }
            }
        }
    }

    private static func check(
        _ value: JSONValue, as model: any RecordModel.Type, at path: String
    ) throws(ModelMismatch) {
        guard let fields = value.object else {
            throw ModelMismatch(path: path, reason: "found \(value.kind.rawValue) for a record")
        }
        do throws(ModelMismatch) {
            try model.shape.check(fields)
        } catch {
            throw ModelMismatch(path: "\(path).\(error.path)", reason: error.reason)
        }
    }
}

/// A field of a response that is of another type than in the model.
struct ModelMismatch: Error {
    let path: String
    let reason: String
}

extension ModelShape {
    /// The JSON types of fields.
    private enum Kind: String {
        case id, text, boolean, integer, number, date, datetime, time, address, location, anything

        init(_ type: Substring) {
            switch type {
            case "id", "reference": self = .id
            case "string", "picklist", "multipicklist", "textarea", "email", "phone", "url",
                "combobox", "encryptedstring", "base64":
                self = .text
            case "boolean": self = .boolean
            case "int", "long": self = .integer
            case "double", "currency", "percent": self = .number
            case "date": self = .date
            case "datetime": self = .datetime
            case "time": self = .time
            case "address": self = .address
            case "location": self = .location
            default: self = .anything
            }
        }

        /// Whether the value can be read as the field's type.
        func fits(_ value: JSONValue) -> Bool {
            switch self {
            case .id: value.string?.isRecordID ?? false
            case .text: value.kind == .string
            case .boolean: value.kind == .bool
            case .integer: Int(field: value) != nil
            // bounded: beyond it no decimal number goes
            case .number: value.double.map { abs($0) < 1e120 } ?? false
            case .date: SOQLDate(field: value) != nil
            case .datetime: value.string.map { JSONTimestamp($0) != nil } ?? false
            case .time: SOQLTime(field: value) != nil
            case .address: RecordAddress(field: value) != nil
            case .location: RecordLocation(field: value) != nil
            case .anything: true
            }
        }
    }
}
