// SPDX-License-Identifier: Apache-2.0

import CSQLite
import RestBase
import Synchronization

/// Limits the actions and the time of a statement that was compiled from a client's query.
///
/// It is a second line of defence, because the SOQL compiler never passes a client's text to SQLite as SQL.
final class QuerySentinel {
    /// Whether the statement in preparation comes from a client's query.
    var isRestricted = false {
        didSet { hasDenied = hasDenied && !isRestricted }
    }
    /// Whether an action was denied since `isRestricted` was set; SQLite's error code does not show it for functions.
    private(set) var hasDenied = false
    /// The start and the deadline of the running query, or `nil` for a statement of the org, which is never stopped.
    var time: Range<ContinuousClock.Instant>?
    /// The processor time of the thread at which queries are stopped, or `nil` for no limit.
    var processorEnd: Duration?
    /// Whether the processor time ended the last query, and not its deadline.
    private(set) var hasOutgrown = false
    private let interruption: Interruption

    init(_ interruption: Interruption) {
        self.interruption = interruption
    }

    /// Functions that read files, load code or allocate unlimited memory.
    private static let deniedFunctions: Set<String> = [
        "load_extension", "randomblob", "zeroblob", "readfile", "writefile", "edit", "fts3_tokenizer",
        "sqlite_source_id",
        "sqlite_version", "sqlite_compileoption_get", "sqlite_compileoption_used",
    ]

    /// Whether the running query must stop, which SQLite's progress handler checks.
    func isOverdue() -> Bool {
        guard let time else { return false }
        hasOutgrown = false
        let now = ContinuousClock.now
        if interruption.isOver || now >= time.upperBound { return true }
        if interruption.isLogFull, now > time.lowerBound + Interruption.leastAge { return true }
        return hasUsedUp()
    }

    func hasUsedUp() -> Bool {
        hasOutgrown = time != nil && processorEnd.map { ProcessorTime.ofThread > $0 } ?? false
        return hasOutgrown
    }

    /// The authorizer's decision for an action on things with these names (`sqlite3_set_authorizer`).
    func allows(_ action: CInt, on names: () -> (String?, String?)) -> Bool {
        guard isRestricted else { return action != SQLITE_ATTACH && action != SQLITE_DETACH }
        let (first, second) = names()
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

/// Ends the queries of a database, because the org stops or they prevent a checkpoint of the log.
package final class Interruption: Sendable {
    private let isOrgOver = Atomic(false)
    private let logPages = Atomic(0)

    /// The maximum size of the log, 64 MiB, which grows while a query reads an old state and other clients write.
    private static let mostLogPages = 16_384
    /// The minimum age of a query that is stopped for the log.
    static let leastAge = Duration.seconds(1)

    package init() {}

    /// Whether all queries must end.
    var isOver: Bool { isOrgOver.load(ordering: .relaxed) }

    /// Whether older queries must end.
    package var isLogFull: Bool { logPages.load(ordering: .relaxed) > Self.mostLogPages }

    package func end() { isOrgOver.store(true, ordering: .relaxed) }

    func note(logPages count: Int) { logPages.store(count, ordering: .relaxed) }
}

/// The processor time that a thread has used, which does not depend on the load of the machine.
package enum ProcessorTime {
    package static var ofThread: Duration {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
