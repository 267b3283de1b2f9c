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
    private let plan: AvroPlan
    private let limits: AvroLimits

    /// Creates a reader, which is used for all values of a schema.
    ///
    /// With `timesAsText`, numbers with a logical type of date or time become strings, as CometD has them:
    /// `2026-01-29` and `2026-01-29T10:11:12.345Z`. Numbers outside the years 0 to 9999 stay numbers.
    package init(_ schema: AvroSchema, timesAsText: Bool = false, limits: AvroLimits = AvroLimits()) {
        plan = AvroPlan(schema, timesAsText: timesAsText)
        self.limits = limits
    }

    /// Reads one value that takes all bytes.
    ///
    /// - Throws: ``AvroError`` with the offset of the first invalid byte.
    package func read(_ bytes: [UInt8]) throws(AvroError) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw AvroError(.tooLarge) }
        let room = (
            bytes: min(plan.names.byteCount, 1 << 16) + 2 * bytes.count + 64,
            entries: min(2 * plan.members.count, 1 << 12) + bytes.count / 4 + 16
        )
        do throws(AvroFailure) {
            return try JSONAssembler.value(
                copying: bytes, names: plan.names, room: room, maximumBytes: limits.textBytes
            ) { assembler throws(AvroFailure) in
                var run = AvroRun(plan, limits)
                // The span of an array would need a newer system on Apple's platforms.
                try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(AvroFailure) in
                    try run.read(plan.root, unsafe buffer.span, to: &assembler, depth: 0)
                }
                guard run.at == bytes.count else { throw AvroFailure(.trailingBytes, at: run.at) }
            }
        } catch {
            throw AvroError(error.reason, offset: error.offset)
        }
    }
}

/// An error of the reader in two words, without a path.
struct AvroFailure: Error {
    let reason: AvroError.Reason
    let offset: Int

    init(_ reason: AvroError.Reason, at offset: Int) { (self.reason, self.offset) = (reason, offset) }
}

/// The state of reading one value.
struct AvroRun {
    private let plan: AvroPlan
    private let maximumDepth: Int
    /// The number of values that may still follow.
    private var values: Int
    /// The offset of the next byte.
    private(set) var at = 0

    init(_ plan: AvroPlan, _ limits: AvroLimits) {
        self.plan = plan
        (values, maximumDepth) = (limits.values, limits.depth)
    }

    /// Reads a value of a type.
    mutating func read(
        _ number: Int, _ bytes: Span<UInt8>, to assembler: inout JSONAssembler, depth: Int
    ) throws(AvroFailure) {
        let step = plan.steps[number]
        switch step.code {
        case .null: assembler.null()
        case .boolean: assembler.bool(try boolean(bytes))
        case .int: assembler.integer(Int64(try int(bytes)))
        case .long: assembler.integer(try long(bytes))
        case .float: assembler.float(Float(bitPattern: try word(bytes)))
        case .double: assembler.double(Double(bitPattern: try word(bytes)))
        case .string: try string(bytes, to: &assembler)
        case .bytes:
            let count = try length(bytes)
            assembler.codePoints(at: at, count: count)
            at &+= count
        case .fixed:
            let count = Int(step.count)
            try need(count, bytes)
            assembler.codePoints(at: at, count: count)
            at &+= count
        case .date, .millis, .micros, .midnight, .timeOfDay: try time(step.code, bytes, to: &assembler)
        case .enumeration:
            let symbol = try index(below: step.count, bytes)
            assembler.text(plan.members[Int(step.first) &+ symbol].name)
        case .nullable: try nullable(step, bytes, to: &assembler, depth: depth)
        case .union:
            let branch = try index(below: step.count, bytes)
            try read(plan.branches[Int(step.first) &+ branch], bytes, to: &assembler, depth: depth)
        case .record: try record(step, bytes, to: &assembler, depth: depth)
        case .array, .map: try blocks(step, bytes, to: &assembler, depth: depth)
        }
    }

    // MARK: - Containers

    private mutating func record(
        _ step: AvroPlan.Step, _ bytes: Span<UInt8>, to assembler: inout JSONAssembler, depth: Int
    ) throws(AvroFailure) {
        let container = try begin(&assembler, depth)
        try take(Int(step.count))
        var number = Int(step.first)
        let end = number &+ Int(step.count)
        while number < end {
            // Most fields of an event are null, so runs of them are written at once.
            let start = number
            while number < end, at < bytes.count, Int16(bytes[at]) == plan.members[number].nullByte {
                number &+= 1
                at &+= 1
            }
            if number > start { assembler.nulls(plan.members[start].name, through: plan.members[number &- 1].name) }
            guard number < end else { break }
            assembler.name(plan.members[number].name)
            try read(Int(plan.members[number].step), bytes, to: &assembler, depth: depth &+ 1)
            number &+= 1
        }
        assembler.end(container, .object, count: Int(step.count))
    }

    private mutating func nullable(
        _ step: AvroPlan.Step, _ bytes: Span<UInt8>, to assembler: inout JSONAssembler, depth: Int
    ) throws(AvroFailure) {
        guard try index(below: 2, bytes) != Int(step.nullBranch) else { return assembler.null() }
        try read(Int(step.first), bytes, to: &assembler, depth: depth)
    }

    /// Reads the blocks of an array or a map: a count and items, up to a count of zero.
    ///
    /// A negative count is followed by the length of the block in bytes.
    private mutating func blocks(
        _ step: AvroPlan.Step, _ bytes: Span<UInt8>, to assembler: inout JSONAssembler, depth: Int
    ) throws(AvroFailure) {
        let container = try begin(&assembler, depth)
        var total = 0
        while true {
            let start = at
            var count = try long(bytes)
            if count == 0 { break }
            var end: Int?
            if count < 0 {
                let length = try length(bytes)
                guard count > .min else { throw AvroFailure(.invalidLength, at: start) }
                (count, end) = (-count, at &+ length)
            }
            guard let items = Int(outside: count, in: .count) else { throw AvroFailure(.tooLarge, at: start) }
            try take(items)
            total &+= items
            for _ in 0..<items {
                if step.code == .array { assembler.separate() } else { try key(bytes, to: &assembler) }
                try read(Int(step.first), bytes, to: &assembler, depth: depth &+ 1)
            }
            if let end, at != end { throw AvroFailure(.invalidLength, at: start) }
        }
        assembler.end(container, step.code == .array ? .array : .object, count: total)
    }

    private mutating func begin(
        _ assembler: inout JSONAssembler, _ depth: Int
    ) throws(AvroFailure) -> JSONAssembler.Container {
        guard depth < maximumDepth else { throw AvroFailure(.tooDeep, at: at) }
        guard let container = assembler.begin() else { throw AvroFailure(.tooLarge, at: at) }
        return container
    }

    /// Counts values, which are bounded even if they take no bytes.
    private mutating func take(_ count: Int) throws(AvroFailure) {
        guard count <= values else { throw AvroFailure(.tooLarge, at: at) }
        values &-= count
    }

    // MARK: - Scalars

    private func need(_ count: Int, _ bytes: Span<UInt8>) throws(AvroFailure) {
        guard count <= bytes.count &- at else { throw AvroFailure(.endOfInput, at: bytes.count) }
    }

    /// A number of up to ten bytes with seven bits each, the lowest first, with the sign in the lowest bit.
    @inline(__always)
    private mutating func long(_ bytes: Span<UInt8>) throws(AvroFailure) -> Int64 {
        guard at < bytes.count else { throw AvroFailure(.endOfInput, at: at) }
        let byte = bytes[at]
        guard byte < 0x80 else { return try longNumber(bytes) }
        at &+= 1
        return Int64(byte &>> 1) ^ -Int64(byte & 1)
    }

    @inline(never)
    private mutating func longNumber(_ bytes: Span<UInt8>) throws(AvroFailure) -> Int64 {
        let start = at
        var bits: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard at < bytes.count else { throw AvroFailure(.endOfInput, at: at) }
            let byte = bytes[at]
            at &+= 1
            // The tenth byte has one bit.
            guard shift < 63 || byte <= 1 else { break }
            bits |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { return Int64(bitPattern: bits &>> 1) ^ -Int64(bitPattern: bits & 1) }
        }
        throw AvroFailure(.invalidNumber, at: start)
    }

    private mutating func int(_ bytes: Span<UInt8>) throws(AvroFailure) -> Int32 {
        let start = at
        guard let value = Int32(exactly: try long(bytes)) else { throw AvroFailure(.invalidNumber, at: start) }
        return value
    }

    /// The length of a string or bytes, all of which are in the input.
    @inline(__always)
    private mutating func length(_ bytes: Span<UInt8>) throws(AvroFailure) -> Int {
        let start = at
        let value = try long(bytes)
        guard value >= 0 else { throw AvroFailure(.invalidLength, at: start) }
        guard value <= Int64(bytes.count &- at) else { throw AvroFailure(.endOfInput, at: bytes.count) }
        return Int(truncatingIfNeeded: value)
    }

    @inline(__always)
    private mutating func index(below count: some FixedWidthInteger, _ bytes: Span<UInt8>) throws(AvroFailure) -> Int {
        let start = at
        let value = try long(bytes)
        guard value >= 0, value < Int64(count) else { throw AvroFailure(.invalidIndex, at: start) }
        return Int(truncatingIfNeeded: value)
    }

    private mutating func boolean(_ bytes: Span<UInt8>) throws(AvroFailure) -> Bool {
        try need(1, bytes)
        let byte = bytes[at]
        guard byte <= 1 else { throw AvroFailure(.invalidBoolean, at: at) }
        at &+= 1
        return byte == 1
    }

    /// The bits of a floating-point number, the lowest byte first.
    private mutating func word<Word: FixedWidthInteger>(_ bytes: Span<UInt8>) throws(AvroFailure) -> Word {
        let size = Word.bitWidth / 8
        try need(size, bytes)
        var word: Word = 0
        for offset in 0..<size { word |= Word(truncatingIfNeeded: bytes[at &+ offset]) &<< Word(8 &* offset) }
        at &+= size
        return word
    }

    private mutating func string(_ bytes: Span<UInt8>, to assembler: inout JSONAssembler) throws(AvroFailure) {
        let count = try length(bytes)
        guard assembler.string(at: at, count: count) else { throw AvroFailure(.invalidUTF8, at: at) }
        at &+= count
    }

    private mutating func key(_ bytes: Span<UInt8>, to assembler: inout JSONAssembler) throws(AvroFailure) {
        let count = try length(bytes)
        guard assembler.name(at: at, count: count) else { throw AvroFailure(.invalidUTF8, at: at) }
        at &+= count
    }

    /// Reads a date or a time as text, or as a number outside the years that have a text.
    private mutating func time(
        _ code: AvroPlan.Code, _ bytes: Span<UInt8>, to assembler: inout JSONAssembler
    ) throws(AvroFailure) {
        let value = code == .date ? Int64(try int(bytes)) : try long(bytes)
        guard let text = AvroTime.text(of: value, code) else { return assembler.integer(value) }
        assembler.text(text)
    }
}

/// Dates and times of logical types as ISO 8601 text.
enum AvroTime {
    /// The number of units per second of a time.
    private static func scale(_ code: AvroPlan.Code) -> Int64 { code == .micros ? 1_000_000 : 1_000 }

    /// The text of a number, or `nil` outside the years 0 to 9999 and for a date with a time of day.
    static func text(of value: Int64, _ code: AvroPlan.Code) -> String? {
        switch code {
        case .date:
            guard let text = JSONTimestamp(seconds: value * 86_400).text else { return nil }
            return String(text.prefix(before: "T"))
        case .midnight: return value % 86_400_000 == 0 ? text(of: value / 86_400_000, .date) : nil
        case .timeOfDay:
            guard (0..<86_400_000).contains(value) else { return nil }
            return text(of: value, .millis)?.cut(byte: "T").map { String($0.after) }
        default: break
        }
        let (whole, rest) = value.quotientAndRemainder(dividingBy: scale(code))
        let (seconds, fraction) = rest < 0 ? (whole - 1, rest + scale(code)) : (whole, rest)
        let nanoseconds = Int(fraction * (1_000_000_000 / scale(code)))
        return JSONTimestamp(seconds: seconds, nanoseconds: nanoseconds).text
    }

    /// The number of a text, or `nil` if the text is no date or time.
    static func value(of text: String, _ logical: AvroSchema.Logical) -> Int64? {
        let whole = logical == .timeMillis ? "1970-01-01T\(text)" : text
        guard text.utf8.count <= 40, let time = JSONTimestamp(whole) else { return nil }
        switch logical {
        case .date: return time.secondOfDay == 0 ? time.seconds / 86_400 : nil
        case .dateMillis: return time.secondOfDay == 0 ? time.seconds * 1_000 : nil
        case .timeMillis: return Int64(time.secondOfDay * 1_000 + time.nanoseconds / 1_000_000)
        case .timestampMillis: return time.seconds * 1_000 + Int64(time.nanoseconds / 1_000_000)
        case .timestampMicros: return time.seconds * 1_000_000 + Int64(time.nanoseconds / 1_000)
        }
    }
}
