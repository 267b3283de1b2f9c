// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
package import RestTransport
import Synchronization

/// The meaning of a journal's lines, as a value that sends and writes nothing.
package protocol JournalContent: Sendable {
    /// One line.
    associatedtype Line: Codable & Sendable
    /// The error of the work that the journal is about.
    associatedtype Failure: Error

    /// The kind of the journal, which its file begins with.
    static var kind: String { get }
    /// The version of the format of the lines.
    static var version: Int { get }

    /// The content of a journal without lines.
    init()

    /// Takes in a line.
    ///
    /// - Returns: `false` if the line cannot follow those before it.
    mutating func add(_ line: Line) -> Bool

    /// The lines that a new journal needs to have the same content.
    var lines: [Line] { get }

    /// The error for a journal that cannot be used.
    static func failure(_ message: String, _ underlying: TransportError?) -> Failure
}

/// The journal of work that survives a crash: an append-only file of `Codable` lines, and their content.
///
/// One process at a time has the journal. What one process added, the next one reads. A journal that is much longer
/// than its content needs is shortened when it is opened.
package final class WorkJournal<Content: JournalContent>: Sendable {
    /// A journal of this size in bytes, or a smaller one, is not shortened.
    private static var shortSize: Int64 { 16_384 }

    private let file: JournalFile
    private let core: Mutex<Content>

    /// Opens a journal, or begins one.
    ///
    /// - Parameter path: the path of the file, in a directory that exists.
    /// - Throws: the error of the content if another process has the journal, if it is the file of something else or of
    ///   another version, or if it cannot be read or written.
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
                    .file, "line \(number + 2) does not belong into this journal", mayHaveReachedServer: false)
            }
        }
        guard file.length > shortSize else { return content }
        let lines = content.lines
        let texts = lines.compactMap { try? $0.json() }
        // A disk without room for the new file keeps the old one.
        guard texts.count == lines.count, texts.reduce(0, { $0 + Int64($1.count) }) * 4 < file.length,
            (try? file.replace(with: texts)) != nil
        else { return content }
        return lines.reduce(into: Content()) { _ = $0.add($1) }
    }

    /// The path of the file.
    package var path: String { file.path }

    /// The content of the lines so far.
    package var content: Content { core.withLock(\.self) }

    /// Reads a part of the content without a copy of the whole.
    package func read<Value: Sendable>(_ part: (Content) -> Value) -> Value { core.withLock { part($0) } }

    /// Adds a line, and then takes it into the content.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - isDurable: whether the line and all before it must survive a loss of power from now on. A line survives the
    ///     process in any case.
    /// - Throws: the error of the content if the disk is full or broken. The content is unchanged if the file is.
    package func add(_ line: Content.Line, isDurable: Bool = true) throws(Content.Failure) {
        guard let text = try? line.json() else { throw refusal("a line cannot be written as JSON") }
        let failure = core.withLock { content -> TransportError? in
            do throws(TransportError) { try file.append(text) } catch { return error }
            _ = content.add(line)
            return nil
        }
        if let failure { throw Self.failure(failure, path) }
        if isDurable { try sync() }
    }

    /// Puts all lines on the disk.
    ///
    /// - Throws: the error of the content if the disk reports an error, now or earlier.
    package func sync() throws(Content.Failure) {
        do throws(TransportError) { try file.sync() } catch { throw Self.failure(error, path) }
    }

    /// Drops all lines in one step.
    package func clear() throws(Content.Failure) {
        do throws(TransportError) { try file.replace(with: []) } catch { throw Self.failure(error, path) }
        core.withLock { $0 = Content() }
    }

    /// Removes the file.
    package func remove() { file.remove() }

    /// Removes a journal, whatever the file contains.
    ///
    /// - Throws: the error of the content if another process has the file, or if it is not a regular file.
    package static func remove(_ path: String) throws(Content.Failure) {
        do throws(TransportError) {
            let file = try JournalFile(path: path, kind: Content.kind, version: Content.version)
            file.remove()
            file.close()
        } catch {
            throw failure(error, path)
        }
    }

    /// Closes the file, so that it can be opened again.
    ///
    /// Everything that writes fails from then on.
    package func close() { file.close() }

    /// The error of a journal that cannot be used for this reason.
    package func refusal(_ reason: String) -> Content.Failure { Content.failure("\(path): \(reason)", nil) }

    private static func failure(_ error: TransportError, _ path: String) -> Content.Failure {
        Content.failure("\(path): \(error.message)", error)
    }
}
