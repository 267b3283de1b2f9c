// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Everything the org received: the ground truth of a test.
public final class Journal: Sendable {
    private struct State {
        var entries: [JournalEntry] = []
        var dropped = 0
        var count = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// The entries in order; the oldest are gone beyond the configured capacity.
    public var entries: [JournalEntry] { state.withLock { Array($0.entries[$0.dropped...]) } }

    /// How many requests were received since the start or the last `clear`, dropped entries included.
    public var count: Int { state.withLock { $0.count } }

    /// Forgets all entries; the sequence goes on from 1.
    public func clear() { state.withLock { $0 = State() } }

    /// The fingerprint under which the journal shows a token, to find out which request used it.
    public static func fingerprint(of token: String) -> String { Digest.fingerprint(token) }

    func record(_ request: ServerRequest, status: Int?, oauth: JournalEntry.OAuth? = nil) {
        let (target, body) = (JournalRedaction.target(request.target), JournalRedaction.body(of: request))
        let fields = request.fields.map { JournalEntry.Field(name: $0.name, value: JournalRedaction.field($0)) }
        state.withLock { state in
            state.count += 1
            state.entries.append(
                JournalEntry(
                    sequence: state.count, method: request.method, target: target, fields: fields,
                    bodySize: request.body.count, body: body, status: status, oauth: oauth))
            guard state.entries.count - state.dropped > capacity else { return }
            state.dropped += 1
            guard state.dropped > capacity else { return }
            state.entries.removeFirst(state.dropped)
            state.dropped = 0
        }
    }
}
