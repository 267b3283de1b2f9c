// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON

/// Reads values of one schema from bytes without a container, such as the payload of an event.
///
/// The result has this form:
/// * A record and a map are objects, an array is an array, an enum is the string of its symbol.
/// * A value of a union is the value itself, without the name of its type.
/// * `bytes` and `fixed` are strings in which each byte is the character with its code, as in the defaults of a schema.
/// * NaN and the infinities are strings: `NaN`, `Infinity`, `-Infinity`.
package struct AvroReader: Sendable {
    private let tables: AvroTables
    private let root: AvroSchema.ID
    private let limits: AvroLimits

    /// Creates a reader, which is used for all values of a schema.
    ///
    /// With `timesAsText`, numbers with a logical type of date or time become strings, as CometD has them:
    /// `2026-01-29` and `2026-01-29T10:11:12.345Z`. Numbers outside the years 0 to 9999 stay numbers.
    package init(_ schema: AvroSchema, timesAsText: Bool = false, limits: AvroLimits = AvroLimits()) {
        tables = AvroTables(schema, timesAsText: timesAsText)
        (root, self.limits) = (schema.root, limits)
    }

    /// Reads one value that takes all bytes.
    ///
    /// - Throws: ``AvroError`` with the offset of the first invalid byte.
    package func read(_ bytes: [UInt8]) throws(AvroError) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw AvroError(.tooLarge) }
        let room = (
            bytes: min(tables.names.byteCount, 1 << 16) + 2 * bytes.count + 64,
            entries: min(2 * tables.members.count, 1 << 12) + bytes.count / 4 + 16
        )
        return try JSONAssembler.value(
            copying: bytes, names: tables.names, room: room, maximumBytes: limits.textBytes
        ) { assembler throws(AvroError) in
            var run = AvroRun(tables, limits)
            // The span of an array would need a newer system on Apple's platforms.
            try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(AvroError) in
                try run.read(root, unsafe buffer.span, to: &assembler, depth: 0)
            }
            guard run.at == bytes.count else { throw AvroError(.trailingBytes, offset: run.at) }
        }
    }
}

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

/// The tables of a schema, which a reader walks without retaining anything.
private final class AvroTables: Sendable {
    /// A field of a record with its type, or a symbol of an enum.
    struct Member {
        let name: JSONNameTexts.Name
        let type: UInt32
        /// The byte of a null value, or -1 if the type of the field is not a nullable one.
        let nullByte: Int16
    }

    let types: [AvroSchema.Kind]
    let members: [Member]
    let branches: [Int]
    let names: JSONNameTexts
    let timesAsText: Bool

    init(_ schema: AvroSchema, timesAsText: Bool) {
        var names = JSONNameTexts()
        // The parser of the schema has checked the characters of the names.
        members = schema.members.compactMap { member in
            let type = schema.types[member.type]
            return names.add(member.name).map { name in
                Member(
                    name: name, type: UInt32(truncatingIfNeeded: member.type),
                    nullByte: type.form == .nullable ? Int16(2 * type.nullBranch) : -1)
            }
        }
        (types, branches, self.names, self.timesAsText) = (schema.types, schema.branches, names, timesAsText)
    }
}

private struct AvroRun {
    private let tables: AvroTables
    private let maximumDepth: Int
    /// The number of values that may still follow.
    private var values: Int
    /// The offset of the next byte.
    private(set) var at = 0

    init(_ tables: AvroTables, _ limits: AvroLimits) {
        self.tables = tables
        (values, maximumDepth) = (limits.values, limits.depth)
    }

    mutating func read(
        _ id: AvroSchema.ID, _ bytes: Span<UInt8>, to assembler: inout JSONAssembler, depth: Int
    ) throws(AvroError) {
        let type = tables.types[id]
        switch type.form {
        case .null: assembler.null()
        case .boolean: assembler.bool(try boolean(bytes))
        case .int: assembler.integer(Int64(try int(bytes)))
        case .long: assembler.integer(try long(bytes))
        case .float: assembler.float(Float(bitPattern: try word(bytes)))
        case .double: assembler.double(Double(bitPattern: try word(bytes)))
        case .string: try string(bytes, to: &assembler)
        case .bytes, .fixed:
            let count = type.form == .fixed ? type.count : try length(bytes)
            try need(count, bytes)
            assembler.codePoints(at: at, count: count)
            at &+= count
        case .date, .timestampMillis, .timestampMicros, .dateMillis, .timeMillis:
            try time(type.form, bytes, to: &assembler)
        case .enumeration:
            let symbol = try index(below: type.count, bytes)
            assembler.text(tables.members[type.first &+ symbol].name)
        case .nullable:
            guard try index(below: 2, bytes) != type.nullBranch else { return assembler.null() }
            try read(type.first, bytes, to: &assembler, depth: depth)
        case .union:
            let branch = try index(below: type.count, bytes)
            try read(tables.branches[type.first &+ branch], bytes, to: &assembler, depth: depth)
        case .record: try record(type, bytes, to: &assembler, depth: depth)
        case .array, .map: try blocks(type, bytes, to: &assembler, depth: depth)
        }
    }

    // MARK: - Containers

    private mutating func record(
        _ type: AvroSchema.Kind, _ bytes: Span<UInt8>, to assembler: inout JSONAssembler, depth: Int
    ) throws(AvroError) {
        let container = try begin(&assembler, depth)
        try take(type.count)
        var number = type.first
        let end = number &+ type.count
        while number < end {
            // Most fields of an event are null, so runs of them are written at once.
            let start = number
            while number < end, at < bytes.count, Int16(bytes[at]) == tables.members[number].nullByte {
                number &+= 1
                at &+= 1
            }
            if number > start { assembler.nulls(tables.members[start].name, through: tables.members[number &- 1].name) }
            guard number < end else { break }
            assembler.name(tables.members[number].name)
            try read(Int(tables.members[number].type), bytes, to: &assembler, depth: depth &+ 1)
            number &+= 1
        }
        assembler.end(container, .object, count: type.count)
    }

    /// Reads the blocks of an array or a map: a count and items, up to a count of zero.
    ///
    /// A negative count is followed by the length of the block in bytes.
    private mutating func blocks(
        _ type: AvroSchema.Kind, _ bytes: Span<UInt8>, to assembler: inout JSONAssembler, depth: Int
    ) throws(AvroError) {
        let container = try begin(&assembler, depth)
        var total = 0
        while true {
            let start = at
            var count = try long(bytes)
            if count == 0 { break }
            var end: Int?
            if count < 0 {
                let length = try length(bytes)
                guard count > .min else { throw AvroError(.invalidLength, offset: start) }
                (count, end) = (-count, at &+ length)
            }
            guard let items = Int(outside: count, in: .count) else { throw AvroError(.tooLarge, offset: start) }
            try take(items)
            total &+= items
            for _ in 0..<items {
                if type.form == .array { assembler.separate() } else { try key(bytes, to: &assembler) }
                try read(type.first, bytes, to: &assembler, depth: depth &+ 1)
            }
            if let end, at != end { throw AvroError(.invalidLength, offset: start) }
        }
        assembler.end(container, type.form == .array ? .array : .object, count: total)
    }

    private mutating func begin(
        _ assembler: inout JSONAssembler, _ depth: Int
    ) throws(AvroError) -> JSONAssembler.Container {
        guard depth < maximumDepth else { throw AvroError(.tooDeep, offset: at) }
        guard let container = assembler.begin() else { throw AvroError(.tooLarge, offset: at) }
        return container
    }

    /// Counts values, which are bounded even if they take no bytes.
    private mutating func take(_ count: Int) throws(AvroError) {
        guard count <= values else { throw AvroError(.tooLarge, offset: at) }
        values &-= count
    }

    // MARK: - Scalars

    private func need(_ count: Int, _ bytes: Span<UInt8>) throws(AvroError) {
        guard count <= bytes.count &- at else { throw AvroError(.endOfInput, offset: bytes.count) }
    }

    /// A number of up to ten bytes with seven bits each, the lowest first, with the sign in the lowest bit.
    @inline(__always)
    private mutating func long(_ bytes: Span<UInt8>) throws(AvroError) -> Int64 {
        guard at < bytes.count else { throw AvroError(.endOfInput, offset: at) }
        let byte = bytes[at]
        guard byte < 0x80 else { return try longNumber(bytes) }
        at &+= 1
        return Int64(byte &>> 1) ^ -Int64(byte & 1)
    }

    @inline(never)
    private mutating func longNumber(_ bytes: Span<UInt8>) throws(AvroError) -> Int64 {
        let start = at
        var bits: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard at < bytes.count else { throw AvroError(.endOfInput, offset: at) }
            let byte = bytes[at]
            at &+= 1
            // The tenth byte has one bit.
            guard shift < 63 || byte <= 1 else { break }
            bits |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { return Int64(bitPattern: bits &>> 1) ^ -Int64(bitPattern: bits & 1) }
        }
        throw AvroError(.invalidNumber, offset: start)
    }

    private mutating func int(_ bytes: Span<UInt8>) throws(AvroError) -> Int32 {
        let start = at
        guard let value = Int32(exactly: try long(bytes)) else { throw AvroError(.invalidNumber, offset: start) }
        return value
    }

    /// The length of a string or bytes, all of which are in the input.
    @inline(__always)
    private mutating func length(_ bytes: Span<UInt8>) throws(AvroError) -> Int {
        let start = at
        let value = try long(bytes)
        guard value >= 0 else { throw AvroError(.invalidLength, offset: start) }
        guard value <= Int64(bytes.count &- at) else { throw AvroError(.endOfInput, offset: bytes.count) }
        return Int(truncatingIfNeeded: value)
    }

    @inline(__always)
    private mutating func index(below count: Int, _ bytes: Span<UInt8>) throws(AvroError) -> Int {
        let start = at
        let value = try long(bytes)
        guard value >= 0, value < Int64(count) else { throw AvroError(.invalidIndex, offset: start) }
        return Int(truncatingIfNeeded: value)
    }

    private mutating func boolean(_ bytes: Span<UInt8>) throws(AvroError) -> Bool {
        try need(1, bytes)
        let byte = bytes[at]
        guard byte <= 1 else { throw AvroError(.invalidBoolean, offset: at) }
        at &+= 1
        return byte == 1
    }

    /// The bits of a floating-point number, the lowest byte first.
    private mutating func word<Word: FixedWidthInteger>(_ bytes: Span<UInt8>) throws(AvroError) -> Word {
        let size = Word.bitWidth / 8
        try need(size, bytes)
        var word: Word = 0
        for offset in 0..<size { word |= Word(truncatingIfNeeded: bytes[at &+ offset]) &<< Word(8 &* offset) }
        at &+= size
        return word
    }

    private mutating func string(_ bytes: Span<UInt8>, to assembler: inout JSONAssembler) throws(AvroError) {
        let count = try length(bytes)
        guard assembler.string(at: at, count: count) else { throw AvroError(.invalidUTF8, offset: at) }
        at &+= count
    }

    private mutating func key(_ bytes: Span<UInt8>, to assembler: inout JSONAssembler) throws(AvroError) {
        let count = try length(bytes)
        guard assembler.name(at: at, count: count) else { throw AvroError(.invalidUTF8, offset: at) }
        at &+= count
    }

    /// Reads a date or a time as text, or as a number outside the years that have a text.
    private mutating func time(
        _ form: AvroSchema.Form, _ bytes: Span<UInt8>, to assembler: inout JSONAssembler
    ) throws(AvroError) {
        let value = form == .date ? Int64(try int(bytes)) : try long(bytes)
        guard tables.timesAsText, let text = AvroTime.text(of: value, form) else { return assembler.integer(value) }
        assembler.text(text)
    }
}

/// Dates and times of logical types as ISO 8601 text.
enum AvroTime {
    /// The number of units per second of a time.
    private static func scale(_ form: AvroSchema.Form) -> Int64 { form == .timestampMicros ? 1_000_000 : 1_000 }

    /// The text of a number, or `nil` outside the years 0 to 9999 and for a date with a time of day.
    static func text(of value: Int64, _ form: AvroSchema.Form) -> String? {
        switch form {
        case .date:
            guard let text = JSONTimestamp(seconds: value * 86_400).text else { return nil }
            return String(text.prefix(before: "T"))
        case .dateMillis: return value % 86_400_000 == 0 ? text(of: value / 86_400_000, .date) : nil
        case .timeMillis:
            guard (0..<86_400_000).contains(value) else { return nil }
            return text(of: value, .timestampMillis)?.cut(byte: "T").map { String($0.after) }
        default: break
        }
        let (whole, rest) = value.quotientAndRemainder(dividingBy: scale(form))
        let (seconds, fraction) = rest < 0 ? (whole - 1, rest + scale(form)) : (whole, rest)
        let nanoseconds = Int(fraction * (1_000_000_000 / scale(form)))
        return JSONTimestamp(seconds: seconds, nanoseconds: nanoseconds).text
    }

    /// The number of a text, or `nil` if the text is no date or time.
    static func value(of text: String, _ form: AvroSchema.Form) -> Int64? {
        let whole = form == .timeMillis ? "1970-01-01T\(text)" : text
        guard text.utf8.count <= 40, let time = JSONTimestamp(whole) else { return nil }
        switch form {
        case .date: return time.secondOfDay == 0 ? time.seconds / 86_400 : nil
        case .dateMillis: return time.secondOfDay == 0 ? time.seconds * 1_000 : nil
        case .timeMillis: return Int64(time.secondOfDay * 1_000 + time.nanoseconds / 1_000_000)
        case .timestampMillis: return time.seconds * 1_000 + Int64(time.nanoseconds / 1_000_000)
        case .timestampMicros: return time.seconds * 1_000_000 + Int64(time.nanoseconds / 1_000)
        default: return nil
        }
    }
}
