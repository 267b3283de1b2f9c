// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestText
import RestTransport
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The requests of this process, which become a file when the command ends, however it ends.
final class RequestTrace: Sendable {
    /// A request that was sent.
    struct Exchange: Sendable {
        let request: HTTPRequest
        let start: ContinuousClock.Instant
        let date: Date
    }

    private struct State {
        var entries: [JSONValue] = []
        /// How many more bytes of bodies are kept.
        var room = 64 << 20
    }

    /// The trace of this process; there is one at most.
    private static let current = Mutex<RequestTrace?>(nil)

    private let path: String
    private let state = Mutex(State())

    private init(path: String) { self.path = path }

    /// Begins the trace of this process, or goes on with it.
    ///
    /// - Throws: ``UsageError`` when no file can be made there.
    static func begin(_ path: String) throws(UsageError) -> RequestTrace {
        if let trace = current.withLock(\.self) { return trace }
        let folder = path.cut(lastByte: "/").map { "\($0.before)/" } ?? "./"
        guard unsafe access(folder, W_OK | X_OK) == 0 else {
            throw UsageError("--trace: no file can be made in \(folder): \(systemMessage(errno))")
        }
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw UsageError("--trace: \(path) is no ordinary file")
        }
        let trace = RequestTrace(path: path)
        current.withLock { $0 = trace }
        return trace
    }

    /// Writes the trace of this process, if there is one.
    ///
    /// - Returns: whether nothing went wrong.
    static func finish() -> Bool {
        guard let trace = current.withLock(\.self) else { return true }
        do throws(TransportError) {
            try trace.write()
            return true
        } catch {
            StandardOutput.note("soql: the trace cannot be written to \(trace.path): \(error.message)".singleLine)
            return false
        }
    }

    /// Notes a request and what came of it: the answer's header, and its body where it was in memory.
    func add(
        _ exchange: Exchange, _ result: Result<(HTTPResponse.Head, [UInt8]?), TransportError>, _ duration: Duration
    ) {
        let room = state.withLock { min($0.room, HAREntry.mostBody) }
        let entry = HAREntry(exchange, result, duration, room: room)
        state.withLock { state in
            state.room -= entry.bodySize
            state.entries.append(entry.json)
        }
    }

    private func write() throws(TransportError) {
        let entries = state.withLock(\.entries)
        let creator: JSONValue = ["name": "soql", "version": JSONValue(RestClient.version)]
        let log: JSONValue = [
            "log": ["version": "1.2", "creator": creator, "pages": [], "entries": JSONValue(JSONArray(entries))]
        ]
        try FileWriter.write(log.bytes() + [UInt8(ascii: "\n")], to: path)
    }
}
