// SPDX-License-Identifier: Apache-2.0

/// Takes a query page as it arrives and hands out its records before the page is whole.
///
/// ```swift
/// var splitter = JSONRecordSplitter()
/// for chunk in chunks {
///     for record in try splitter.push(chunk) { use(record) }
/// }
/// let page = try splitter.finish()   // the page with no records in it: totalSize, done, nextRecordsUrl …
/// ```
///
/// Chunks may be cut anywhere, inside an escape or a character too. At any time it holds one unfinished record and the
/// members around the records. Everything is validated as strictly as by `JSONDocument`; a record may be handed out
/// before a fault later in the page is seen. After an error every call throws that error again.
package struct JSONRecordSplitter: Sendable {
    private enum Phase {
        case prefix
        case records(JSONElements.Next, isFirst: Bool)
        case suffix
    }

    private var phase = Phase.prefix
    private var scanner: JSONEnvelopeScanner
    private let member: String
    private let maximumDepth: Int
    private let maximumHeldBytes: Int
    private var failure: JSONError?

    /// The page without its records: all up to the opening bracket, and all from the closing bracket on.
    private var envelope: [UInt8] = []
    /// The length of the part up to and with the opening bracket.
    private var prefixCount = 0
    /// The point in the page where the closing bracket stands.
    private var suffixPlace = JSONPlace()
    /// The beginning of a record whose end has not arrived.
    private var carry: [UInt8] = []
    /// How far `carry` is known to be incomplete.
    private var scanned = JSONNesting()
    /// The point in the page of the first byte of `carry`, or of the next chunk when there is none.
    private var place = JSONPlace()

    /// Makes a splitter.
    ///
    /// - Parameters:
    ///   - member: The name of the array in the root object.
    ///   - limits: The deepest nesting to accept.
    ///   - maximumHeldBytes: The longest record, and the most bytes around the records.
    package init(member: String = "records", limits: JSONLimits = .default, maximumHeldBytes: Int = 16 << 20) {
        self.member = member
        self.maximumHeldBytes = max(1, min(maximumHeldBytes, limits.maximumBytes))
        maximumDepth = limits.maximumDepth
        scanner = JSONEnvelopeScanner(member: member)
    }

    /// Takes the next bytes of the page and gives the records that they complete, in order; often none.
    ///
    /// - Throws: `JSONError` with the place in the whole page.
    package mutating func push(_ chunk: [UInt8]) throws(JSONError) -> JSONArray {
        if let failure { throw failure }
        do throws(JSONError) {
            return try take(chunk)
        } catch {
            failure = error
            throw error
        }
    }

    /// Ends the page and gives it with an empty array in place of the records.
    ///
    /// A page without such an array is given whole.
    ///
    /// - Throws: `JSONError` for a page that is cut short, or whose outer part is no JSON.
    package mutating func finish() throws(JSONError) -> JSONValue {
        if let failure { throw failure }
        if case .records(let next, _) = phase { throw endInsideRecords(next) }
        let page: JSONValue
        do throws(JSONError) {
            page = try JSONValue(parsing: envelope, limits: JSONLimits(maximumDepth: maximumDepth))
        } catch {
            throw moved(error)
        }
        guard case .suffix = phase, let object = page.object, object.filter({ $0.key == member }).count > 1 else {
            return page
        }
        throw JSONError(reason: .unexpectedShape, offset: 0, expected: "one member \"\(member)\"")
    }
}

extension JSONRecordSplitter {
    private mutating func take(_ chunk: [UInt8]) throws(JSONError) -> JSONArray {
        switch phase {
        case .prefix:
            guard let end = scanner.endOfPrefix(in: chunk) else {
                try hold(chunk[...])
                place = place.advanced(over: chunk[...])
                return []
            }
            try hold(chunk[..<end])
            prefixCount = envelope.count
            // Closed at once, the prefix is a text of its own: faults in it show before the first record.
            _ = try JSONDocument(
                parsing: envelope + [UInt8(ascii: "]"), UInt8(ascii: "}")],
                limits: JSONLimits(maximumDepth: maximumDepth))
            place = place.advanced(over: chunk[..<end])
            phase = .records(.element, isFirst: true)
            return try records(in: chunk, from: end)
        case .records:
            guard !carry.isEmpty else { return try records(in: chunk, from: 0) }
            // A chunk longer than the carry pays for parsing the carry again; for shorter ones, look for the end first.
            if chunk.count < carry.count, !scanned.mayEnd(in: chunk, after: carry) {
                carry += chunk
                try checkCarry()
                return []
            }
            return try records(in: carry + chunk, from: 0)
        case .suffix:
            try hold(chunk[...])
            return []
        }
    }

    /// Keeps bytes around the records.
    private mutating func hold(_ bytes: ArraySlice<UInt8>) throws(JSONError) {
        envelope += bytes
        guard envelope.count <= maximumHeldBytes else { throw tooLarge(maximumHeldBytes) }
    }

    private func checkCarry() throws(JSONError) {
        guard carry.count <= maximumHeldBytes else { throw tooLarge(place.offset + maximumHeldBytes) }
    }

    private func tooLarge(_ offset: Int) -> JSONError {
        JSONError(
            reason: .tooLarge, offset: offset, line: place.line, column: place.column,
            expected: "records, and members around them, of at most \(maximumHeldBytes) bytes")
    }

    /// Parses what is complete from an offset, where `place` is, and keeps the rest.
    private mutating func records(in bytes: [UInt8], from start: Int) throws(JSONError) -> JSONArray {
        var at = start
        guard try skipDelimiter(in: bytes, &at) else { return [] }
        let elements = JSONElements(of: bytes, from: at, maximumDepth: maximumDepth - 2)
        let end = elements.checkpoint.position
        if let failure = elements.failure, !elements.isMaybeCutShort(count: bytes.count) {
            throw JSONError(failure.code, at: place.advanced(over: bytes[start..<failure.offset]), atEnd: false)
        }
        if elements.checkpoint.count > 0 || elements.checkpoint.next != .element {
            phase = .records(elements.checkpoint.next, isFirst: false)
        }
        try keep(bytes, from: start, to: end, isOver: elements.checkpoint.next == .nothing)
        guard elements.checkpoint.count > 0 else { return [] }
        return JSONArray(JSONDocument(bytes: bytes, tape: elements.tape), at: 0)
    }

    /// Steps over the comma or closing bracket that is due between chunks; false when there is nothing to parse.
    private mutating func skipDelimiter(in bytes: [UInt8], _ at: inout Int) throws(JSONError) -> Bool {
        guard case .records(let next, let isFirst) = phase else { return false }
        let start = at
        at = bytes[at...].firstIndex { !($0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09) } ?? bytes.count
        guard at < bytes.count else {
            try keep(bytes, from: start, to: at, isOver: false)
            return false
        }
        if bytes[at] == UInt8(ascii: "]"), isFirst || next == .delimiter {
            at += 1
            try keep(bytes, from: start, to: at, isOver: true)
            return false
        }
        guard next == .delimiter else { return true }
        guard bytes[at] == UInt8(ascii: ",") else {
            throw JSONError(.commaOrBracket, at: place.advanced(over: bytes[start..<at]), atEnd: false)
        }
        at += 1
        phase = .records(.element, isFirst: false)
        guard at < bytes.count else {
            try keep(bytes, from: start, to: at, isOver: false)
            return false
        }
        return true
    }

    /// Moves on to `end`: what follows it is the carry, or the suffix when the array is over.
    private mutating func keep(
        _ bytes: [UInt8], from start: Int, to end: Int, isOver: Bool
    ) throws(JSONError) {
        guard isOver else {
            place = place.advanced(over: bytes[start..<end])
            carry = Array(bytes[end...])
            scanned = JSONNesting()
            return try checkCarry()
        }
        suffixPlace = place.advanced(over: bytes[start..<(end - 1)])
        phase = .suffix
        carry = []
        try hold(bytes[(end - 1)...])
    }

    /// The error for a page that ends before the closing bracket of the records.
    private func endInsideRecords(_ next: JSONElements.Next) -> JSONError {
        let elements = JSONElements(of: carry, from: 0, maximumDepth: maximumDepth - 2)
        let code = carry.isEmpty && next == .delimiter ? .commaOrBracket : elements.failure?.code ?? .commaOrBracket
        let offset = elements.failure?.offset ?? carry.count
        return JSONError(code, at: place.advanced(over: carry[..<offset]), atEnd: offset >= carry.count)
    }

    /// Puts an error in the envelope at its place in the page.
    private func moved(_ error: JSONError) -> JSONError {
        guard case .suffix = phase, error.offset >= prefixCount else { return error }
        let place = suffixPlace.advanced(over: envelope[prefixCount..<min(error.offset, envelope.count)])
        return JSONError(
            reason: error.reason, offset: place.offset, line: place.line, column: place.column, expected: error.expected
        )
    }
}
