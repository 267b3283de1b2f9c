// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Reading the text of a query.
enum StandardInput {
    /// No query is longer: the platform accepts 100,000 characters, of four bytes at most.
    static let maximumSize = 400_000

    /// Whether standard input is a terminal.
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Everything on standard input.
    static func read(most: Int = maximumSize) throws(UsageError) -> String {
        try text(of: STDIN_FILENO, named: "standard input", most: most)
    }

    /// The content of a file.
    static func read(file path: String, most: Int = maximumSize) throws(UsageError) -> String {
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

    private static func text(
        of descriptor: Int32, named name: String, most: Int = maximumSize
    ) throws(UsageError) -> String {
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

    private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ size: Int) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.read(descriptor, buffer, size)
        #elseif canImport(Musl)
        unsafe Musl.read(descriptor, buffer, size)
        #else
        unsafe Darwin.read(descriptor, buffer, size)
        #endif
    }
}

/// The system's message for an error number.
func systemMessage(_ code: Int32) -> String {
    // strerror gives a string that is valid until the next call; it is copied at once.
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
}
