// SPDX-License-Identifier: Apache-2.0

import RestSQLite
import SOQLStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The state of a copy, which needs no network.
public struct SyncStatus: Sendable, Hashable {
    /// The queries of the subsets, in the order in which they were added.
    public let subsets: [String]
    /// The end of the last complete sync, by the clock of this machine, or `nil` before the first one.
    public let lastSync: Date?
    /// The number of local changes that the next sync sends, by object.
    public let pending: [String: Int]
    /// The number of conflicts, by object.
    public let conflicts: [String: Int]
}

extension SyncStore {
    /// The subsets, the last sync, and the numbers of local changes and conflicts.
    public var status: SyncStatus {
        get throws(SyncError) {
            try read { (connection) throws(OrgError) in
                func counts(_ condition: String) throws(OrgError) -> [String: Int] {
                    let sql = "SELECT \"Object\", count(*) FROM \"sync.Outbox\" WHERE \"State\" \(condition) GROUP BY 1"
                    let rows = try connection.fetch(sql) { ($0.text(0), Int(clamping: $0.integer(1))) }
                    return Dictionary(rows) { $1 }
                }
                let subsets = "SELECT \"Query\" FROM \"sync.Subset\" ORDER BY \"Number\""
                let synced = "SELECT CAST(\"Value\" AS INTEGER) FROM \"sync.Value\" WHERE \"Name\" = 'synced'"
                let seconds = try connection.fetch(synced) { $0.integer(0) }.first
                return SyncStatus(
                    subsets: try connection.fetch(subsets) { $0.text(0) },
                    lastSync: seconds.map { Date(timeIntervalSince1970: Double($0)) },
                    pending: try counts("IN ('open', 'sent')"), conflicts: try counts("IN ('held', 'orphaned')"))
            }
        }
    }
}
