// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Reads lines of standard input without holding up anything else.
struct LineReader {
    /// One line.
    enum Line {
        case text([UInt8])
        /// Longer than any message; its bytes are gone.
        case tooLong
    }

    /// The longest line, in bytes.
    static let maximumLength = 4 << 20

    private let queue = DispatchQueue(label: "soql.lines")
    private var buffer: [UInt8] = []
    private var searched = 0
    private var isSkipping = false
    private var isAtEnd = false

    /// The next line; `nil` at the end of the input, and after an interrupt.
    mutating func next() async -> Line? {
        while true {
            if let line = take() { return line }
            guard !isAtEnd else { return rest() }
            guard let piece = await piece() else {
                isAtEnd = true
                continue
            }
            buffer += piece
        }
    }

    private func piece() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            queue.async {
                guard StandardInput.waitForInput(or: SignalPipe.descriptor) else {
                    return continuation.resume(returning: nil)
                }
                continuation.resume(returning: StandardInput.piece())
            }
        }
    }

    private mutating func take() -> Line? {
        guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = buffer.count
            if buffer.count > Self.maximumLength {
                isSkipping = true
                (buffer, searched) = ([], 0)
            }
            return nil
        }
        let line = Array(buffer[..<end])
        buffer.removeFirst(end + 1)
        searched = 0
        defer { isSkipping = false }
        return isSkipping || line.count > Self.maximumLength ? .tooLong : .text(line)
    }

    /// A last line without an end.
    private mutating func rest() -> Line? {
        defer { (buffer, isSkipping, searched) = ([], false, 0) }
        if isSkipping { return .tooLong }
        return buffer.isEmpty ? nil : .text(buffer)
    }
}
