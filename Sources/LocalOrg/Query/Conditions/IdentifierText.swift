// SPDX-License-Identifier: Apache-2.0

/// Record ids in the text of a query: 15 letters and digits, or 18 with a suffix that tells the capitals among them.
enum IdentifierText {
    /// The 18-character form as it is stored, or `nil` when the text is no id.
    static func normalized(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count == 15 || bytes.count == 18, bytes.allSatisfy(isAlphanumeric) else { return nil }
        return bytes.count == 18 ? text : text + suffix(of: bytes)
    }

    /// A digit for each five characters whose bits say which are capitals, the first character the lowest bit.
    private static func suffix(of id: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345")
        return String(
            (0..<3).map { group in
                let bits = (0..<5).filter { (0x41...0x5A).contains(id[group * 5 + $0]) }.reduce(0) { $0 | 1 << $1 }
                return digits[bits]
            })
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
