// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Writes to the standard streams without buffers, so that an early exit loses nothing.
enum StandardOutput {
    /// The reader of the output has gone (`soql … | head`).
    struct ReaderGone: Error {}

    /// Writing failed for another reason, such as a full disk.
    struct WriteFailed: Error {
        let code: Int32
    }

    /// Opens `/dev/null` for streams that were closed before the start, so that nothing else takes their numbers.
    ///
    /// - Returns: whether there is a standard output to write to.
    static func openMissingStreams() -> Bool {
        let isOpen = fcntl(STDOUT_FILENO, F_GETFD) != -1
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDWR)
        }
        return isOpen
    }

    /// Whether standard output is a terminal.
    static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// Writes text to standard output.
    static func write(_ text: String) throws {
        try write(Array(text.utf8))
    }

    /// Writes bytes to standard output, all of them.
    static func write(_ bytes: [UInt8]) throws {
        guard isTerminal else { return try write(bytes, to: STDOUT_FILENO) }
        try StatusLine.makingRoom(endsLine: bytes.last == UInt8(ascii: "\n")) { try write(bytes, to: STDOUT_FILENO) }
    }

    /// Writes a line to standard error, without the control characters that a server or a file may have put into it.
    ///
    /// A failure to write is ignored.
    static func note(_ line: String) {
        // Tabs stay, so that a caret is under its column.
        let scalars = line.unicodeScalars.map { $0 == "\n" || $0 == "\t" || !$0.isControl ? $0 : " " }
        StatusLine.makingRoom {
            try? write(Array((String(String.UnicodeScalarView(scalars)) + "\n").utf8), to: STDERR_FILENO)
        }
    }

    /// Writes to standard error without ending the line.
    static func prompt(_ text: String) {
        StatusLine.makingRoom { try? write(Array(text.utf8), to: STDERR_FILENO) }
    }

    /// Writes bytes to a descriptor, all of them.
    ///
    /// - Throws: ``ReaderGone`` or ``WriteFailed``.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        var written = 0
        while written < bytes.count {
            // The pointer is valid for the call, and the count is the rest of its array.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]))
            }
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EPIPE: throw ReaderGone()
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: waitForRoom(in: descriptor)
            default: throw WriteFailed(code: errno)
            }
        }
    }

    /// Waits until a descriptor takes more; another process that shares it may have made it non-blocking.
    private static func waitForRoom(in descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, -1)
    }

    private static func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
        unsafe Musl.write(descriptor, buffer.baseAddress, buffer.count)
        #else
        unsafe Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }
}
