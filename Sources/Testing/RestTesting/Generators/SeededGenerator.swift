// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// Random numbers that a seed decides (SplitMix64): the same on every platform and in every run.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var numbers: SplitMix64

    /// Makes a generator; equal seeds give equal numbers.
    public init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    /// Makes the generator of one place in a sequence, whatever was drawn elsewhere.
    ///
    /// - Parameters:
    ///   - seed: the seed of the whole.
    ///   - path: the numbers that name the place.
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
