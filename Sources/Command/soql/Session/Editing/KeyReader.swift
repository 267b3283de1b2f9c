// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads what is typed, character by character (UTF-8).
struct KeyReader {
    /// What was typed, or happened meanwhile.
    enum Key: Equatable {
        case character(Unicode.Scalar)
        /// A signal that the command listens for.
        case signal(Int32)
        /// The terminal has gone.
        case end
    }

    private var bytes: ArraySlice<UInt8> = []

    /// The next key; it waits for one.
    mutating func next() -> Key {
        while true {
            if let number = SignalPipe.take() { return .signal(number) }
            if let scalar = decoded() { return .character(scalar) }
            guard StandardInput.waitForInput(or: SignalPipe.descriptor) else { continue }
            guard let piece = StandardInput.piece() else { return .end }
            bytes += piece
        }
    }

    /// Whether more has come, or comes within so many milliseconds.
    func hasMore(within milliseconds: Int32) -> Bool {
        guard bytes.isEmpty else { return true }
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, milliseconds) > 0
    }

    /// The first character, once all of its bytes are there; what is not UTF-8 is shown as U+FFFD.
    private mutating func decoded() -> Unicode.Scalar? {
        guard let first = bytes.first else { return nil }
        let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : 1
        guard bytes.count >= length || bytes.dropFirst().contains(where: { $0 & 0xC0 != 0x80 }) else { return nil }
        guard bytes.count >= length, let text = String(validating: bytes.prefix(length), as: UTF8.self),
            let scalar = text.unicodeScalars.first
        else {
            bytes.removeFirst()
            return "\u{FFFD}"
        }
        bytes.removeFirst(length)
        return scalar
    }
}
