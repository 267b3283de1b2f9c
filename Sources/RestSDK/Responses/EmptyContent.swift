// SPDX-License-Identifier: Apache-2.0

/// The content of an answer of which nothing is expected, such as the 204 of an update.
///
/// Whatever the answer holds is accepted. For an answer that may be empty or not, expect an optional type.
public struct EmptyContent: Decodable, Sendable, Hashable {
    /// Makes the one value there is.
    public init() {}

    /// Reads nothing.
    public init(from decoder: any Decoder) {}
}
