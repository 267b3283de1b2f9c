// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Every request that the server received, so that a test can check what was sent.
public final class Journal: Sendable {
    private struct State {
        /// Dropped entries are `nil` until the list is packed.
        var entries: [JournalEntry?] = []
        var dropped = 0
        var count = 0
        var bytes = 0
    }

    private let capacity: Int
    private let redaction: JournalRedaction
    private let state = Mutex(State())

    /// The most bytes of all entries, so that large requests do not fill the memory.
    private static let mostBytes = 32 << 20

    package init(capacity: Int, redaction: JournalRedaction) {
        self.capacity = max(0, capacity)
        self.redaction = redaction
    }

    /// The entries in order; the oldest are gone beyond the configured capacity.
    public var entries: [JournalEntry] { state.withLock { $0.entries[$0.dropped...].compactMap(\.self) } }

    /// How many requests were received since the start or the last `clear`, dropped entries included.
    public var count: Int { state.withLock { $0.count } }

    /// Forgets all entries; the sequence starts again from 1.
    public func clear() { state.withLock { $0 = State() } }

    /// The fingerprint that the journal shows instead of a token, to find the requests that used it.
    public static func fingerprint(of token: String) -> String { Digest.fingerprint(token) }

    package func record(_ request: ServerRequest, status: Int?, oauth: JournalEntry.OAuth? = nil) {
        let (target, body) = (JournalRedaction.target(request.target), redaction.body(of: request))
        let fields = request.fields.map { JournalEntry.Field(name: $0.name, value: JournalRedaction.field($0)) }
        state.withLock { state in
            state.count += 1
            let entry = JournalEntry(
                sequence: state.count, method: request.method, target: target, fields: fields,
                bodySize: request.sink?.count ?? request.body.count, body: body, status: status, oauth: oauth)
            state.entries.append(entry)
            state.bytes += entry.size
            while state.entries.count - state.dropped > capacity || state.bytes > Self.mostBytes {
                state.bytes -= state.entries[state.dropped]?.size ?? 0
                state.entries[state.dropped] = nil
                state.dropped += 1
            }
            guard state.dropped > state.entries.count / 2 else { return }
            state.entries.removeFirst(state.dropped)
            state.dropped = 0
        }
    }
}

extension JournalEntry {
    /// Its approximate size in memory.
    fileprivate var size: Int {
        fields.reduce(200 + target.utf8.count + body.count) { $0 + 64 + $1.name.utf8.count + $1.value.utf8.count }
    }
}
