// SPDX-License-Identifier: Apache-2.0

import CSQLite
import RestBase
import Synchronization

/// What a statement compiled from a client's query may touch, and how long it may run: the second line of defence
/// behind the SOQL compiler, which never lets a client's text become SQL in the first place.
final class QuerySentinel {
    /// Whether the statement being prepared comes from a client's query.
    var isRestricted = false {
        didSet { hasDenied = hasDenied && !isRestricted }
    }
    /// Whether something was denied since `isRestricted` was set; SQLite's code does not show it for functions.
    private(set) var hasDenied = false
    /// When the running query began and when it is stopped; `nil` while a statement of the org runs, which is never
    /// stopped.
    var time: Range<ContinuousClock.Instant>?
    /// How much processor time the thread may have used when queries are stopped, or `nil` for any.
    var processorEnd: Duration?
    /// Whether the processor time ended the last query, and not its deadline.
    private(set) var hasOutgrown = false
    private let interruption: Interruption

    init(_ interruption: Interruption) {
        self.interruption = interruption
    }

    /// Functions that read files, load code or allocate any amount of memory.
    private static let deniedFunctions: Set<String> = [
        "load_extension", "randomblob", "zeroblob", "readfile", "writefile", "edit", "fts3_tokenizer",
        "sqlite_source_id",
        "sqlite_version", "sqlite_compileoption_get", "sqlite_compileoption_used",
    ]

    /// Whether the running query is to be stopped; SQLite asks from time to time.
    func isOverdue() -> Bool {
        guard let time else { return false }
        hasOutgrown = false
        let now = ContinuousClock.now
        if interruption.isOver || now >= time.upperBound { return true }
        if interruption.isLogFull, now > time.lowerBound + Interruption.leastAge { return true }
        return hasUsedUp()
    }

    /// Whether the query's processor time is over.
    func hasUsedUp() -> Bool {
        hasOutgrown = time != nil && processorEnd.map { ProcessorTime.ofThread > $0 } ?? false
        return hasOutgrown
    }

    /// The authorizer's answer for one action (`sqlite3_set_authorizer`).
    func allows(_ action: CInt, _ first: String?, _ second: String?) -> Bool {
        guard isRestricted else { return action != SQLITE_ATTACH && action != SQLITE_DETACH }
        let isAllowed = allowsQuery(action, first, second)
        hasDenied = hasDenied || !isAllowed
        return isAllowed
    }

    private func allowsQuery(_ action: CInt, _ first: String?, _ second: String?) -> Bool {
        switch action {
        case SQLITE_SELECT: true
        case SQLITE_READ: !(first ?? "").lowercased().hasBytes(prefix: "sqlite_")
        case SQLITE_FUNCTION: !Self.deniedFunctions.contains((second ?? "").lowercased())
        default: false
        }
    }
}

/// What ends the queries of a database: the org stops, or they keep the log from being written back.
package final class Interruption: Sendable {
    private let isOrgOver = Atomic(false)
    private let logPages = Atomic(0)

    /// A log of 64 MiB; it grows while one query reads an old state of the data and others write.
    private static let mostLogPages = 16_384
    /// The log does not wait for queries younger than this.
    static let leastAge = Duration.seconds(1)

    package init() {}

    /// Whether every query ends.
    var isOver: Bool { isOrgOver.load(ordering: .relaxed) }

    /// Whether older queries end.
    package var isLogFull: Bool { logPages.load(ordering: .relaxed) > Self.mostLogPages }

    package func end() { isOrgOver.store(true, ordering: .relaxed) }

    /// Notes the length of the log after a write.
    func note(logPages count: Int) { logPages.store(count, ordering: .relaxed) }
}

/// The processor time that a thread has used.
///
/// Unlike wall time it does not depend on how busy the machine is.
package enum ProcessorTime {
    package static var ofThread: Duration {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
