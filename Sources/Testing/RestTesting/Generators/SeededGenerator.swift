// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// Random numbers that depend only on a seed (SplitMix64), not on the platform or the run.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var numbers: SplitMix64

    /// Creates a generator, with equal numbers for equal seeds.
    public init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    /// Creates the generator for a position in a sequence, independent of the numbers drawn elsewhere.
    ///
    /// - Parameters:
    ///   - seed: the seed of the whole sequence.
    ///   - path: the numbers that identify the position.
    public init(seed: UInt64, path: [Int]) {
        var generator = SeededGenerator(seed: seed)
        for step in path {
            generator = SeededGenerator(
                seed: generator.next() ^ (UInt64(bitPattern: Int64(step)) &* 0xD1B5_4A32_D192_ED03))
        }
        self = generator
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 { numbers.next() }

    /// A number from zero up to, but not including, one.
    public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
