// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// What a cat on the keyboard would type: half of it keys that do something, the rest any bytes.
public struct RandomKeys {
    private static let keys = [
        "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\t", "\r", "\u{7F}", "\u{3}", "\u{12}", "\u{17}", "\u{B}",
        "\u{19}", "\u{1B}[200~a\rb\u{1B}[201~", "\u{1B}[200~", "\u{1B}[3~", "SELECT ", " FROM Account", "'", ";",
        "\\d ", "\\?\r", "é", "日本", "👩‍👩‍👧", "\u{1B}", "\u{1B}x", "\u{1B}b", "\u{1}", "\u{5}", "\u{14}", "\u{1F}", "\u{16}",
    ]

    private var generator: SplitMix64

    /// Makes the keys of a seed.
    public init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// The bytes of the next key; none that leaves a session, stops it or holds its output.
    public mutating func next() -> [UInt8] {
        if Bool.random(using: &generator) {
            return Array(Self.keys[Int.random(in: Self.keys.indices, using: &generator)].utf8)
        }
        let byte = UInt8.random(in: 0...255, using: &generator)
        return [0, 4, 0x13, 0x1A, 0x1C].contains(byte) ? [0x20] : [byte]
    }
}
