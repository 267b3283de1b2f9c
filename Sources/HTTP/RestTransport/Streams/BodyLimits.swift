// SPDX-License-Identifier: Apache-2.0

/// How much of a body may be kept in memory, whatever its sender announces.
package struct BodyLimits: Sendable {
    /// Unpacked bodies up to this size may have grown as they like.
    private static let ratioFreeBytes = 4 * 1024 * 1024
    /// What is reserved at most on the word of a `Content-Length`; a longer body grows as it arrives.
    private static let reservedBytes = 8 * 1024 * 1024

    private let maximumBytes: Int
    private let maximumRatio: Int

    /// Makes limits of a size, in bytes after decompression, and of how many times a packed body may grow.
    package init(maximumBytes: Int, maximumRatio: Int) {
        self.maximumBytes = maximumBytes
        self.maximumRatio = max(1, maximumRatio)
    }

    /// How much memory to reserve for a body of an announced length.
    package func reservation(for length: Int) -> Int { min(length, Self.reservedBytes) }

    /// Why a body is refused.
    ///
    /// - Parameters:
    ///   - size: the body's size, in bytes after decompression.
    ///   - packedBytes: the size before decompression; `nil` when that did not happen or is not known.
    /// - Returns: the reason; `nil` when the body is not refused.
    package func refusal(of size: Int, packedBytes: Int? = nil) -> String? {
        if size > maximumBytes { return "the body is larger than \(maximumBytes) bytes" }
        guard let packedBytes, size > Self.ratioFreeBytes, size / maximumRatio > packedBytes else { return nil }
        return "the body grows too much when it is decompressed; it may be a decompression bomb"
    }
}
