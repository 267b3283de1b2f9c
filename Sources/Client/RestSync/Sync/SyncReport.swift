// SPDX-License-Identifier: Apache-2.0

/// The result of a sync.
public struct SyncReport: Sendable, Hashable {
    /// The number of records that were read from the org and written to the copy.
    public internal(set) var pulled = 0
    /// The number of records that left the copy.
    public internal(set) var removed = 0
    /// The numbers of records that were created, updated and deleted on the server.
    public internal(set) var created = 0, updated = 0, deleted = 0
    /// The number of new conflicts, which are in ``SyncStore/conflicts``.
    public internal(set) var conflicts = 0
    /// The number of local changes that remain to be sent, without conflicts.
    public internal(set) var pending = 0
    /// The fields that the org no longer has, or that the user may no longer read, by object.
    public internal(set) var missingFields: [String: [String]] = [:]
    /// The number of requests.
    public internal(set) var requests = 0
}
