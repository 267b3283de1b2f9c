// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard output for results, and standard error for what people want to know beside them.
final class Terminal: Sendable {
    /// Whether there is a progress bar.
    let showsProgress: Bool
    private let isQuiet: Bool
    /// Whether the bar is on the last line.
    private let hasBar = Mutex(false)

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
        showsProgress = !isQuiet && isatty(STDERR_FILENO) == 1
    }

    /// Prints a line of the result.
    func print(_ line: String) {
        Swift.print(line.onOneLine)
    }

    /// Hands over all that was printed.
    ///
    /// - Returns: whether it could be written.
    @discardableResult
    func flush() -> Bool { fflush(nil) == 0 }

    /// Tells of a problem; never left out.
    func warn(_ line: String) {
        hasBar.withLock { hasBar in
            Self.write((hasBar ? Self.erase : "") + line.onOneLine + "\n")
            hasBar = false
        }
    }

    /// Tells what was done.
    func note(_ line: String) {
        if !isQuiet { warn(line) }
    }

    /// Shows the bar in place of the one before.
    func draw(_ bar: String) {
        hasBar.withLock { hasBar in
            Self.write(Self.erase + bar)
            hasBar = true
        }
    }

    /// Shows what takes a while, where a bar would be.
    func status(_ text: String) {
        if showsProgress { draw(text) }
    }

    /// Takes the bar away, so that the line is free.
    func clear() {
        hasBar.withLock { hasBar in
            if hasBar { Self.write(Self.erase) }
            hasBar = false
        }
    }

    /// How many columns the terminal has.
    var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Goes to the start of the line and erases it (ECMA-48).
    private static let erase = "\r\u{1B}[K"

    private static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// The system's `write`, which a method of the same name would hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

extension String {
    /// The text without what could steer a terminal or break the line: names of files and servers' words have anything.
    var onOneLine: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? "?" : $0 }))
    }
}

extension Unicode.Scalar {
    /// Control characters, separators of lines, and controls of direction (Unicode Standard Annex #9).
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
