// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What ends the queries of a database: its org stops, or they keep the log from being settled.
package final class Interruption: Sendable {
    private let isOrgOver = Atomic(false)
    private let logPages = Atomic(0)

    /// A log of 64 MiB; it grows while somebody reads an old state of the data and others write.
    private static let mostLogPages = 16_384
    /// A query that is younger is not what the log waits for.
    static let leastAge = Duration.seconds(1)

    package init() {}

    /// Whether every query ends.
    var isOver: Bool { isOrgOver.load(ordering: .relaxed) }

    /// Whether queries end that have run for a while.
    package var isLogFull: Bool { logPages.load(ordering: .relaxed) > Self.mostLogPages }

    package func end() { isOrgOver.store(true, ordering: .relaxed) }

    /// Notes the length of the log after a write.
    func note(logPages count: Int) { logPages.store(count, ordering: .relaxed) }
}
