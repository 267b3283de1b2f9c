// SPDX-License-Identifier: Apache-2.0

/// Unguessable texts from the system's random generator.
enum RandomText {
    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// So many letters and digits; 22 carry 131 bits.
    static func make(_ count: Int, of letters: String = Self.letters) -> String {
        let letters = Array(letters.utf8)
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
