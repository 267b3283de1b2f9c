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
    private var bytes: [UInt8] = []
    /// The position of the current value, in which each record, array or map is one step.
    private var path = AvroPath()
    private var values = 0
    /// Whether the members of all records so far had the order of the schema.
    private var isOrdered = true

    package init(_ schema: AvroSchema, limits: AvroLimits = AvroLimits()) {
        (self.schema, self.limits) = (schema, limits)
    }

    /// Returns the bytes of a value.
    ///
    /// - Throws: ``AvroError`` with the path to the part of the value that does not fit the schema.
    package func bytes(of value: JSONValue) throws(AvroError) -> [UInt8] {
        var writer = self
        writer.bytes.reserveCapacity(512)
        try writer.write(value, schema.root)
        return writer.bytes
    }

    private mutating func write(_ value: JSONValue, _ id: AvroSchema.ID) throws(AvroError) {
        values += 1
        guard values <= limits.values, bytes.count <= limits.bytes else { throw path.error(.tooLarge) }
        guard path.steps.count <= limits.depth else { throw path.error(.tooDeep) }
        let type = schema.types[id]
        switch type.form {
        case .record: try write(membersOf: value, ofRecord: id)
        case .array: try write(elementsOf: value, type.inner)
        case .map: try write(membersOf: value, type.inner)
        case .enumeration:
            guard let symbol = value.string else { throw path.error(.wrongType) }
            guard let number = schema.positions[id]?[ascii: symbol] else { throw path.error(.unknownSymbol) }
            append(Int64(number))
        case .fixed:
            let content = try codePoints(of: value)
            guard content.count == type.count else { throw path.error(.outOfRange) }
            try append(content)
        case .nullable:
            append(Int64(value.isNull ? type.nullBranch : 1 - type.nullBranch))
            if !value.isNull { try write(value, type.inner) }
        case .union: try write(value, asOneOf: schema.branches(of: id))
        default: try write(value, type.form)
        }
    }

    // MARK: - Containers

    private mutating func write(membersOf value: JSONValue, ofRecord id: AvroSchema.ID) throws(AvroError) {
        guard let object = value.object else { throw path.error(.wrongType) }
        let start = (bytes.count, values)
        if isOrdered, try write(inOrder: object, schema.types[id].range) { return }
        // A value in another order is written again by the numbers of its fields, and so are all records in it.
        isOrdered = false
        bytes.removeLast(bytes.count - start.0)
        values = start.1
        let fields = schema.members[schema.types[id].range]
        var slots = [JSONValue?](repeating: nil, count: fields.count)
        for (name, member) in object {
            guard let position = schema.positions[id]?[ascii: name] else { throw error(.unknownField, .name(name)) }
            slots[position] = member
        }
        for (field, slot) in zip(fields, slots) {
            guard let member = slot ?? field.defaultValue ?? null(for: field.type) else {
                throw error(.missingField, .name(field.name))
            }
            path.steps.append(.name(field.name))
            try write(member, field.type)
            path.steps.removeLast()
        }
    }

    /// Writes members in the order of the schema, or returns `false` if they have another order.
    private mutating func write(inOrder object: JSONObject, _ fields: Range<Int>) throws(AvroError) -> Bool {
        var members = object.makeIterator()
        var next = members.next()
        for index in fields {
            let field = schema.members[index]
            var member = field.defaultValue ?? null(for: field.type)
            if let (name, value) = next, field.isNamed(name) { (member, next) = (value, members.next()) }
            guard let member else { return false }
            path.steps.append(.name(field.name))
            try write(member, field.type)
            path.steps.removeLast()
        }
        return next == nil
    }

    private func null(for id: AvroSchema.ID) -> JSONValue? { schema.takesNull(id) ? JSONValue.null : .none }

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
            try append(name.utf8, counted: true)
            try write(member, item)
            path.steps.removeLast()
        }
        append(0)
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
        let numbers =
            if value.isNull, let null = branches.firstIndex(where: { schema.types[$0].form == .null }) {
                [null]
            } else {
                branches.indices.sorted { (rank(of: branches[$0]), $0) < (rank(of: branches[$1]), $1) }
            }
        let (count, steps) = (bytes.count, path.steps.count)
        var inner: AvroError?
        for number in numbers {
            do throws(AvroError) {
                append(Int64(number))
                return try write(value, branches[number])
            } catch {
                if error.reason == .tooLarge { throw error }
                bytes.removeLast(bytes.count - count)
                path.steps.removeLast(path.steps.count - steps)
                // The error of the only type says what is wrong, and so does that of a type that takes the outer value.
                if numbers.count == 1 || error.path != path.error(.noBranch).path { inner = inner ?? error }
            }
        }
        throw inner ?? path.error(.noBranch)
    }

    /// Integers and strings come before double and bytes, and these come before float.
    private func rank(of id: AvroSchema.ID) -> Int {
        switch schema.types[id].form {
        case .float: 2
        case .double, .bytes, .fixed: 1
        default: 0
        }
    }

    // MARK: - Scalars

    private mutating func write(_ value: JSONValue, _ form: AvroSchema.Form) throws(AvroError) {
        switch form {
        case .null: guard value.isNull else { throw path.error(.wrongType) }
        case .boolean:
            guard let bool = value.bool else { throw path.error(.wrongType) }
            bytes.append(bool ? 1 : 0)
        case .int, .date: append(Int64(try integer(value, form, as: Int32.self)))
        case .float: append(word: try float(value).bitPattern)
        case .double: append(word: try double(value).bitPattern)
        case .bytes: try append(codePoints(of: value), counted: true)
        case .string:
            guard let text = value.string else { throw path.error(.wrongType) }
            try append(text.utf8, counted: true)
        default: append(try integer(value, form, as: Int64.self))
        }
    }

    private func integer<Number: FixedWidthInteger>(
        _ value: JSONValue, _ form: AvroSchema.Form, as type: Number.Type
    ) throws(AvroError) -> Number {
        if form != form.base, let text = value.string {
            guard let number = AvroTime.value(of: text, form) else { throw path.error(.wrongType) }
            guard let number = Number(exactly: number) else { throw path.error(.outOfRange) }
            return number
        }
        guard value.kind == .number else { throw path.error(.wrongType) }
        guard let number = value.int64.flatMap(Number.init(exactly:)) else { throw path.error(.outOfRange) }
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

    private mutating func append(_ content: some Collection<UInt8>, counted: Bool = false) throws(AvroError) {
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
