// SPDX-License-Identifier: Apache-2.0

import RestCrypto

/// The outside of a record file: JSON whose first members are the length and the SHA-256 of the last one's bytes.
///
/// It is the same in all versions of the record, so that damage is never mistaken for news.
package enum RecordEnvelope {
    /// No record is longer: a token has at most 16 KiB.
    static let maximumSize = 1 << 20
    private static let opening = Array(#"{"sha256":""#.utf8)
    private static let middle = Array(#"","length":"#.utf8)
    private static let record = Array(#","record":"#.utf8)
    private static let closing = Array("}\n".utf8)

    /// Puts a record in its envelope; `nil` when the checksum cannot be made.
    package static func seal(_ content: [UInt8]) -> [UInt8]? {
        guard let checksum = MessageDigest.hexSHA256(content) else { return nil }
        return opening + checksum + middle + Array(String(content.count).utf8) + record + content + closing
    }

    /// Takes the record out; `nil` unless every byte of the file is as it was written.
    static func open(_ bytes: [UInt8]) -> [UInt8]? {
        let overhead = opening.count + 64 + middle.count + record.count + closing.count
        guard bytes.count > overhead, bytes.count <= maximumSize else { return nil }
        // The length stands in decimal, so its own digits tell how many bytes are left for the record.
        let digits = bytes.dropFirst(opening.count + 64 + middle.count).prefix { (0x30...0x39).contains($0) }.count
        let start = overhead - closing.count + digits
        guard digits > 0, start + closing.count <= bytes.count else { return nil }
        let content = Array(bytes[start..<(bytes.count - closing.count)])
        return seal(content) == bytes ? content : nil
    }
}
