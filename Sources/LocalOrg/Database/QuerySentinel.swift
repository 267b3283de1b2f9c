// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// What a statement compiled from a client's query may touch, and how long it may run: the second line of defence
/// behind the SOQL compiler, which never lets a client's text become SQL in the first place.
final class QuerySentinel {
    /// Whether the statement being prepared comes from a client's query.
    var isRestricted = false {
        didSet { hasDenied = hasDenied && !isRestricted }
    }
    /// Whether something was denied since `isRestricted` was set; SQLite's code does not tell for functions.
    private(set) var hasDenied = false
    /// When the running query is stopped.
    var deadline: ContinuousClock.Instant?

    /// Functions that read files, load code or make memory out of nothing.
    private static let deniedFunctions: Set<String> = [
        "load_extension", "randomblob", "zeroblob", "readfile", "writefile", "edit", "fts3_tokenizer",
        "sqlite_source_id",
        "sqlite_version", "sqlite_compileoption_get", "sqlite_compileoption_used",
    ]

    var isOverdue: Bool { deadline.map { ContinuousClock.now > $0 } ?? false }

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
        case SQLITE_READ: !(first ?? "").lowercased().hasPrefix("sqlite_")
        case SQLITE_FUNCTION: !Self.deniedFunctions.contains((second ?? "").lowercased())
        default: false
        }
    }
}
