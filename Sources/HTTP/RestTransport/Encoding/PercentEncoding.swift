// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Percent-encoding of UTF-8 strings (RFC 3986 §2) and of HTML forms.
public enum PercentEncoding {
    /// Escapes all characters except unreserved ones, so that the string is one path segment.
    ///
    /// A slash becomes `%2F`. `.` and `..` are unchanged, because their escaped forms are equivalent (RFC 3986 §6.2.2).
    /// A path therefore cannot contain a segment of that name.
    ///
    /// - Parameter text: the segment without escapes.
    /// - Returns: the escaped segment.
    public static func pathSegment(_ text: String) -> String { encode(text) }

    /// Whether a path has a `.` or `..` segment, escaped or not, which proxies and servers would resolve.
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
            // Not a dot, so the segment is neither `.` nor `..`.
            default: dots = 3
            }
        }
        return dots == 1 || dots == 2
    }

    /// Escapes all characters except unreserved ones in a query's name or value, such as a space (`%20`) and `+`
    /// (`%2B`).
    public static func queryComponent(_ text: String) -> String { encode(text) }

    /// Encodes names and values as an `application/x-www-form-urlencoded` form, in this order.
    ///
    /// A space becomes `+`, which only forms use. As in the URL Standard (§5.2), letters, digits and `*-._` are
    /// unchanged, and every other byte is escaped, including `~`.
    ///
    /// - Parameter fields: the names and values.
    /// - Returns: the encoded form.
    public static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\(encode($0.0, spaceAsPlus: true))=\(encode($0.1, spaceAsPlus: true))" }.joined(separator: "&")
    }

    /// Decodes percent-encoding strictly and leaves plus signs unchanged.
    ///
    /// - Parameter text: the encoded string.
    /// - Returns: the decoded string.
    /// - Throws: `HTTPURL.ParsingError`, reason `.percentEncoding`, for a broken triplet or bytes that are not UTF-8.
    public static func decode(_ text: String) throws(HTTPURL.ParsingError) -> String {
        try decode(text, plusAsSpace: false)
    }

    /// Decodes form encoding strictly, in which a plus sign is a space.
    ///
    /// - Parameter text: the encoded string.
    /// - Returns: the decoded string.
    /// - Throws: `HTTPURL.ParsingError`, reason `.percentEncoding`, for a broken triplet or bytes that are not UTF-8.
    public static func decodeForm(_ text: String) throws(HTTPURL.ParsingError) -> String {
        try decode(text, plusAsSpace: true)
    }

    /// Decodes the names and values of a form or a query in their order, as the inverse of ``form(_:)``.
    ///
    /// - Parameter text: the encoded form or query.
    /// - Returns: the decoded names and values.
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
