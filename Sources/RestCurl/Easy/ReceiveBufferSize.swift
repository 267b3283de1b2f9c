// SPDX-License-Identifier: Apache-2.0

/// How large a buffer libcurl takes the next answer in.
///
/// libcurl asks for one with every transfer and gives it back at the end. With large ones for small answers the
/// allocator returns memory to the system, and fetches it again, all the time.
struct ReceiveBufferSize {
    /// Holds most answers of a few records.
    private static let small = 8 * 1024
    /// Pieces that fit a core's nearest cache are copied faster than larger ones.
    private static let large = 32 * 1024
    /// For a file, fewer writes count more.
    private static let file = 512 * 1024
    /// So many small answers in a row make the next one probably small, too.
    private static let patience = 16

    private var smallAnswers = 0

    /// Notes the size of an answer that came into memory.
    mutating func note(bytes: Int) {
        smallAnswers = bytes <= Self.small ? smallAnswers + 1 : 0
    }

    /// Bytes for an answer that goes there.
    func bytes(for destination: Transfer.Destination) -> Int {
        switch destination {
        case .memory: smallAnswers < Self.patience ? Self.large : Self.small
        case .reader: Self.large
        case .file: Self.file
        }
    }
}
