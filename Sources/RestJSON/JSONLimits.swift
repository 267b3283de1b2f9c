// SPDX-License-Identifier: Apache-2.0

/// What a parser accepts before it gives up: bounds on the resources one document may take.
public struct JSONLimits: Sendable, Hashable {
    /// Containers that may be open inside one another (RFC 8259 §9 lets a parser set this).
    public var maximumDepth: Int

    /// The longest document in bytes; values above `hardMaximumBytes` mean `hardMaximumBytes`.
    public var maximumBytes: Int

    /// The longest document the tape can address: 4 GiB − 1.
    public static let hardMaximumBytes = 0xFFFF_FFFF

    /// A depth of 512 and the longest document the tape can address.
    public static let `default` = JSONLimits()

    /// Makes limits; a depth below 1 still allows one container, and lengths are cut to `hardMaximumBytes`.
    public init(maximumDepth: Int = 512, maximumBytes: Int = JSONLimits.hardMaximumBytes) {
        self.maximumDepth = max(1, maximumDepth)
        self.maximumBytes = max(0, min(maximumBytes, JSONLimits.hardMaximumBytes))
    }
}
