// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes that come one after another: in memory while they are few, then in a file without a name.
///
/// A long body of a request goes into one, and so does a long answer while it is put together.
package final class Spool: BodySink {
    private struct State: ~Copyable {
        /// All bytes, or those that the file does not have yet.
        var buffer: [UInt8] = []
        var written = 0
        var descriptor: CInt = -1
        var hasFailed = false

        var count: Int { written + buffer.count }

        deinit { if descriptor >= 0 { _ = close(descriptor) } }
    }

    private let state = Mutex(State())

    /// More bytes than these are in a file.
    private static let mostMemory = 1 << 20

    package init() {}

    package var count: Int { state.withLock { $0.count } }

    /// Takes the next piece of a body; `false` when the disk is full.
    package func take(_ piece: RawSpan) -> Bool {
        state.withLock { state in
            unsafe piece.withUnsafeBytes { unsafe state.buffer.append(contentsOf: $0) }
            return Self.settle(&state)
        }
    }

    /// Appends bytes; `false` when the disk is full, now or before.
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

    /// A file that has lost its name, so that the system frees it however the process ends; -1 if there is none.
    private static func makeFile() -> CInt {
        let path = FileManager.default.temporaryDirectory.path + "/spool-" + RandomText.make(22)
        let descriptor = FileBytes.make(path)
        if descriptor >= 0 { _ = unsafe unlink(path) }
        return descriptor
    }

    /// Some of the bytes, fewer at their end; `nil` if the file cannot be read.
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

    /// All bytes as the body of an answer; `nil` when the disk was full.
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
