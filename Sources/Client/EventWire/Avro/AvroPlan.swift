// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Limits on one value in Avro.
package struct AvroLimits: Sendable {
    /// The maximum length of the bytes of a value, where an event has at most 1 MB.
    package var bytes: Int
    /// The maximum length of the JSON text of a value, at which no further record, array or map begins.
    package var textBytes: Int
    /// The maximum number of values inside a value, because null and an empty record take no bytes.
    package var values: Int
    /// The maximum number of records, arrays and maps inside one another.
    package var depth: Int

    package init(bytes: Int = 4 << 20, textBytes: Int = 64 << 20, values: Int = 1 << 20, depth: Int = 64) {
        self.bytes = min(bytes, 64 << 20)
        self.textBytes = min(textBytes, 512 << 20)
        (self.values, self.depth) = (values, min(depth, 256))
    }
}

/// A schema as tables without references, which a reader walks without retaining anything.
final class AvroPlan: Sendable {
    enum Code: UInt8 {
        case null, boolean, int, long, float, double, bytes, string, date, millis, micros, midnight, timeOfDay
        case record, enumeration, fixed, array, map, union
        /// A union of null and one other type.
        case nullable
    }

    /// A type, at the index of the type in the schema.
    struct Step {
        let code: Code
        /// The number of the null branch of a nullable type.
        let nullBranch: UInt8
        /// The index of the first member or branch, or the step of the inner type.
        let first: UInt32
        /// The number of members or branches, or the size of a fixed.
        let count: UInt32

        init(_ code: Code, first: Int = 0, count: Int = 0, nullBranch: UInt8 = 0) {
            self.code = code
            self.nullBranch = nullBranch
            self.first = UInt32(truncatingIfNeeded: first)
            self.count = UInt32(truncatingIfNeeded: count)
        }
    }

    /// A field of a record with the step of its type, or a symbol of an enum.
    struct Member {
        let name: JSONNameTexts.Name
        let step: UInt32
        /// The byte of a null value, or -1 if the type of the field is not a nullable one.
        let nullByte: Int16
    }

    let steps: [Step]
    let members: [Member]
    let branches: [Int]
    let names: JSONNameTexts
    let root: Int

    /// Compiles a schema, whose dates and times are read as ISO 8601 strings or as numbers.
    init(_ schema: AvroSchema, timesAsText: Bool) {
        var members: [Member] = []
        var branches: [Int] = []
        var names = JSONNameTexts()
        func add(_ list: [(name: String, step: Int)]) -> Int {
            let first = members.count
            // The parser of the schema has checked the characters of the names.
            members += list.compactMap { member in
                names.add(member.name).map { name in
                    let null = schema.nullBranch(of: member.step)
                    return Member(
                        name: name, step: UInt32(truncatingIfNeeded: member.step), nullByte: null.map { 2 * $0 } ?? -1)
                }
            }
            return first
        }
        steps = schema.types.enumerated().map { id, kind in
            switch kind {
            case .primitive(let primitive, let logical):
                return Step(Self.code(of: primitive, timesAsText ? logical : nil))
            case .record(let record):
                let first = add(record.fields.map { ($0.name, $0.type) })
                return Step(.record, first: first, count: members.count - first)
            case .enumeration(let type):
                let first = add(type.symbols.map { ($0, 0) })
                return Step(.enumeration, first: first, count: members.count - first)
            case .fixed(let size): return Step(.fixed, count: size)
            case .array(let item): return Step(.array, first: item)
            case .map(let value): return Step(.map, first: value)
            case .union(let types):
                if let null = schema.nullBranch(of: id) {
                    return Step(.nullable, first: types[1 - Int(null)], nullBranch: UInt8(null))
                }
                branches += types
                return Step(.union, first: branches.count - types.count, count: types.count)
            }
        }
        (self.members, self.branches, self.names, root) = (members, branches, names, schema.root)
    }

    private static func code(of primitive: AvroSchema.Primitive, _ logical: AvroSchema.Logical?) -> Code {
        switch primitive {
        case .null: .null
        case .boolean: .boolean
        case .int: logical == nil ? .int : .date
        case .long:
            switch logical {
            case .timestampMillis: .millis
            case .timestampMicros: .micros
            case .dateMillis: .midnight
            case .timeMillis: .timeOfDay
            case .date, nil: .long
            }
        case .float: .float
        case .double: .double
        case .bytes: .bytes
        case .string: .string
        }
    }
}

extension AvroSchema {
    /// The number of null, 0 or 1, in a union of null and one other type, or `nil` for other types.
    func nullBranch(of id: ID) -> Int16? {
        guard case .union(let branches) = types[id], branches.count == 2 else { return nil }
        return branches.firstIndex(where: isNull).map { $0 == 0 ? 0 : 1 }
    }

    /// Whether a type is null.
    func isNull(_ id: ID) -> Bool {
        if case .primitive(.null, _) = types[id] { true } else { false }
    }
}
