// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Reads the header lines libcurl hands out: interim answers are dropped, the final one is kept, trailers are ignored.
struct ResponseHeadParser {
    /// Why a header is refused.
    struct Refusal: Error {
        let code: TransportError.Code
        let message: String

        static func malformed(_ message: String) -> Refusal { Refusal(code: .invalidResponse, message: message) }
    }

    private(set) var status = 0
    /// The fields of the header so far; the repeated ones only once the header is complete.
    private(set) var fields = HTTPFields()
    /// Whether the blank line behind the final header was seen.
    private(set) var isComplete = false
    /// The length announced, when there is one.
    private(set) var contentLength: Int?
    /// The body's content coding, unless it is sent as it is (RFC 9110 §8.4).
    private(set) var contentCoding: String?
    private var byteCount = 0
    private var cache = FieldLineCache()
    /// How many lines, from the first, were the same as last time and are not in `fields` yet.
    private var repeatedCount: Int? = 0

    /// Gets ready for the next response.
    mutating func reset() {
        isComplete = false
        byteCount = 0
        forgetHead()
    }

    /// Takes one line with its line end.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(Refusal) {
        byteCount += bytes.count
        guard byteCount <= limit else {
            throw Refusal(code: .tooLarge, message: "the response header is larger than \(limit) bytes")
        }
        guard !isComplete else { return }
        if unsafe try takeKnownLine(bytes) { return }
        let line = unsafe Self.trimmed(bytes, from: 0)
        if unsafe line.isEmpty {
            takeRepeated()
            isComplete = status >= 200
        } else if unsafe Self.isStatusLine(bytes) {
            unsafe try begin(line)
        } else if unsafe bytes[0] == UInt8(ascii: " ") || bytes[0] == UInt8(ascii: "\t") {
            throw .malformed("a folded header line")
        } else {
            unsafe try addField(line, bytes: bytes)
        }
    }

    /// Takes a line that is the same as the one at its place last time; `false` for any other.
    private mutating func takeKnownLine(_ bytes: UnsafeRawBufferPointer) throws(Refusal) -> Bool {
        let index = repeatedCount ?? fields.count
        guard let role = unsafe cache.role(at: index, equalTo: bytes) else { return false }
        if repeatedCount != nil { repeatedCount = index + 1 } else { fields.append(cache.fields[index]) }
        try note(role)
        return true
    }

    /// A status line; an interim answer before it is forgotten (RFC 9110 §15.2).
    private mutating func begin(_ line: Slice<UnsafeRawBufferPointer>) throws(Refusal) {
        guard let blank = unsafe line.firstIndex(of: UInt8(ascii: " ")) else { throw .malformed("no status code") }
        let digits = unsafe line[(blank + 1)...].prefix(3)
        guard unsafe digits.count == 3, unsafe digits.allSatisfy({ ASCII.isDigit($0) }) else {
            throw .malformed("no status code")
        }
        status = unsafe digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard status >= 100, status != 101 else { throw .malformed("status \(status) without asking for it") }
        let code = status
        forgetHead()
        status = code
    }

    private mutating func forgetHead() {
        status = 0
        fields = HTTPFields()
        repeatedCount = 0
        contentLength = nil
        contentCoding = nil
    }

    private static func isStatusLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes[0] == UInt8(ascii: "H") && bytes.starts(with: "HTTP/".utf8)
    }

    private mutating func addField(
        _ line: Slice<UnsafeRawBufferPointer>, bytes: UnsafeRawBufferPointer
    ) throws(Refusal) {
        takeRepeated()
        guard let colon = unsafe line.firstIndex(of: UInt8(ascii: ":")), unsafe colon > line.startIndex,
            unsafe line[..<colon].allSatisfy({ ASCII.isTokenCharacter($0) })
        else { throw .malformed("a header line without a field name") }
        let name = unsafe String(decoding: line[..<colon], as: UTF8.self)
        let value = unsafe Self.text(Self.trimmed(UnsafeRawBufferPointer(rebasing: line), from: colon + 1))
        let field = HTTPFields.Field(name: name, value: value)
        let role = try Self.role(of: field)
        unsafe cache.store(field, role: role, line: bytes, at: fields.count)
        fields.append(field)
        try note(role)
    }

    /// Moves the lines that were the same as last time to the fields; all of them cost one reference.
    private mutating func takeRepeated() {
        guard let count = repeatedCount else { return }
        repeatedCount = nil
        fields = count == cache.fields.count ? cache.fields : HTTPFields(cache.fields.prefix(count))
    }

    /// Lengths that contradict each other let answers be smuggled (RFC 9112 §6.3).
    private mutating func note(_ role: FieldLineCache.Role) throws(Refusal) {
        switch role {
        case .plain: break
        case .contentLength(let length):
            guard contentLength ?? length == length else { throw .malformed("two different Content-Length fields") }
            contentLength = length
        case .contentCoding(let coding): contentCoding = contentCoding.map { "\($0), \(coding)" } ?? coding
        }
    }

    private static func role(of field: HTTPFields.Field) throws(Refusal) -> FieldLineCache.Role {
        if field.name.isEqualIgnoringASCIICase(to: "content-length") {
            guard field.value.utf8.allSatisfy(ASCII.isDigit), let length = Int(field.value) else {
                throw .malformed("a malformed Content-Length")
            }
            return .contentLength(length)
        }
        if field.name.isEqualIgnoringASCIICase(to: "transfer-encoding") {
            guard ["chunked", "identity"].contains(field.value.lowercased()) else {
                throw .malformed("the transfer coding '\(field.value)', which was not asked for")
            }
        }
        guard field.name.isEqualIgnoringASCIICase(to: "content-encoding") else { return .plain }
        return field.value.isEmpty || field.value.isEqualIgnoringASCIICase(to: "identity")
            ? .plain : .contentCoding(field.value)
    }

    /// UTF-8 where it is valid, else one character for each byte (ISO 8859-1), so that no byte is lost.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        if let text = unsafe String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        unsafe text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return text
    }

    /// The bytes from an offset on without blanks and line ends around them.
    private static func trimmed(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Slice<UnsafeRawBufferPointer> {
        var start = start
        var end = bytes.count
        while end > start, unsafe isBlank(bytes[end - 1]) { end -= 1 }
        while start < end, unsafe isBlank(bytes[start]) { start += 1 }
        return unsafe bytes[start..<end]
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }
}
