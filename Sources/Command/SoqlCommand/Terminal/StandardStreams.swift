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
        prompt((line.replacingControls(keeping: "\n\t") ?? line) + "\n")
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
}

/// The system's `write`, which a method of the same name would hide.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, buffer.baseAddress, buffer.count)
}

/// Reading the text of a query.
enum StandardInput {
    /// No query is longer: the platform accepts 100,000 characters, of four bytes at most.
    static let maximumSize = 400_000

    /// Whether standard input is a terminal.
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// The content of a file; everything on standard input without one.
    static func read(file path: String? = nil, most: Int = maximumSize) throws(UsageError) -> String {
        guard let path else { return try text(of: STDIN_FILENO, named: "standard input", most: most) }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UsageError("\(path) cannot be opened: \(systemMessage(errno))") }
        defer { close(descriptor) }
        return try text(of: descriptor, named: path, most: most)
    }

    /// Waits for input; `false` when the other descriptor is readable, or a signal arrived.
    static func waitForInput(or other: Int32) -> Bool {
        var entries = [STDIN_FILENO, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return unsafe poll(&entries, nfds_t(entries.count), -1) > 0 && entries[1].revents == 0
    }

    /// Waits for something to read, without a wait that a cancelled task would not end.
    ///
    /// - Throws: `CancellationError`.
    static func waitForInput(at descriptor: Int32 = STDIN_FILENO) throws(CancellationError) {
        while !Task.isCancelled {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&entry, 1, 100) > 0 { return }
        }
        throw CancellationError()
    }

    /// What can be read now, at most a line from a terminal in line mode; `nil` at the end.
    static func piece() -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe systemRead(STDIN_FILENO, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { return [] }
        return count > 0 ? Array(chunk.prefix(count)) : nil
    }

    private static func text(of descriptor: Int32, named name: String, most: Int) throws(UsageError) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let size = chunk.count
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0.baseAddress, size) }
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw UsageError("\(name) cannot be read: \(systemMessage(errno))")
            }
            bytes += chunk.prefix(count)
            guard bytes.count <= most else { throw UsageError("\(name) has more than \(most) bytes") }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw UsageError("\(name) is not UTF-8") }
        return text
    }
}

/// The system's `read`, which a method of the same name would hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ size: Int) -> Int {
    unsafe read(descriptor, buffer, size)
}

/// The system's message for an error number.
func systemMessage(_ code: Int32) -> String {
    // strerror gives a string that is valid until the next call; it is copied at once.
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
}
