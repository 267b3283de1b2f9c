// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Percent-encoding of text as UTF-8 (RFC 3986 2) and of HTML forms.
public enum PercentEncoding {
    /// Escapes all but unreserved characters, so that the text is one path segment: a slash becomes `%2F`.
    ///
    /// `.` and `..` stay what they are, since their escaped forms mean the same (RFC 3986 6.2.2): no path can name
    /// them.
    ///
    /// - Parameter text: the segment as people read it.
    /// - Returns: the segment as it stands in a path.
    public static func pathSegment(_ text: String) -> String {
        encode(text)
    }

    /// Whether a path has a segment that means another one, `.` or `..`, in whatever spelling: proxies and servers take
    /// such a path for a different resource.
    package static func hasDotSegment(_ path: String) -> Bool {
        var dots = 0
        var rest = path.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "/"):
                guard dots != 1, dots != 2 else { return true }
                dots = 0
            case UInt8(ascii: "."): dots += 1
            case UInt8(ascii: "%") where rest.starts(with: "2e".utf8) || rest.starts(with: "2E".utf8):
                rest = rest.dropFirst(2)
                dots += 1
            // No dot: the segment is none of the two, however many dots it has.
            default: dots = 3
            }
        }
        return dots == 1 || dots == 2
    }

    /// Escapes all but unreserved characters for a name or value in a query: a space becomes `%20`, `+` becomes `%2B`.
    public static func queryComponent(_ text: String) -> String {
        encode(text)
    }

    /// The body of an `application/x-www-form-urlencoded` form with these names and values, in this order.
    ///
    /// A space becomes `+`, which only forms know. As the URL Standard has it (5.2), letters, digits and `*-._` stay,
    /// and every other byte is escaped, `~` too.
    ///
    /// - Parameter fields: the names and values.
    /// - Returns: the form's text.
    public static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\(encode($0.0, spaceAsPlus: true))=\(encode($0.1, spaceAsPlus: true))" }.joined(separator: "&")
    }

    /// Undoes percent-encoding strictly; a plus sign stays a plus sign.
    ///
    /// - Parameter text: the encoded text.
    /// - Returns: the text as people read it.
    /// - Throws: `HTTPURL.ParsingError`, reason `.percentEncoding`, for a broken triplet or bytes that are not UTF-8.
    public static func decode(_ text: String) throws(HTTPURL.ParsingError) -> String {
        try decode(text, plusAsSpace: false)
    }

    /// Undoes form encoding strictly; a plus sign is a space.
    ///
    /// - Parameter text: the encoded text.
    /// - Returns: the text as people read it.
    /// - Throws: `HTTPURL.ParsingError`, reason `.percentEncoding`, for a broken triplet or bytes that are not UTF-8.
    public static func decodeForm(_ text: String) throws(HTTPURL.ParsingError) -> String {
        try decode(text, plusAsSpace: true)
    }

    /// The names and values of a form's body or of a query, in their order; undoes ``form(_:)``.
    ///
    /// - Parameter text: the form's or the query's text.
    /// - Returns: the names and values as people read them.
    /// - Throws: `HTTPURL.ParsingError`, reason `.percentEncoding`, for a broken triplet or bytes that are not UTF-8.
    public static func formPairs(_ text: String) throws(HTTPURL.ParsingError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for part in text.split(byte: "&") {
            let sides = part.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            pairs.append((try decodeForm(sides[0]), try decodeForm(sides.count > 1 ? sides[1] : "")))
        }
        return pairs
    }

    private static func encode(_ text: String, spaceAsPlus: Bool = false) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if spaceAsPlus ? ASCII.isUnescapedInForm(byte) : ASCII.isUnreserved(byte) {
                output.append(byte)
            } else if spaceAsPlus, byte == UInt8(ascii: " ") {
                output.append(UInt8(ascii: "+"))
            } else {
                output += [UInt8(ascii: "%"), upperHex(byte >> 4), upperHex(byte & 0x0F)]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func upperHex(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }

    private static func decode(_ text: String, plusAsSpace: Bool) throws(HTTPURL.ParsingError) -> String {
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
                    let low = ASCII.hexValue(bytes[index + 2])
                else { throw HTTPURL.ParsingError(.percentEncoding, offset: index) }
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(plusAsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        guard let text = String(validating: output, as: UTF8.self) else { throw HTTPURL.ParsingError(.percentEncoding) }
        return text
    }
}
