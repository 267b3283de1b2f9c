// SPDX-License-Identifier: Apache-2.0

/// A one-pass parser that converts bytes to a tape and checks every rule of RFC 8259.
///
/// It does not recurse and needs no stack: an open container stores the index of its enclosing container in its own
/// tape entry. If the tape is full, the parser stops between two values and can resume with a longer tape.
struct JSONParser {
    let source: JSONSource
    private let maximumDepth: Int
    private var stops: JSONStopMap

    /// The next byte to read, which is the first byte of a value between two runs.
    var position = 0
    /// The tape index of the innermost open container, or 0 for the text, which is treated as an array of one value.
    private var container = 0
    private var isObject = false
    /// The number of members or elements of `container` so far.
    private var count = 0
    private var depth = 0
    /// The distance back on the tape to the expected entry: the same member of the previous object.
    private var lag = 0

    private init(source: JSONSource, maximumDepth: Int, stops: JSONStopMap) {
        self.source = source
        self.maximumDepth = maximumDepth
        self.stops = stops
    }

    /// Calls `body` with a parser of a text, which must not escape.
    static func of<Result>(
        _ bytes: [UInt8], maximumDepth: Int, _ body: (inout JSONParser) -> Result
    ) -> Result {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            let source = unsafe JSONSource(UnsafeRawBufferPointer(buffer))
            return JSONStopMap.of(source) { stops in
                var parser = JSONParser(source: source, maximumDepth: maximumDepth, stops: stops)
                return body(&parser)
            }
        }
    }

    /// The maximum number of entries that one step of the loop in `run` adds: a name, and a value or an opening
    /// bracket.
    private static let entriesPerStep = 2
    /// The number of entries by which a tape grows within its capacity: two memory pages.
    private static let entriesPerPage = 1 << 10

    /// Parses a whole text.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - limits: The maximum length and nesting.
    ///   - pool: The pool that provides the tape, and receives it if parsing fails.
    /// - Returns: The entries of the text's values.
    /// - Throws: `JSONError` if the text violates RFC 8259 or exceeds a limit.
    static func tape(
        of bytes: [UInt8], limits: JSONDocument.Limits, from pool: JSONTapePool? = nil
    ) throws(JSONError) -> [TapeEntry] {
        guard bytes.count <= min(limits.maximumBytes, JSONDocument.Limits.hardMaximumBytes) else {
            throw JSONError(
                reason: .tooLarge, offset: limits.maximumBytes, expected: "at most \(limits.maximumBytes) bytes")
        }
        var tape = pool?.take(forTextOf: bytes.count) ?? []
        let failure = JSONParser.of(bytes, maximumDepth: limits.maximumDepth) { parser -> JSONFailure? in
            do throws(JSONFailure) {
                try parser.start()
                try parser.fill(&tape)
                return nil
            } catch {
                return error
            }
        }
        if let failure {
            pool?.giveBack(tape)
            throw JSONError(failure, in: bytes)
        }
        return tape
    }

    /// The capacity of a new tape: one entry per 8 bytes (typical texts need one per 18), because unused pages cost
    /// nothing.
    static func usualRoom(forTextOf byteCount: Int) -> Int { byteCount / 8 + 16 }

    /// Parses to the end of the text, on the given tape first and then on longer tapes.
    ///
    /// - Parameter tape: An empty tape, or a tape to reuse, whose entries after those of this text are not changed.
    /// - Throws: `JSONFailure` with its position if the text is not valid JSON.
    mutating func fill(_ tape: inout [TapeEntry]) throws(JSONFailure) {
        var used = 0
        var isAtEnd = tape.isEmpty ? false : try refill(&tape, used: &used)
        var room = JSONParser.usualRoom(forTextOf: source.count)
        while !isAtEnd {
            if used > 0 {
                // The rest of the text probably needs as many entries per byte as the text so far.
                let perByte = Double(used) / Double(max(1, position))
                room = max(used * 3 / 2, Int(perByte * 1.1 * Double(source.count)) + 16)
            }
            let written = tape[..<used]
            tape = try unsafe [TapeEntry](unsafeUninitializedCapacity: room) { buffer, count throws(JSONFailure) in
                _ = unsafe buffer.initialize(from: written)
                defer { count = used }
                isAtEnd = try unsafe run(on: JSONTapeBuffer(buffer), used: &used)
            }
        }
    }

    /// Parses onto a reused tape, initializing its unused memory page by page, and returns whether the text has ended.
    private mutating func refill(_ tape: inout [TapeEntry], used: inout Int) throws(JSONFailure) -> Bool {
        while true {
            let isAtEnd = try unsafe tape.withUnsafeMutableBufferPointer { buffer throws(JSONFailure) in
                try unsafe run(on: JSONTapeBuffer(buffer), used: &used)
            }
            let spare = tape.capacity - tape.count
            guard !isAtEnd, spare > 0 else { return isAtEnd }
            let unused = TapeEntry(.null, length: 0, position: 0)
            tape.append(contentsOf: repeatElement(unused, count: min(spare, JSONParser.entriesPerPage)))
        }
    }

    /// Advances to the first value, or throws a special error for a byte-order mark, because "unexpected byte" would
    /// confuse.
    private mutating func start() throws(JSONFailure) {
        if source.word(0) & 0xFF_FFFF == 0xBF_BBEF { throw JSONFailure(code: .byteOrderMark, offset: 0) }
        position = source.skipWhitespace(0)
    }

    /// Parses from `position` until the end of the text (true) or until the tape has no room for a step (false).
    ///
    /// The state is in local variables, because the compiler keeps them in registers.
    mutating func run(on tape: JSONTapeBuffer, used: inout Int) throws(JSONFailure) -> Bool {
        let source = source
        var at = position
        var next = used
        var frame = Frame(container: container, isObject: isObject, count: count)
        var lag = lag
        if next == 0 {
            tape.write(TapeEntry(.array, length: 0, position: 0), at: 0)
            next = 1
        }
        while true {
            guard next &+ JSONParser.entriesPerStep <= tape.capacity else {
                (position, container, isObject, count) = (at, frame.container, frame.isObject, frame.count)
                (self.lag, used) = (lag, next)
                return false
            }
            if frame.isObject {
                at = try source.scanName(at, into: tape, at: next, lag: &lag, &stops)
                next &+= 1
            }
            // One value, or the opening bracket of a non-empty container.
            switch source.byte(at) {
            case UInt8(ascii: "\""):
                at = try source.scanString(at, into: tape, at: next, &stops)
            case UInt8(ascii: "{"):
                if let inside = source.openContainer(at, closing: UInt8(ascii: "}")) {
                    try push(&frame, isObject: true, on: tape, at: next, offset: at)
                    next &+= 1
                    at = inside
                    continue
                }
                at = try leaf(.object, on: tape, at: next, from: at)
            case UInt8(ascii: "["):
                if let inside = source.openContainer(at, closing: UInt8(ascii: "]")) {
                    try push(&frame, isObject: false, on: tape, at: next, offset: at)
                    next &+= 1
                    at = inside
                    continue
                }
                at = try leaf(.array, on: tape, at: next, from: at)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                at = try source.scanNumber(at, into: tape, at: next)
            default:
                at = try source.scanLiteral(at, into: tape, at: next)
            }
            next &+= 1
            // After a value: usually a comma and the next value.
            frame.count &+= 1
            if source.byte(at) == UInt8(ascii: ","), frame.container != 0 {
                at = source.skipWhitespace(at &+ 1)
                continue
            }
            guard let following = try closes(&frame, lag: &lag, from: at, on: tape, next: next) else {
                used = next
                return true
            }
            at = following
        }
    }

    /// Closes finished containers, and returns the offset of the next value or name, or `nil` at the end of the text.
    @inline(never)
    private mutating func closes(
        _ frame: inout Frame, lag: inout Int, from start: Int, on tape: JSONTapeBuffer, next: Int
    ) throws(JSONFailure) -> Int? {
        var at = start
        while true {
            at = source.skipWhitespace(at)
            if frame.container == 0 {
                guard at == source.count else { throw JSONFailure(code: .trailing, offset: at) }
                tape.write(TapeEntry(.array, length: 1, position: next), at: 0)
                return nil
            }
            let byte = source.byte(at)
            at &+= 1
            if byte == UInt8(ascii: ",") { break }
            guard byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw JSONFailure(code: frame.isObject ? .commaOrBrace : .commaOrBracket, offset: at &- 1)
            }
            pop(&frame, lag: &lag, on: tape, next: next)
            frame.count &+= 1
        }
        return source.skipWhitespace(at)
    }

    private struct Frame {
        var container: Int
        var isObject: Bool
        var count: Int

        var kind: TapeKind { isObject ? .object : .array }
    }

    /// Opens a container, after saving the count of the enclosing container and the index of its parent in its entry.
    @inline(__always)
    private mutating func push(
        _ frame: inout Frame, isObject: Bool, on tape: JSONTapeBuffer, at next: Int, offset: Int
    ) throws(JSONFailure) {
        depth &+= 1
        guard depth <= maximumDepth else { throw JSONFailure(code: .tooDeep, offset: offset) }
        let outer = tape.read(frame.container).position
        tape.write(
            TapeEntry(frame.kind, length: min(frame.count, TapeEntry.maximumLength), position: outer),
            at: frame.container)
        tape.write(TapeEntry(isObject ? .object : .array, length: 0, position: frame.container), at: next)
        frame = Frame(container: next, isObject: isObject, count: 0)
    }

    /// Closes the innermost container and continues its parent.
    ///
    /// In an array, the closed element is the model for the next element. In an object, the model continues after the
    /// same member of the previous object, which may have a different size.
    @inline(__always)
    private mutating func pop(_ frame: inout Frame, lag: inout Int, on tape: JSONTapeBuffer, next: Int) {
        depth &-= 1
        let closed = frame.container
        let outer = tape.read(frame.container).position
        tape.write(
            TapeEntry(frame.kind, length: min(frame.count, TapeEntry.maximumLength), position: next),
            at: frame.container)
        let entry = tape.read(outer)
        frame = Frame(container: outer, isObject: entry.has(.object), count: entry.length)
        guard frame.isObject else { return lag = next &- closed }
        let model = tape.read(closed &- lag)
        lag = next &- (model.isContainer ? model.position : closed &- lag &+ 1)
    }

    /// Writes an empty container as one entry and returns the offset after its closing bracket.
    @inline(__always)
    private func leaf(_ kind: TapeKind, on tape: JSONTapeBuffer, at next: Int, from at: Int) throws(JSONFailure) -> Int
    {
        guard depth < maximumDepth else { throw JSONFailure(code: .tooDeep, offset: at) }
        tape.write(TapeEntry(kind, length: 0, position: next &+ 1), at: next)
        return source.skipWhitespace(at &+ 1) &+ 1
    }
}
