// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLCheck
import SwiftSource

/// Writes the struct of a record or a group, with its nested types.
struct RowWriter {
    let access: String
    var types: ObjectTypes
    /// The names that no nested type can have.
    let taken: Set<String>

    /// A property with the name of its nested type.
    private struct Property {
        let member: RowMember
        let name: String
        let nested: String

        var assigned: String { name == "row" ? "self.row" : SwiftIdentifiers.escaped(name) }
    }

    mutating func write(_ shape: RowShape, named name: String, _ doc: [String], into text: inout SwiftText) {
        let properties = properties(of: shape)
        text.doc(doc)
        var writer = self
        text.block("\(access)struct \(name): SOQL.Row, Equatable") { text in
            for property in properties { writer.write(property, shape, into: &text) }
            writer.writeReading(properties, into: &text)
            for property in properties { writer.writeNested(property, into: &text) }
        }
        self = writer
    }

    private func properties(of shape: RowShape) -> [Property] {
        let wanted = shape.members.map { ($0.key, property(of: $0, in: shape.object)) }
        let names = SwiftIdentifiers.distinct(wanted, reserved: ModelNames.reservedMembers)
        let nested = SwiftIdentifiers.distinct(
            shape.members.map { ($0.key, SwiftWords($0.key.withoutCustomMark).upper + "Row") }, reserved: taken)
        return shape.members.map { member in
            Property(member: member, name: names[member.key] ?? "_", nested: nested[member.key] ?? "_")
        }
    }

    /// Returns the name that the models use, or the words of an alias.
    private func property(of member: RowMember, in object: String?) -> String {
        let words = SwiftWords(member.key.withoutCustomMark).lower
        switch member.value {
        case .field(let origin) where origin.field.name == member.key && origin.object == object:
            return types.names.property(member.key, of: origin.object)
        case .children where object != nil:
            let name = types.names.children(member.key, of: object ?? "")
            return name == "_" ? words : name
        default: return words
        }
    }

    private mutating func write(_ property: Property, _ shape: RowShape, into text: inout SwiftText) {
        text.doc([doc(of: property.member)])
        text.line("\(access)let \(SwiftIdentifiers.escaped(property.name)): \(type(of: property))")
    }

    private func doc(of member: RowMember) -> String {
        switch member.value {
        case .field(let origin):
            (origin.field.name == member.key ? "" : "A value of ")
                + "\(Documentation.line(origin.field.label, else: origin.field.name)) (\(Documentation.code(origin.name)))."
        case .value: "The value of `\(member.key)`."
        case .parent: "The record of `\(member.key)`, if it exists."
        case .children: "All records of `\(member.key)`."
        case .variants: "The record of `\(member.key)`, as a case for its object."
        }
    }

    private mutating func type(of property: Property) -> String {
        let type =
            switch property.member.value {
            case .field(let origin): types.swift(origin)
            case .value(let value): types.swift(value) ?? "JSONValue"
            case .parent, .variants: property.nested
            case .children: "[\(property.nested)]"
            }
        return type + (property.member.isNillable ? "?" : "")
    }

    private mutating func writeNested(_ property: Property, into text: inout SwiftText) {
        switch property.member.value {
        case .parent(let shape), .children(let shape):
            text.line()
            write(shape, named: property.nested, ["The selected fields of `\(property.member.key)`."], into: &text)
        case .variants(let variants):
            text.line()
            write(variants, of: property, into: &text)
        case .field, .value: break
        }
    }

    /// Writes the initializer that reads the values of a row.
    ///
    /// The code reads each value explicitly, which compiles three times as fast in a module with many queries.
    private func writeReading(_ properties: [Property], into text: inout SwiftText) {
        text.line()
        text.doc(["Reads the values of a row."])
        text.block("\(access)init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault)") { text in
            for property in properties {
                text.line("\(property.assigned) = try row[\(property.member.key.swiftLiteral)]")
            }
        }
    }

    // MARK: TYPEOF

    private mutating func write(_ variants: RowVariants, of property: Property, into text: inout SwiftText) {
        let pairs = variants.branches.map { ($0.object, types.names.type(of: $0.object)) }
        let cases = SwiftIdentifiers.distinct(
            pairs.map { ($0.0, SwiftWords($0.1).lower) }, reserved: ModelNames.reservedCases.union(["other"]))
        let rows = SwiftIdentifiers.distinct(pairs.map { ($0.0, $0.1 + "Row") }, reserved: taken.union(["OtherRow"]))
        let hasOther = !variants.otherwise.members.isEmpty
        var writer = self
        text.doc(["A record that `\(property.member.key)` refers to."])
        text.block("\(access)enum \(property.nested): SOQL.Row, Equatable") { text in
            for branch in variants.branches {
                let name = SwiftIdentifiers.escaped(cases[branch.object] ?? "_")
                text.line("case \(name)(\(rows[branch.object] ?? "_"))")
            }
            text.doc([hasOther ? "A record of another object." : "A record of another object, with the object's name."])
            text.line(hasOther ? "case other(OtherRow)" : "case other(String)")
            writer.writeReading(variants, cases, rows, into: &text)
            for branch in variants.branches {
                text.line()
                let doc = "The selected fields of a record of `\(branch.object)`."
                writer.write(branch.shape, named: rows[branch.object] ?? "_", [doc], into: &text)
            }
            guard hasOther else { return }
            text.line()
            writer.write(
                variants.otherwise, named: "OtherRow", ["The selected fields of any other record."], into: &text)
        }
        self = writer
    }

    private func writeReading(
        _ variants: RowVariants, _ cases: [String: String], _ rows: [String: String], into text: inout SwiftText
    ) {
        text.line()
        text.doc(["Reads the values of a row according to its object."])
        text.block("\(access)init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault)") { text in
            text.line("switch row.object {")
            for branch in variants.branches {
                let name = SwiftIdentifiers.escaped(cases[branch.object] ?? "_")
                let row = rows[branch.object] ?? "_"
                text.line("case \(branch.object.swiftLiteral): self = .\(name)(try \(row)(row: row))")
            }
            let hasOther = !variants.otherwise.members.isEmpty
            text.line("default: self = .other(\(hasOther ? "try OtherRow(row: row)" : "row.object"))")
            text.line("}")
        }
    }
}
