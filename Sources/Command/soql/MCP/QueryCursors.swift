// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import Synchronization

/// Where answers of queries stopped, until others have taken their place.
final class QueryCursors: Sendable {
    /// What is still to be given.
    struct Rest: Sendable {
        let totalSize: Int
        /// How many records were given.
        var given: Int
        /// Records that came and were not given.
        var records: [JSONValue]
        let nextPath: String?
    }

    private struct State {
        var rests: [String: Rest] = [:]
        var names: [String] = []
    }

    private let state = Mutex(State())
    /// How many are kept; each has a page of records at most.
    private static let most = 32

    /// Keeps a rest.
    ///
    /// - Returns: the cursor.
    func keep(_ rest: Rest) -> String {
        let name = "q" + String(UInt64.random(in: .min ... .max), radix: 36)
        state.withLock { state in
            state.rests[name] = rest
            state.names.append(name)
            if state.names.count > Self.most { state.rests[state.names.removeFirst()] = nil }
        }
        return name
    }

    /// The rest of a cursor, which may be asked for again.
    func rest(of name: String) -> Rest? { state.withLock { $0.rests[name] } }
}
