// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// Parses the response heads from libcurl, of which it drops the interim ones and stores the final one.
struct ResponseHeadParser {
    /// The message for a header line that continues the previous line (RFC 9112 §5.2).
    static let foldedLine = "the response has a header line that begins with a space"

    private(set) var status = 0
    private(set) var fields = HTTPFields()
    /// Whether the empty line after the final head was parsed.
    private(set) var isComplete = false
    private(set) var contentLength: Int?
    /// The content coding of the body, or `nil` for the identity coding (RFC 9110 §8.4).
    private(set) var contentCoding: String?
    /// Whether the connection negotiated HTTP/2, with which the version in the response must agree.
    var isHTTP2 = false
    /// Whether a head is ambiguous, so that other readers could see different responses in the same bytes.
    private(set) var isOdd = false
    private var location: String?
    private var isChunked: Bool?
    private var cache = FieldLineCache()

    mutating func reset() {
        isComplete = false
        isHTTP2 = false
        isOdd = false
        forget()
    }

    /// Parses an interim or the final head, with its line ends and the empty line.
    mutating func receive(_ head: UnsafeRawBufferPointer) throws(TransportError) {
        guard !isComplete else { return }
        forget()
        var start = unsafe try takeStatus(head)
        // The number of first lines that are the same as last time, which together cost one reference.
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
        noteFraming()
    }

    /// Marks a head as ambiguous if it delimits the body twice, or delimits a body that cannot exist.
    private mutating func noteFraming() {
        let hasBody = status >= 200 && status != 204 && status != 304
        if isChunked != nil, contentLength != nil || !hasBody { isOdd = true }
        if !hasBody, contentLength ?? 0 > 0 { isOdd = true }
    }

    /// Parses the status line and returns the offset after it.
    private mutating func takeStatus(_ head: UnsafeRawBufferPointer) throws(TransportError) -> Int {
        let end = unsafe Self.lineEnd(in: head, from: 0)
        let line = unsafe try takeLineEnd(UnsafeRawBufferPointer(rebasing: head[..<end]))
        guard unsafe line.starts(with: "HTTP/".utf8), let blank = unsafe line.firstIndex(of: UInt8(ascii: " ")) else {
            throw .invalid("the response has no status code")
        }
        guard unsafe line.starts(with: isHTTP2 ? "HTTP/2 ".utf8 : "HTTP/1.".utf8) else {
            throw .invalid("the status line has a different HTTP version than the connection")
        }
        let digits = unsafe line[(blank + 1)...].prefix(3)
        guard unsafe digits.count == 3, unsafe digits.allSatisfy({ ASCII.isDigit($0) }),
            unsafe line[digits.endIndex...].first ?? UInt8(ascii: " ") == UInt8(ascii: " ")
        else {
            throw .invalid("the response has no status code")
        }
        status = unsafe digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard status >= 100, status != 101 else {
            throw .invalid("the server sent status \(status), which was not requested")
        }
        return end
    }

    /// Returns a line without its end.
    ///
    /// Some readers treat a carriage return inside a line as its end (RFC 9112 §2.2, RFC 9110 §5.5).
    private mutating func takeLineEnd(
        _ line: UnsafeRawBufferPointer
    ) throws(TransportError) -> Slice<UnsafeRawBufferPointer> {
        var end = line.count
        if end > 0, unsafe line[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        if end > 0, unsafe line[end - 1] == UInt8(ascii: "\r") { end -= 1 } else { isOdd = true }
        let content = unsafe line[..<end]
        guard unsafe !content.contains(where: { $0 == UInt8(ascii: "\r") || $0 == 0 }) else {
            throw .invalid("the response has a carriage return or NUL inside a header line")
        }
        return unsafe content
    }

    private mutating func forget() {
        status = 0
        fields = HTTPFields()
        contentLength = nil
        contentCoding = nil
        location = nil
        isChunked = nil
    }

    /// Parses a line that differs from last time, and ignores the empty line.
    private mutating func takeLine(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        let line = unsafe try takeLineEnd(bytes)
        guard let first = unsafe line.first else { return }
        guard first != UInt8(ascii: " "), first != UInt8(ascii: "\t") else { throw .invalid(Self.foldedLine) }
        guard let colon = unsafe line.firstIndex(of: UInt8(ascii: ":")), unsafe colon > line.startIndex,
            unsafe line[..<colon].allSatisfy({ ASCII.isTokenCharacter($0) })
        else { throw .invalid("the response has a header line without a name") }
        let name = unsafe String(decoding: line[..<colon], as: UTF8.self)
        let value = unsafe Self.text(Self.trimmed(UnsafeRawBufferPointer(rebasing: line), from: colon + 1))
        let field = HTTPFields.Field(name: name, value: value)
        let role = try Self.role(of: field)
        unsafe cache.store(field, role: role, line: bytes, at: fields.count)
        fields.append(field)
        try note(role)
    }

    /// Uses a header that delimits or encodes the body, and rejects contradicting lengths, which allow response
    /// smuggling (RFC 9112 §6.3).
    private mutating func note(_ role: FieldLineCache.Role) throws(TransportError) {
        switch role {
        case .plain: break
        case .contentLength(let length):
            guard contentLength ?? length == length else {
                throw .invalid("the response has two different Content-Length headers")
            }
            if contentLength != nil { isOdd = true }
            contentLength = length
        case .contentCoding(let coding): contentCoding = contentCoding.map { "\($0), \(coding)" } ?? coding
        case .transferCoding(let isChunked):
            guard self.isChunked == nil else { throw .invalid("the response has two Transfer-Encoding headers") }
            self.isChunked = isChunked
            if !isChunked { isOdd = true }
        case .location(let place):
            guard location ?? place == place else { throw .invalid("the response has two different Location headers") }
            location = place
        }
    }

    private static func role(of field: HTTPFields.Field) throws(TransportError) -> FieldLineCache.Role {
        switch field.name.utf8.count {
        case 8 where field.name.isEqualIgnoringASCIICase(to: "location"):
            return .location(field.value)
        case 14 where field.name.isEqualIgnoringASCIICase(to: "content-length"):
            return .contentLength(try length(field.value))
        case 16 where field.name.isEqualIgnoringASCIICase(to: "content-encoding"):
            let codings = codings(in: field.value)
            return codings.isEmpty ? .plain : .contentCoding(codings)
        case 17 where field.name.isEqualIgnoringASCIICase(to: "transfer-encoding"):
            let coding = field.value.lowercased()
            guard coding == "chunked" || coding == "identity" else {
                throw .invalid("the response has the transfer coding '\(field.value)', which was not requested")
            }
            return .transferCoding(isChunked: coding == "chunked")
        default: return .plain
        }
    }

    private static func length(_ text: String) throws(TransportError) -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit) else {
            throw .invalid("the response has a malformed Content-Length")
        }
        guard let length = Int(outside: text, in: .bytes) else {
            throw TransportError(
                .tooLarge, "the response has a Content-Length that is too large", mayHaveReachedServer: true)
        }
        return length
    }

    /// The codings in a list, without `identity` and the `none` of some servers, which both mean no coding.
    private static func codings(in list: String) -> String {
        let names = list.split(byte: ",").map { coding in
            coding.split(anyOf: " \t").joined(separator: " ")
        }
        return names.filter { !["", "identity", "none"].contains($0.lowercased()) }.joined(separator: ", ")
    }

    /// Decodes valid UTF-8, or otherwise ISO 8859-1, so that no byte is lost.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        if let text = unsafe String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        unsafe text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return text
    }

    /// The offset after the line that begins at `start`.
    private static func lineEnd(in head: UnsafeRawBufferPointer, from start: Int) -> Int {
        unsafe head[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? head.count
    }

    /// The bytes from an offset without surrounding whitespace.
    private static func trimmed(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Slice<UnsafeRawBufferPointer> {
        var start = start
        var end = bytes.count
        while end > start, unsafe isBlank(bytes[end - 1]) { end -= 1 }
        while start < end, unsafe isBlank(bytes[start]) { start += 1 }
        return unsafe bytes[start..<end]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
