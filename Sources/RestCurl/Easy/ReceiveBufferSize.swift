// SPDX-License-Identifier: Apache-2.0

/// How large a buffer libcurl takes the next answer in.
///
/// libcurl asks for one with every transfer and gives it back at the end. The smallest comes from the store that the
/// allocator keeps for each thread; with large ones for small answers it returns memory to the system, and fetches it
/// again, all the time.
///
/// Not so for answers that may come by HTTP/2, which is what TLS may negotiate: libcurl 7.88 leaves a frame where it is
/// when the buffer of its stream is full, and does not always come back for it before the socket has news, which the
/// end of an answer never brings. A buffer as large as what libcurl reads from the socket at once never fills.
struct ReceiveBufferSize {
    /// The smallest that libcurl takes, which holds an answer without records; one of a few records; and pieces that
    /// fit a core's nearest cache, which are copied faster than larger ones.
    private static let steps = [1024, 8 * 1024, 32 * 1024]
    /// For a file, fewer writes count more.
    private static let file = 512 * 1024
    /// So many small answers in a row make the next one probably small, too.
    private static let patience = 16

    private var step = steps.count - 1
    private var smallAnswers = 0

    /// Notes the size of an answer that came into memory, header included.
    mutating func note(bytes: Int) {
        if bytes > Self.steps[step] {
            step = Self.steps.firstIndex { bytes <= $0 } ?? Self.steps.count - 1
            smallAnswers = 0
        } else if step > 0, bytes <= Self.steps[step - 1] {
            smallAnswers += 1
        } else {
            smallAnswers = 0
        }
        guard smallAnswers == Self.patience else { return }
        step -= 1
        smallAnswers = 0
    }

    /// Bytes for an answer that goes there.
    ///
    /// - Parameter mayBeFramed: whether it may come in the frames of HTTP/2.
    func bytes(for destination: Transfer.Destination, mayBeFramed: Bool) -> Int {
        switch destination {
        case .memory where mayBeFramed: Self.steps[Self.steps.count - 1]
        case .memory: Self.steps[step]
        case .reader: Self.steps[Self.steps.count - 1]
        case .file: Self.file
        }
    }
}
