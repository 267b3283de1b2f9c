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
    private static let keptBody = 64 << 10

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

    func record(_ request: ServerRequest, status: Int?) {
        let isOAuth = request.target.hasPrefix("/services/oauth2/")
        let body = isOAuth ? Self.redactedForm(request.body) : Array(request.body.prefix(Self.keptBody))
        let fields = request.fields.map { JournalEntry.Field(name: $0.name, value: Self.redacted($0)) }
        state.withLock { state in
            state.count += 1
            state.entries.append(
                JournalEntry(
                    sequence: state.count, method: request.method, target: request.target, fields: fields,
                    bodySize: request.body.count, body: body, status: status))
            guard state.entries.count - state.dropped > capacity else { return }
            state.dropped += 1
            guard state.dropped > capacity else { return }
            state.entries.removeFirst(state.dropped)
            state.dropped = 0
        }
    }

    private static func redacted(_ field: HTTPFields.Field) -> String {
        guard field.name.isEqualIgnoringASCIICase(to: "Authorization") else { return field.value }
        let parts = field.value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return Digest.fingerprint(field.value) }
        return "\(parts[0]) \(Digest.fingerprint(String(parts[1])))"
    }

    private static let openParameters: Set<String> = [
        "grant_type", "client_id", "scope", "username", "token_type_hint",
    ]

    private static func redactedForm(_ body: [UInt8]) -> [UInt8] {
        let text = String(decoding: body.prefix(keptBody), as: UTF8.self)
        let pairs = text.split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !openParameters.contains(String(sides[0])) else { return String(pair) }
            let value = (try? PercentEncoding.decodeForm(String(sides[1]))) ?? String(sides[1])
            return "\(sides[0])=\(Digest.fingerprint(value))"
        }
        return Array(pairs.joined(separator: "&").utf8)
    }
}
