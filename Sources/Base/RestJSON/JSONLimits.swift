// SPDX-License-Identifier: Apache-2.0

/// What a parser accepts before it gives up: bounds on the resources one document may take.
public struct JSONLimits: Sendable, Hashable {
    /// Containers that may be open inside one another (RFC 8259 §9 lets a parser set this), from 1 to
    /// ``hardMaximumDepth``.
    public var maximumDepth: Int {
        get { depth }
        set { depth = min(max(1, newValue), JSONLimits.hardMaximumDepth) }
    }

    /// The longest document in bytes; values above `hardMaximumBytes` mean `hardMaximumBytes`.
    public var maximumBytes: Int

    /// The longest document the tape can address: 4 GiB − 1, or 2 GiB − 1 if `Int` has 32 bits.
    public static let hardMaximumBytes = Int(clamping: UInt32.max)

    /// The deepest nesting that can be allowed.
    ///
    /// Comparing, hashing and decoding a value goes into its containers one by one, and each of them takes a piece of
    /// the stack: up to 2 MiB for a value of this depth without optimization, 1 MiB with it. The default depth also
    /// fits into the 512 KiB of Apple's secondary threads, with optimization.
    public static let hardMaximumDepth = 1_024

    /// For texts of this module's own making, which are as deep as the values in memory that they were made of.
    static let unlimitedDepth: JSONLimits = {
        var limits = JSONLimits()
        limits.depth = .max
        return limits
    }()

    private var depth: Int

    /// A depth of 512 and the longest document the tape can address.
    public static let `default` = JSONLimits()

    /// Makes limits; a depth below 1 still allows one container, and both are cut to the hard maxima.
    public init(maximumDepth: Int = 512, maximumBytes: Int = JSONLimits.hardMaximumBytes) {
        depth = min(max(1, maximumDepth), JSONLimits.hardMaximumDepth)
        self.maximumBytes = max(0, min(maximumBytes, JSONLimits.hardMaximumBytes))
    }
}
