// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

/// The destination of results: standard output, a pager on a terminal if they do not fit, or a file.
///
/// Several results can be written one after the other. Use ``open(_:unless:_:)``, or call ``finish()`` or ``discard()``
/// at the end.
final class OutputDestination: Sendable {
    private enum Way: Sendable {
        case standardOutput
        /// A terminal, whose text is held back until it no longer fits, and is then given to a pager.
        case held([UInt8], rows: Int, command: String)
        /// A pager that was started on a terminal with this number of columns.
        case pager(Pager, columns: Int)
        case file(OutputFile)
        case closed
    }

    private let way: Mutex<Way>
    /// The file of the option, for messages.
    let path: String?
    /// Whether text goes to a terminal, with or without a pager.
    let isTerminal: Bool
    private let pagerEnded = AwaitedValue<Int32?>()
    /// Messages to show after the pager exits or the file is complete.
    private let notes = Mutex<[String]>([])

    /// Opens a destination.
    init(_ options: Arguments) throws {
        path = options[.outputFile]
        isTerminal = path == nil && StandardOutput.isTerminal
        if let path {
            way = Mutex(.file(try OutputFile(path)))
        } else if isTerminal, !options.has(.noPager), Screen.canMove(1), let command = Pager.command {
            way = Mutex(.held([], rows: 0, command: command))
        } else {
            way = Mutex(.standardOutput)
        }
    }

    /// Opens a destination for some work and closes it afterward, unless a destination is already open.
    ///
    /// A file gets its name only after the work is complete. If the user quits the pager early, the work is cancelled
    /// and counts as successful.
    static func open(
        _ options: Arguments, unless open: OutputDestination? = nil,
        _ work: @escaping @Sendable (OutputDestination) async throws -> Void
    ) async throws {
        if let open { return try await work(open) }
        let destination = try OutputDestination(options)
        do {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await work(destination)
                    return true
                }
                group.addTask {
                    guard await destination.pagerEnded.value(ifCancelled: .some(nil)) == nil else {
                        throw StandardOutput.ReaderGone()
                    }
                    return false
                }
                // A task that waited for the pager throws if the user quit it. After a cancel it returns false, which
                // does not end the work.
                while try await group.next() == false {}
                group.cancelAll()
            }
        } catch {
            try await destination.end(after: error)
        }
        try await destination.finish()
    }

    /// Closes the destination after an error, which is thrown again unless the user has quit the pager.
    private func end(after error: any Error) async throws {
        guard let pager = way.withLock({ way in if case .pager(let pager, _) = way { pager } else { nil } }) else {
            discard()
            throw error
        }
        way.withLock { $0 = .closed }
        try await pager.finish()
        guard error is StandardOutput.ReaderGone else {
            tellNotes()
            throw error
        }
        // A user who quit early does not need notes about the rest.
        notes.withLock { $0 = [] }
    }

    /// The maximum width of lines, or `nil` if there is no limit, as in a pager, which wraps lines itself.
    var columns: Int? {
        guard isTerminal else { return nil }
        return way.withLock { way in if case .pager(_, let columns) = way { columns } else { nil } }
            ?? Screen.size().columns
    }

    /// Shows a note about a result on standard error, without mixing it into the text.
    func note(_ text: String) {
        let isDirect = way.withLock { way in if case .standardOutput = way { true } else { false } }
        if isDirect { StandardOutput.note(text) } else { notes.withLock { $0.append(text) } }
    }

    private func tellNotes() {
        let notes = notes.withLock { notes in
            defer { notes = [] }
            return notes
        }
        for note in notes { StandardOutput.note(note) }
    }

    /// Writes text that ends at a character boundary.
    func write(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        try way.withLock { way in
            switch way {
            case .standardOutput: try StandardOutput.write(bytes)
            case .pager(let pager, _): try pager.write(bytes)
            case .file(let file): try file.write(bytes)
            case .held(var text, let rows, let command):
                way = .closed
                let screen = Screen.size()
                let rows = rows + Self.rows(of: bytes, on: screen, atMost: screen.rows)
                text += bytes
                way = .held(text, rows: rows, command: command)
                // The last row is for the shell's prompt.
                guard rows >= screen.rows else { return }
                let pager = try Pager(command, telling: pagerEnded)
                way = .pager(pager, columns: screen.columns)
                try pager.write(text)
            case .closed: throw StandardOutput.ReaderGone()
            }
        }
    }

    /// Shows the held text, waits for the user of a pager, or completes the file.
    func finish() async throws {
        switch close() {
        case .held(let text, _, _): try StandardOutput.write(text)
        case .pager(let pager, _): try await pager.finish()
        case .file(let file): try file.finish()
        case .standardOutput, .closed: break
        }
        tellNotes()
    }

    /// Closes the destination after an error: a file is not created, and held text is shown.
    func discard() {
        switch close() {
        case .held(let text, _, _): try? StandardOutput.write(text)
        case .file(let file): file.discard()
        case .standardOutput, .pager, .closed: break
        }
        tellNotes()
    }

    private func close() -> Way {
        way.withLock { way in
            defer { way = .closed }
            return way
        }
    }

    /// The number of screen rows of a text, counted up to a maximum.
    private static func rows(of bytes: [UInt8], on screen: Screen, atMost most: Int) -> Int {
        var (rows, column) = (0, 0)
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                (rows, column) = (rows + 1, 0)
                if rows >= most { return rows }
            } else if byte & 0xC0 != 0x80 {
                column += 1
                if column > screen.columns { (rows, column) = (rows + 1, 1) }
            }
        }
        return rows
    }
}

/// The file of `--output`, written completely or not at all, unless it is a special file such as `/dev/null` or a pipe.
struct OutputFile: Sendable {
    private enum Way {
        /// Through a temporary file next to it.
        case whole(FileWriter)
        case direct(Int32)
    }

    let path: String
    private let way: Way

    /// Opens the file, following symbolic links and keeping the permissions of an existing file.
    init(_ path: String) throws {
        self.path = path
        let kind = FileFacts.status(path).map { $0.st_mode & S_IFMT } ?? S_IFREG
        guard kind != S_IFDIR else { throw Self.failure(path, EISDIR) }
        if kind != S_IFREG {
            let opened = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            guard opened >= 0 else { throw Self.failure(path, errno) }
            way = .direct(opened)
        } else {
            guard let place = FileFacts.followed(path) else { throw Self.failure(path, ELOOP) }
            way = try .whole(
                Self.failing(path) { () throws(TransportError) in try FileWriter(path: place, access: .usual) })
        }
    }

    func write(_ bytes: [UInt8]) throws {
        switch way {
        case .whole(let writer): try Self.failing(path) { () throws(TransportError) in try writer.write(bytes) }
        case .direct(let descriptor):
            do { try StandardOutput.write(bytes, to: descriptor) } catch let error as StandardOutput.WriteFailed {
                throw Self.failure(path, error.code)
            }
        }
    }

    /// Flushes the written bytes to the disk.
    func flush() throws {
        guard case .whole(let writer) = way else { return }
        try Self.failing(path) { () throws(TransportError) in try writer.flush() }
    }

    /// Moves the complete file into place.
    func finish() throws {
        switch way {
        case .whole(let writer): try Self.failing(path) { () throws(TransportError) in try writer.finish() }
        case .direct(let descriptor):
            if close(descriptor) != 0 { throw Self.failure(path, errno) }
        }
    }

    /// Keeps the previous file, if any.
    func discard() {
        switch way {
        case .whole(let writer): writer.discard()
        case .direct(let descriptor): close(descriptor)
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandFailure {
        CommandFailure("\(path) cannot be written: \(systemMessage(code))")
    }

    private static func failing<Result>(
        _ path: String, _ work: () throws(TransportError) -> Result
    ) throws(CommandFailure) -> Result {
        do { return try work() } catch {
            throw failure(path, error.systemErrors.first.map { Int32(truncatingIfNeeded: $0.number) } ?? EIO)
        }
    }
}
