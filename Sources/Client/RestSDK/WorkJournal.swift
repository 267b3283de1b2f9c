// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
package import RestTransport
import Synchronization

/// The content of a journal's lines, as a value without I/O.
package protocol JournalContent: Sendable {
    /// A line of the journal.
    associatedtype Line: Codable & Sendable
    /// The error of the work that the journal records.
    associatedtype Failure: Error

    /// The kind of the journal, with which its file begins.
    static var kind: String { get }
    /// The version of the line format.
    static var version: Int { get }

    /// Creates the content of an empty journal.
    init()

    /// Adds a line to the content.
    ///
    /// - Returns: `false` if the line is invalid after the previous lines.
    mutating func add(_ line: Line) -> Bool

    /// The lines of a compacted journal with the same content.
    var lines: [Line] { get }

    /// Returns the error for a journal that cannot be used.
    static func failure(_ message: String, _ underlying: TransportError?) -> Failure
}

/// The journal of work that survives a crash: an append-only file of `Codable` lines, and their content.
///
/// Only one process at a time can open the journal. The next process reads the lines of the previous ones. A journal
/// that is much longer than its content is compacted when it is opened.
package final class WorkJournal<Content: JournalContent>: Sendable {
    /// The size in bytes up to which a journal is not compacted.
    private static var shortSize: Int64 { 16_384 }

    private let file: JournalFile
    private let core: Mutex<Content>

    /// Opens or creates a journal.
    ///
    /// - Parameter path: the path of the file, in a directory that exists.
    /// - Throws: the error of the content if another process has opened the journal, if the file is not a journal of
    ///   this kind and version, or if it cannot be read or written.
    package init(path: String) throws(Content.Failure) {
        do throws(TransportError) {
            file = try JournalFile(path: path, kind: Content.kind, version: Content.version)
            core = Mutex(try Self.read(file))
        } catch {
            throw Self.failure(error, path)
        }
    }

    private static func read(_ file: JournalFile) throws(TransportError) -> Content {
        var content = Content()
        for (number, text) in try file.lines().enumerated() {
            guard let line = try? Content.Line(json: Array(text)), content.add(line) else {
                throw TransportError(
                    .file, "line \(number + 2) does not belong in this journal; choose another path",
                    mayHaveReachedServer: false)
            }
        }
        guard file.length > shortSize else { return content }
        let lines = content.lines
        let texts = lines.compactMap { try? $0.json() }
        // If there is no space for the new file, the old file is kept.
        guard texts.count == lines.count, texts.reduce(0, { $0 + Int64($1.count) }) * 4 < file.length,
            (try? file.replace(with: texts)) != nil
        else { return content }
        return lines.reduce(into: Content()) { _ = $0.add($1) }
    }

    package var path: String { file.path }

    package var content: Content { core.withLock(\.self) }

    /// Reads a part of the content without copying the whole content.
    package func read<Value: Sendable>(_ part: (Content) -> Value) -> Value { core.withLock { part($0) } }

    /// Appends a line to the file and then adds it to the content.
    ///
    /// All lines survive the process. If `isDurable` is true, the line and all lines before it also survive a power
    /// failure.
    ///
    /// - Throws: the error of the content if the file cannot be written. If the file is unchanged, so is the content.
    package func add(_ line: Content.Line, isDurable: Bool = true) throws(Content.Failure) {
        guard let text = try? line.json() else { throw rejection("a line cannot be written as JSON") }
        let failure = core.withLock { content -> TransportError? in
            do throws(TransportError) { try file.append(text) } catch { return error }
            _ = content.add(line)
            return nil
        }
        if let failure { throw Self.failure(failure, path) }
        if isDurable { try sync() }
    }

    /// Flushes all lines to disk.
    ///
    /// - Throws: the error of the content if the disk reported an error, now or earlier.
    package func sync() throws(Content.Failure) {
        do throws(TransportError) { try file.sync() } catch { throw Self.failure(error, path) }
    }

    /// Removes all lines atomically.
    package func clear() throws(Content.Failure) {
        do throws(TransportError) { try file.replace(with: []) } catch { throw Self.failure(error, path) }
        core.withLock { $0 = Content() }
    }

    package func remove() { file.remove() }

    /// Removes a journal, regardless of its content.
    ///
    /// - Throws: the error of the content if another process has opened the file, or if it is not a regular file.
    package static func remove(_ path: String) throws(Content.Failure) {
        do throws(TransportError) {
            let file = try JournalFile(path: path, kind: Content.kind, version: Content.version)
            file.remove()
            file.close()
        } catch {
            throw failure(error, path)
        }
    }

    /// Closes the file, so that it can be opened again, and lets all later writes fail.
    package func close() { file.close() }

    /// Returns the error of a journal that cannot be used for this reason.
    package func rejection(_ reason: String) -> Content.Failure { Content.failure("\(path): \(reason)", nil) }

    private static func failure(_ error: TransportError, _ path: String) -> Content.Failure {
        Content.failure("\(path): \(error.message)", error)
    }
}
