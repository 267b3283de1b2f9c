// SPDX-License-Identifier: Apache-2.0

/// Random numbers that a seed decides (SplitMix64): the same on every platform and in every run.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Makes a generator; equal seeds give equal numbers.
    public init(seed: UInt64) {
        state = seed
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
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from zero up to, but not including, one.
    public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
