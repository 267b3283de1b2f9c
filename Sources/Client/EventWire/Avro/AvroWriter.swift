// SPDX-License-Identifier: Apache-2.0

package import RestJSON

/// Writes values of one schema as bytes without a container, such as the payload of an event.
///
/// It accepts what ``AvroReader`` returns, and more:
/// * A missing field gets its default, or null if its type has null.
/// * Numbers with a logical type of date or time can be ISO 8601 strings.
/// * A value of a union is written as the first type that takes it, where an integer prefers `int` and `long` to
///   `double` and `float`, and a string prefers `string` and an enum to `bytes` and fixed.
package struct AvroWriter: Sendable {
    private let schema: AvroSchema
    private let limits: AvroLimits

    package init(_ schema: AvroSchema, limits: AvroLimits = AvroLimits()) {
        self.schema = schema
        self.limits = limits
    }

    /// Returns the bytes of a value.
    ///
    /// - Throws: ``AvroError`` with the path to the part of the value that does not fit the schema.
    package func bytes(of value: JSONValue) throws(AvroError) -> [UInt8] {
        var run = AvroWriterRun(schema, limits)
        try run.write(value, schema.root)
        return run.bytes
    }
}

/// The state of writing one value.
private struct AvroWriterRun {
    let schema: AvroSchema
    let limits: AvroLimits
    private(set) var bytes: [UInt8] = []
    private var path = AvroPath()
    private var depth = 0
    private var values = 0

    init(_ schema: AvroSchema, _ limits: AvroLimits) {
        self.schema = schema
        self.limits = limits
    }

    mutating func write(_ value: JSONValue, _ id: AvroSchema.ID) throws(AvroError) {
        values += 1
        guard values <= limits.values, bytes.count <= limits.bytes else { throw path.error(.tooLarge) }
        switch schema.types[id] {
        case .primitive(let primitive, let logical): try write(value, primitive, logical)
        case .record(let record): try inside { run throws(AvroError) in try run.write(value, record) }
        case .array(let item): try inside { run throws(AvroError) in try run.write(elementsOf: value, item) }
        case .map(let item): try inside { run throws(AvroError) in try run.write(membersOf: value, item) }
        case .enumeration(let type):
            guard let symbol = value.string else { throw path.error(.wrongType) }
            guard let number = type.positions[ascii: symbol] else { throw path.error(.unknownSymbol) }
            append(Int64(number))
        case .fixed(let size):
            let content = try codePoints(of: value)
            guard content.count == size else { throw path.error(.outOfRange) }
            try append(content)
        case .union(let branches):
            try write(value, asOneOf: branches)
        }
    }

    /// Runs `body` one level deeper.
    private mutating func inside(
        _ body: (inout AvroWriterRun) throws(AvroError) -> Void
    ) throws(AvroError) {
        guard depth < limits.depth else { throw path.error(.tooDeep) }
        depth += 1
        try body(&self)
        depth -= 1
    }

    // MARK: - Containers

    private mutating func write(_ value: JSONValue, _ record: AvroSchema.Record) throws(AvroError) {
        guard let object = value.object else { throw path.error(.wrongType) }
        var slots = [JSONValue?](repeating: nil, count: record.fields.count)
        for (name, member) in object {
            guard let position = record.positions[ascii: name] else { throw error(.unknownField, .name(name)) }
            slots[position] = member
        }
        for (field, slot) in zip(record.fields, slots) {
            guard let member = slot ?? field.defaultValue ?? null(for: field.type) else {
                throw error(.missingField, .name(field.name))
            }
            path.steps.append(.name(field.name))
            try write(member, field.type)
            path.steps.removeLast()
        }
    }

    private mutating func write(elementsOf value: JSONValue, _ item: AvroSchema.ID) throws(AvroError) {
        guard let array = value.array else { throw path.error(.wrongType) }
        if !array.isEmpty { append(Int64(array.count)) }
        for (index, element) in array.enumerated() {
            path.steps.append(.index(index))
            try write(element, item)
            path.steps.removeLast()
        }
        append(0)
    }

    private mutating func write(membersOf value: JSONValue, _ item: AvroSchema.ID) throws(AvroError) {
        guard let object = value.object else { throw path.error(.wrongType) }
        if !object.isEmpty { append(Int64(object.count)) }
        for (name, member) in object {
            path.steps.append(.name(name))
            try append(Array(name.utf8), counted: true)
            try write(member, item)
            path.steps.removeLast()
        }
        append(0)
    }

    /// Null, if a type has it.
    private func null(for id: AvroSchema.ID) -> JSONValue? {
        let types = if case .union(let branches) = schema.types[id] { branches } else { [id] }
        return types.contains(where: schema.isNull) ? JSONValue.null : .none
    }

    private func error(_ reason: AvroError.Reason, _ step: AvroPath.Step) -> AvroError {
        var path = path
        path.steps.append(step)
        return path.error(reason)
    }

    // MARK: - Unions

    /// Writes a value as the first type that takes it, where types that keep all of it come first.
    ///
    /// The next type is tried if an inner value does not fit. The number of values is bounded, and never counted down.
    private mutating func write(_ value: JSONValue, asOneOf branches: [AvroSchema.ID]) throws(AvroError) {
        let null = branches.firstIndex(where: schema.isNull)
        let numbers: [Int]
        if let null, value.isNull || branches.count == 2 {
            numbers = [value.isNull ? null : 1 - null]
        } else {
            numbers = branches.indices.sorted { (rank(of: branches[$0]), $0) < (rank(of: branches[$1]), $1) }
        }
        let (count, path, depth) = (bytes.count, path, depth)
        var inner: AvroError?
        for number in numbers {
            do throws(AvroError) {
                append(Int64(number))
                return try write(value, branches[number])
            } catch {
                if error.reason == .tooLarge { throw error }
                // The error of the only type says what is wrong, and so does that of a type that takes the outer value.
                if numbers.count == 1 || error.path != path.error(.noBranch).path { inner = inner ?? error }
                bytes.removeLast(bytes.count - count)
                (self.path, self.depth) = (path, depth)
            }
        }
        throw inner ?? path.error(.noBranch)
    }

    /// Integers and strings come before double and bytes, and these come before float.
    private func rank(of id: AvroSchema.ID) -> Int {
        switch schema.types[id] {
        case .primitive(.float, _): 2
        case .primitive(.double, _), .primitive(.bytes, _), .fixed: 1
        default: 0
        }
    }

    // MARK: - Scalars

    private mutating func write(
        _ value: JSONValue, _ primitive: AvroSchema.Primitive, _ logical: AvroSchema.Logical?
    ) throws(AvroError) {
        switch primitive {
        case .null: guard value.isNull else { throw path.error(.wrongType) }
        case .boolean:
            guard let bool = value.bool else { throw path.error(.wrongType) }
            bytes.append(bool ? 1 : 0)
        case .int: append(Int64(try integer(value, logical, as: Int32.self)))
        case .long: append(try integer(value, logical, as: Int64.self))
        case .float: append(word: try float(value).bitPattern)
        case .double: append(word: try double(value).bitPattern)
        case .bytes: try append(codePoints(of: value), counted: true)
        case .string:
            guard let text = value.string else { throw path.error(.wrongType) }
            try append(Array(text.utf8), counted: true)
        }
    }

    private func integer<Number: FixedWidthInteger>(
        _ value: JSONValue, _ logical: AvroSchema.Logical?, as type: Number.Type
    ) throws(AvroError) -> Number {
        if let logical, let text = value.string {
            guard let number = AvroTime.value(of: text, logical) else { throw path.error(.wrongType) }
            guard let number = Number(exactly: number) else { throw path.error(.outOfRange) }
            return number
        }
        guard value.kind == .number else { throw path.error(.wrongType) }
        guard let number = value.integer(as: type) else { throw path.error(.outOfRange) }
        return number
    }

    private func float(_ value: JSONValue) throws(AvroError) -> Float {
        guard let text = value.numberText else { return Float(try double(value)) }
        // bounded: any finite number is valid. It is rounded once, because a double could lie between two floats.
        guard let number = Float(text), number.isFinite else { throw path.error(.outOfRange) }
        return number
    }

    private func double(_ value: JSONValue) throws(AvroError) -> Double {
        switch value.string {
        case "NaN": return .nan
        case "Infinity": return .infinity
        case "-Infinity": return -.infinity
        default: break
        }
        guard value.kind == .number else { throw path.error(.wrongType) }
        // bounded: any number of this type is valid
        guard let number = value.double else { throw path.error(.outOfRange) }
        return number
    }

    /// The bytes of a string whose characters are the codes of the bytes.
    private func codePoints(of value: JSONValue) throws(AvroError) -> [UInt8] {
        guard let text = value.string else { throw path.error(.wrongType) }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard scalar.value <= 0xFF else { throw path.error(.outOfRange) }
            bytes.append(UInt8(scalar.value))
        }
        return bytes
    }

    // MARK: - Bytes

    private mutating func append(_ content: [UInt8], counted: Bool = false) throws(AvroError) {
        guard content.count <= limits.bytes - min(bytes.count, limits.bytes) else { throw path.error(.tooLarge) }
        if counted { append(Int64(content.count)) }
        bytes += content
    }

    /// Appends a number with its sign in the lowest bit.
    private mutating func append(_ number: Int64) {
        bytes.append(varint: UInt64(bitPattern: number) << 1 ^ UInt64(bitPattern: number >> 63))
    }

    /// Appends the bits of a floating-point number, the lowest byte first.
    private mutating func append<Word: FixedWidthInteger>(word: Word) {
        for shift in stride(from: 0, to: Word.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: word >> Word(shift)))
        }
    }
}
