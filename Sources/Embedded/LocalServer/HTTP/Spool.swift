// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A byte buffer that starts in memory and continues in a file without a name.
///
/// It stores long request bodies, and long responses while they are made.
package final class Spool: BodySink {
    private struct State: ~Copyable {
        /// All bytes, or those that are not in the file yet.
        var buffer: [UInt8] = []
        var written = 0
        var descriptor: CInt = -1
        var hasFailed = false

        var count: Int { written + buffer.count }

        deinit { if descriptor >= 0 { _ = close(descriptor) } }
    }

    private let state = Mutex(State())

    private static let mostMemory = 1 << 20

    package init() {}

    package var count: Int { state.withLock { $0.count } }

    /// Takes the next chunk of a body, or returns `false` if the disk is full.
    package func take(_ chunk: RawSpan) -> Bool {
        state.withLock { state in
            unsafe chunk.withUnsafeBytes { unsafe state.buffer.append(contentsOf: $0) }
            return Self.settle(&state)
        }
    }

    /// Appends bytes, or returns `false` if the disk is full or was full before.
    @discardableResult
    package func append(_ bytes: some Sequence<UInt8>) -> Bool {
        state.withLock { state in
            state.buffer.append(contentsOf: bytes)
            return Self.settle(&state)
        }
    }

    private static func settle(_ state: inout State) -> Bool {
        guard !state.hasFailed else { return false }
        guard state.buffer.count > mostMemory else { return true }
        if state.descriptor < 0 { state.descriptor = makeFile() }
        state.hasFailed = !FileBytes.write(state.buffer, to: state.descriptor, at: state.written)
        guard !state.hasFailed else { return false }
        state.written += state.buffer.count
        state.buffer.removeAll(keepingCapacity: true)
        return true
    }

    /// Returns a file without a name, which the system frees when the process ends, or -1.
    private static func makeFile() -> CInt {
        let path = FileManager.default.temporaryDirectory.path + "/spool-" + RandomText.make(22)
        let descriptor = FileBytes.make(path)
        if descriptor >= 0 { _ = unsafe unlink(path) }
        return descriptor
    }

    /// Returns `count` bytes, fewer at the end, or `nil` if the file cannot be read.
    package func bytes(from position: Int, count: Int) -> [UInt8]? {
        state.withLock { state in
            var bytes: [UInt8] = []
            if position < state.written {
                let wanted = min(count, state.written - position)
                guard let read = FileBytes.read(state.descriptor, from: position, count: wanted) else { return nil }
                bytes = read
            }
            let start = max(0, position - state.written)
            let end = min(state.buffer.count, max(start, position + count - state.written))
            return start < end ? bytes + state.buffer[start..<end] : bytes
        }
    }

    /// Returns the response with all bytes as its body, or `nil` if the disk was full.
    package func fill(_ response: ServerResponse) -> ServerResponse? {
        state.withLock { state in
            guard !state.hasFailed else { return nil }
            var response = response
            guard state.descriptor >= 0 else {
                response.body = state.buffer
                return response
            }
            guard FileBytes.write(state.buffer, to: state.descriptor, at: state.written) else { return nil }
            let count = state.count
            let copy = fcntl(state.descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { return nil }
            response.file = FileSlice(descriptor: copy, count: count)
            return response
        }
    }
}
