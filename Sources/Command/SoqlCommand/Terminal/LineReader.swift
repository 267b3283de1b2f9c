// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase
import Synchronization

/// Reads lines of standard input without blocking other tasks.
struct LineReader {
    enum Line {
        case text([UInt8])
        /// A line above the maximum length, whose bytes were dropped.
        case tooLong
    }

    /// The maximum length of a line in bytes.
    static let maximumLength = 4 << 20

    private let input = CancellableInput()
    private var buffer: [UInt8] = []
    /// The start of the next line, and the position up to which no line break was found.
    private var (start, searched) = (0, 0)
    private var isSkipping = false
    private var isAtEnd = false

    /// The next line, or `nil` at the end of the input and after the task was cancelled.
    mutating func next() async -> Line? {
        while true {
            if let line = take() { return line }
            guard !isAtEnd else { return rest() }
            buffer.removeFirst(start)
            (start, searched) = (0, buffer.count)
            if let chunk = await input.chunk() {
                buffer += chunk
            } else {
                isAtEnd = true
                // The rest of a cancelled input is not a line.
                if Task.isCancelled { (buffer, isSkipping, searched) = ([], false, 0) }
            }
        }
    }

    /// The next line of the input that was already read, or `nil` if it has no complete line.
    mutating func take() -> Line? {
        guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = buffer.count
            if searched - start > Self.maximumLength {
                isSkipping = true
                (buffer, start, searched) = ([], 0, 0)
            }
            return nil
        }
        defer { (start, searched, isSkipping) = (end + 1, end + 1, false) }
        return isSkipping || end - start > Self.maximumLength ? .tooLong : .text(Array(buffer[start..<end]))
    }

    /// The last line without a line break.
    private mutating func rest() -> Line? {
        defer { (buffer, isSkipping, start, searched) = ([], false, 0, 0) }
        if isSkipping { return .tooLong }
        return start == buffer.count ? nil : .text(Array(buffer[start...]))
    }
}

/// Waits for standard input on a thread of its own until its task is cancelled.
///
/// The pipe of signals cannot end the wait, because another thread takes its bytes.
private final class CancellableInput: Sendable {
    private let queue = DispatchQueue(label: "soql.lines")
    private let isCancelled = Mutex(false)
    /// Readable after the task was cancelled.
    private let wake = PipeEnds()

    deinit {
        for end in [wake?.reading, wake?.writing].compactMap(\.self) { close(end) }
    }

    /// The available input, which can be empty, or `nil` at its end and after the task was cancelled.
    func chunk() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: self.wait()) }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
            var byte: UInt8 = 0
            _ = unsafe write(wake?.writing ?? -1, &byte, 1)
        }
    }

    private func wait() -> [UInt8]? {
        while !isCancelled.withLock(\.self) {
            if StandardInput.waitForInput(or: wake?.reading ?? -1) { return StandardInput.chunk(atMost: 65_536) }
        }
        return nil
    }
}
