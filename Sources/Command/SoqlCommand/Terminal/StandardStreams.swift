// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Writes to the standard streams without buffers, so that an early exit loses nothing.
enum StandardOutput {
    /// The reader has closed the pipe (`soql … | head`).
    struct ReaderGone: Error {}

    /// Writing failed for another reason, such as a full disk.
    struct WriteFailed: Error {
        let code: Int32
    }

    /// Opens `/dev/null` for closed standard streams to reserve their numbers, and returns whether standard output was
    /// open.
    static func openMissingStreams() -> Bool {
        let isOpen = fcntl(STDOUT_FILENO, F_GETFD) != -1
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDWR)
        }
        return isOpen
    }

    static let isTerminal = isatty(STDOUT_FILENO) == 1

    static func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes all bytes to standard output.
    static func write(_ bytes: [UInt8]) throws {
        guard isTerminal else { return try write(bytes, to: STDOUT_FILENO) }
        try StatusLine.makingRoom(endsLine: bytes.last == UInt8(ascii: "\n")) { try write(bytes, to: STDOUT_FILENO) }
    }

    /// Writes a line to standard error without control characters (except tabs and line feeds), ignoring errors.
    static func note(_ line: String) {
        // Tabs are kept, so that a caret is under its column.
        prompt((line.replacingControls(keeping: "\n\t") ?? line) + "\n")
    }

    /// Writes to standard error without ending the line.
    static func prompt(_ text: String) {
        StatusLine.makingRoom { try? write(Array(text.utf8), to: STDERR_FILENO) }
    }

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

    /// Waits until a descriptor is writable, because another process that shares it may have made it non-blocking.
    private static func waitForRoom(in descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, -1)
    }
}

/// The system's `write`, which a method with the same name would hide.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, buffer.baseAddress, buffer.count)
}

/// Reads input, such as the text of a query.
enum StandardInput {
    /// The default maximum size in bytes: Salesforce accepts 100,000 characters of at most four bytes each.
    static let maximumSize = 400_000

    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// The content of a file, or of standard input if there is no path.
    static func read(file path: String? = nil, most: Int = maximumSize) throws(UsageError) -> String {
        guard let path else { return try text(of: STDIN_FILENO, named: "standard input", most: most) }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UsageError("\(path) cannot be opened: \(systemMessage(errno))") }
        defer { close(descriptor) }
        return try text(of: descriptor, named: path, most: most)
    }

    /// Waits for input, or returns false if the other descriptor is readable or a signal arrived.
    static func waitForInput(or other: Int32) -> Bool {
        var entries = [STDIN_FILENO, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return unsafe poll(&entries, nfds_t(entries.count), -1) > 0 && entries[1].revents == 0
    }

    /// Waits for input, and checks for cancellation of the task regularly.
    static func waitForInput(at descriptor: Int32 = STDIN_FILENO) throws(CancellationError) {
        while !Task.isCancelled {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&entry, 1, 100) > 0 { return }
        }
        throw CancellationError()
    }

    /// The available input (at most a line from a terminal in line mode), or `nil` at the end.
    static func chunk(atMost most: Int = 4_096) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: most)
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

/// The system's `read`, which a method with the same name would hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ size: Int) -> Int {
    unsafe read(descriptor, buffer, size)
}

func systemMessage(_ code: Int32) -> String {
    // The string of strerror is valid until the next call, and is copied immediately.
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
}
