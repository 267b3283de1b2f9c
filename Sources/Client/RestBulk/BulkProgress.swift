// SPDX-License-Identifier: Apache-2.0

/// How far an export or a load is.
public struct BulkProgress: Sendable, Hashable {
    /// The rows that were read: of the org's result, or of those that are to be loaded.
    public internal(set) var rows = 0
    /// The rows that are in the file, or that the org has worked on.
    public internal(set) var rowsProcessed = 0
    /// The records that the jobs have processed, as the org reports.
    ///
    /// An export reads its rows after the job has finished. Until then, this is the only number that grows.
    public internal(set) var recordsProcessed = 0
    /// How many of those that the org has worked on it refused.
    public internal(set) var rowsFailed = 0
    /// The bytes of rows that were written to the file, or sent.
    public internal(set) var bytes: Int64 = 0
    /// The jobs that were made, those that were given up not counted.
    public internal(set) var jobs = 0
    /// How many of them have ended.
    public internal(set) var jobsEnded = 0

    /// Nothing was done yet.
    init() {}
}
