// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Reads the headers libcurl hands out: those of interim answers are dropped, the final one is kept.
struct ResponseHeadParser {
    /// Why a header is refused.
    struct Refusal: Error {
        let code: TransportError.Code
        let message: String

        static func malformed(_ message: String) -> Refusal { Refusal(code: .invalidResponse, message: message) }
    }

    private(set) var status = 0
    /// The fields of the final header.
    private(set) var fields = HTTPFields()
    /// Whether the blank line behind the final header was seen.
    private(set) var isComplete = false
    /// The length announced, when there is one.
    private(set) var contentLength: Int?
    /// The body's content coding, unless it is sent as it is (RFC 9110 §8.4).
    private(set) var contentCoding: String?
    private var cache = FieldLineCache()

    /// Gets ready for the next response.
    mutating func reset() {
        isComplete = false
        forget()
    }

    /// Takes the header of an interim answer or of the final one, each line with its end, the blank one included.
    mutating func receive(_ head: UnsafeRawBufferPointer) throws(Refusal) {
        guard !isComplete else { return }
        forget()
        var start = unsafe try takeStatus(head)
        // Lines that are the same as last time, from the first on: all of them cost one reference.
        var repeated = 0
        while let (role, end) = unsafe cache.line(at: repeated, equalTo: head, from: start) {
            try note(role)
            repeated += 1
            start = end
        }
        fields = repeated == cache.fields.count ? cache.fields : HTTPFields(cache.fields.prefix(repeated))
        while start < head.count {
            if let (role, end) = unsafe cache.line(at: fields.count, equalTo: head, from: start) {
                fields.append(cache.fields[fields.count])
                try note(role)
                start = end
            } else {
                let end = unsafe Self.lineEnd(in: head, from: start)
                unsafe try takeLine(UnsafeRawBufferPointer(rebasing: head[start..<end]))
                start = end
            }
        }
        isComplete = status >= 200
    }

    /// Takes the status line; gives the offset behind it.
    private mutating func takeStatus(_ head: UnsafeRawBufferPointer) throws(Refusal) -> Int {
        let end = unsafe Self.lineEnd(in: head, from: 0)
        let line = unsafe head[..<end]
        guard unsafe line.starts(with: "HTTP/".utf8), let blank = unsafe line.firstIndex(of: UInt8(ascii: " ")) else {
            throw .malformed("no status code")
        }
        let digits = unsafe line[(blank + 1)...].prefix(3)
        guard unsafe digits.count == 3, unsafe digits.allSatisfy({ ASCII.isDigit($0) }) else {
            throw .malformed("no status code")
        }
        status = unsafe digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard status >= 100, status != 101 else { throw .malformed("status \(status) without asking for it") }
        return end
    }

    private mutating func forget() {
        status = 0
        fields = HTTPFields()
        contentLength = nil
        contentCoding = nil
    }

    /// Takes a line that is not the same as last time; the blank one means nothing here.
    private mutating func takeLine(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
        let line = unsafe Self.trimmed(bytes, from: 0)
        // A carriage return in front ends the header for libcurl, and may not for whoever forwarded it.
        guard unsafe bytes[0] != UInt8(ascii: " "), unsafe bytes[0] != UInt8(ascii: "\t"),
            unsafe line.startIndex == 0
        else {
            throw .malformed("a header line that begins with a blank")
        }
        guard unsafe !line.isEmpty else { return }
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
            // bounded: it is compared with the limits before anything is computed
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

    /// The offset behind the line that begins there.
    private static func lineEnd(in head: UnsafeRawBufferPointer, from start: Int) -> Int {
        unsafe head[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? head.count
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
