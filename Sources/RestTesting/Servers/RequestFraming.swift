// SPDX-License-Identifier: Apache-2.0

/// Finds where a request's header and body end; for test servers that trust their client.
enum RequestFraming {
    /// The offset behind the blank line, once it has arrived.
    static func headerEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (3..<bytes.count).first { index in
            bytes[(index - 3)...index].elementsEqual("\r\n\r\n".utf8)
        }.map { $0 + 1 }
    }

    /// The offset behind the body that the header announces, once it has arrived.
    static func bodyEnd(_ bytes: [UInt8], header: String) -> Int? {
        let lines = header.lowercased().split(separator: "\r\n")
        if lines.contains(where: { $0.hasPrefix("transfer-encoding:") && $0.contains("chunked") }) {
            return chunkedEnd(bytes)
        }
        let length = lines.first { $0.hasPrefix("content-length:") }.flatMap { line in
            Int(line.dropFirst("content-length:".count).filter { $0 != " " })
        }
        let end = length ?? 0
        return bytes.count >= end ? end : nil
    }

    private static func chunkedEnd(_ bytes: [UInt8]) -> Int? {
        var position = 0
        while let lineEnd = newline(bytes, from: position) {
            let digits = String(decoding: bytes[position..<lineEnd], as: UTF8.self).prefix { $0.isHexDigit }
            guard let size = Int(digits, radix: 16) else { return nil }
            position = lineEnd + 2 + size + 2
            if size == 0 { return position <= bytes.count ? position : nil }
        }
        return nil
    }

    private static func newline(_ bytes: [UInt8], from start: Int) -> Int? {
        guard start + 1 < bytes.count else { return nil }
        return (start..<(bytes.count - 1)).first { bytes[$0] == 0x0D && bytes[$0 + 1] == 0x0A }
    }
}
