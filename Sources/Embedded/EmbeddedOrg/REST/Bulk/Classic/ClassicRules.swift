// SPDX-License-Identifier: Apache-2.0

/// What Bulk API 1.0 takes.
enum ClassicRules {
    /// The longest batch.
    static let mostBytes = 10_000_000
    /// The records of a batch.
    static let mostRecords = 10_000
    static let namespace = "http://www.force.com/2009/06/asyncapi/dataload"
    static let (resultPrefix, operations) = (
        "752", ["insert", "update", "upsert", "delete", "hardDelete", "query", "queryAll"]
    )
    static let states: [BulkJob.State: String] = [
        .open: "Queued", .uploaded: "Queued", .inProgress: "InProgress", .complete: "Completed", .failed: "Failed",
        .aborted: "NotProcessed",
    ]
}
