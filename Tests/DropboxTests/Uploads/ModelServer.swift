// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK
import RestTransport

@testable import Dropbox

/// The upload sessions of a server as the spec describes them, without bytes, for tests of a plan.
struct ModelServer {
    struct Session {
        var isConcurrent: Bool
        var isClosed = false
        /// The received parts, in the order of their arrival.
        var parts: [Range<Int64>] = []

        var size: Int64 { parts.reduce(0) { max($0, $1.upperBound) } }
        var isWhole: Bool {
            var end: Int64 = 0
            for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                guard part.lowerBound <= end else { return false }
                end = max(end, part.upperBound)
            }
            return true
        }
    }

    var sessions: [String: Session] = [:]
    var files: [Int: Int] = [:]
    var lastSession = 0
    let sizes: [Int64]

    init(sizes: [Int64]) {
        self.sizes = sizes
    }

    /// Returns the response to a step of a plan with these entries.
    mutating func respond(_ step: UploadStep, _ entries: [UploadEntry], refusing: Set<Int> = []) -> UploadResponse {
        switch step {
        case .start(let files, let isConcurrent):
            return .started(
                files.map { _ in
                    lastSession += 1
                    sessions["s\(lastSession)"] = Session(isConcurrent: isConcurrent)
                    return "s\(lastSession)"
                })
        case .pack(let files):
            return .packed(files.map { append(entries[$0].session, 0..<sizes[$0], closes: true) })
        case .part(let file, let range, let isLast):
            let end = min(range.upperBound, sizes[file])
            let isEnd = entries[file].size == nil && end == sizes[file]
            let response = append(entries[file].session, min(range.lowerBound, end)..<end, closes: isLast || isEnd)
            return .part(response, end: isEnd ? end : nil)
        case .finish(let files, _):
            return .finished(
                files.map { refusing.contains($0) ? .refused(.tooManyWriteOperations) : finish($0, entries[$0]) })
        case .look(let file): return .found(files[file].map { _ in Self.metadata(sizes[file]) })
        }
    }

    private mutating func append(_ id: String?, _ range: Range<Int64>, closes: Bool) -> PartResponse {
        guard let id, var session = sessions[id] else { return .refused(.notFound) }
        defer { sessions[id] = session }
        if session.isClosed { return .refused(.closed) }
        if session.isConcurrent {
            if range.lowerBound % (4 << 20) != 0 { return .refused(.concurrentSessionInvalidOffset) }
            if !closes, range.count % (4 << 20) != 0 { return .refused(.concurrentSessionInvalidDataSize) }
        } else if range.lowerBound != session.size {
            return .refused(.incorrectOffset(Files.UploadSessionOffsetError(correctOffset: UInt64(session.size))))
        }
        session.parts.append(range)
        session.isClosed = closes
        return .taken
    }

    private mutating func finish(_ file: Int, _ entry: UploadEntry) -> FinishResponse {
        guard let id = entry.session, let session = sessions[id] else { return .refused(.lookupFailed(.notFound)) }
        guard session.isClosed else {
            return .refused(session.isConcurrent ? .concurrentSessionNotClosed : .lookupFailed(.notClosed))
        }
        guard session.isWhole else { return .refused(.concurrentSessionMissingData) }
        guard session.size == sizes[file] else {
            return .refused(
                .lookupFailed(
                    .incorrectOffset(Files.UploadSessionOffsetError(correctOffset: UInt64(session.size)))))
        }
        sessions[id] = nil
        files[file, default: 0] += 1
        return .stored(Self.metadata(sizes[file]))
    }

    static func metadata(_ size: Int64) -> Files.FileMetadata {
        let text = """
            {"name":"a","id":"id:1","client_modified":"2020-01-01T00:00:00Z","server_modified":"2020-01-01T00:00:00Z",\
            "rev":"0123456789","size":\(size)}
            """
        guard let file = try? Files.FileMetadata(json: Array(text.utf8)) else { preconditionFailure(text) }
        return file
    }
}
