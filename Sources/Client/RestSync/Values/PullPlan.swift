// SPDX-License-Identifier: Apache-2.0

import RestBulk
import SOQLStore
import SOQLSyntax

/// The progress of reading one part of a subset, as a value without I/O.
///
/// The first read fetches all records, page by page or as the result of a Bulk job. Later, a small part, or one whose
/// records can enter and leave it without a change of their own, is read by comparing ids and stamps: this finds every
/// difference. A large part is read in windows of SystemModstamp, which overlap, because a transaction can commit after
/// a later one. A window also returns records that were deleted or no longer fulfil the condition only if they are
/// still in the recycle bin, so afterwards the server's count is compared with the copy's, and the ids if the counts
/// differ.
struct PullPlan: Codable, Sendable, Hashable {
    enum Phase: String, Codable, Sendable { case idle, reading, comparing, window, counting }

    private(set) var phase = Phase.idle
    /// The number of the current run, which marks the records that it has seen.
    private(set) var run = 0
    /// The path of the next page, or `nil` before the first page.
    private(set) var nextPage: String?
    /// The position in the result of a Bulk job, or `nil` while pages of a query are read.
    private(set) var export: BulkPosition?
    /// The number of Bulk jobs that failed.
    private(set) var failedExports = 0
    /// The server's time up to which all changes are known, in seconds since 1970, or `nil` before the first read.
    private(set) var position: Int?
    /// The server's time of the first page of this run.
    private var start: Int?

    /// The time before the server's present that the next window reads again, for transactions that commit late.
    static let overlap = 300
    /// The age in seconds from which no other change can have the same stamp.
    ///
    /// Stamps have whole seconds, and the clocks of an org's servers differ a little.
    static let certainAge = 5
    /// The number of records up to which a part is compared by its ids: one page.
    static let mostCompared = 2_000
    /// The number of failed Bulk jobs after which a part is read page by page.
    static let mostFailedExports = 2
    /// The maximum number of ids in one condition.
    static let idsPerQuery = 400
    /// The fields of every record.
    static let ownFields = ["Id", "SystemModstamp", "LastModifiedDate"]

    /// Begins a run, or resumes one that was interrupted between two pages or in the result of a job.
    ///
    /// - Parameters:
    ///   - members: the number of records of the part in the copy.
    ///   - followsOthers: whether records can enter or leave the part without a change of their own.
    ///   - most: the number of records up to which ids are compared.
    mutating func begin(members: Int, followsOthers: Bool, comparingUpTo most: Int = mostCompared) {
        guard nextPage == nil, export == nil else { return }
        run += 1
        start = nil
        phase = position == nil ? .reading : members > most && !followsOthers ? .window : .comparing
    }

    /// Starts the current run again, because the server no longer has the next page.
    mutating func restart() {
        (nextPage, export, start) = (nil, nil, nil)
        run += 1
    }

    /// The query of the first page of the phase, for an object with a recycle bin or without one.
    func query(_ part: SubsetPart, fields: [String], hasBin: Bool = true) -> String {
        let condition = part.condition.map { " WHERE \($0)" } ?? ""
        let all = (Self.ownFields + fields.filter { !Self.ownFields.contains($0) }).joined(separator: ", ")
        switch phase {
        case .comparing: return "SELECT Id, SystemModstamp FROM \(part.object)\(condition)"
        case .counting: return Self.count(part)
        case .window:
            let stamp = Self.literal((position ?? 0) - Self.overlap)
            let own = part.condition.map { "(\($0)) AND " } ?? ""
            let deleted = hasBin ? ", IsDeleted" : ""
            return "SELECT \(all)\(deleted) FROM \(part.object) WHERE \(own)SystemModstamp >= \(stamp)"
        case .idle, .reading: return "SELECT \(all) FROM \(part.object)\(condition)"
        }
    }

    /// The query of the number of records of a part.
    static func count(_ part: SubsetPart) -> String {
        "SELECT COUNT() FROM \(part.object)\(part.condition.map { " WHERE \($0)" } ?? "")"
    }

    /// Whether a record can have changed since the last run although its stamp is the same.
    func isUncertain(_ stamp: String) -> Bool {
        stamp >= WireTime.datetime(milliseconds: Int64((position ?? 0) - Self.certainAge) * 1_000)
    }

    /// The query of records that differ from the copy.
    static func query(_ ids: some Sequence<String>, of object: String, fields: [String]) -> String {
        "SELECT \((ownFields + fields.filter { !ownFields.contains($0) }).joined(separator: ", ")) FROM \(object)"
            + " WHERE \(condition(ids))"
    }

    /// The condition that selects records by their ids, which can be anything that a server sent.
    static func condition(_ ids: some Sequence<String>, of field: String = "Id") -> String {
        "\(field) IN (\(ids.map { SOQLEscaping.quoted($0) }.joined(separator: ",")))"
    }

    static func literal(_ seconds: Int) -> String {
        WireTime.datetime(milliseconds: Int64(seconds) * 1_000).prefix(19) + "Z"
    }

    /// Records the server's time before the first response of the run, or `nil` if it did not report any.
    mutating func began(at time: Int?) { start = start ?? time }

    /// Records a page, after its records are in the copy.
    ///
    /// - Parameters:
    ///   - next: the path of the next page, or `nil` if this was the last one.
    ///   - time: the server's time of the response, or `nil` if it did not report any.
    mutating func received(next: String?, at time: Int?) {
        start = start ?? time
        nextPage = next
        guard next == nil else { return }
        if phase == .window {
            // If the server's clock was ahead, changes before the position were never read.
            if let start, let position, start < position - Self.overlap { return compare() }
            phase = .counting
        } else {
            finish()
        }
    }

    /// Whether a Bulk job can read the rest of a part, when the first page reports the number of its records.
    var canExport: Bool { phase == .reading && nextPage == nil && failedExports < Self.mostFailedExports }

    /// Reads the result of a Bulk job from a position.
    mutating func exported(to position: BulkPosition) { (export, nextPage) = (position, nil) }

    /// Starts the current run again after its Bulk job failed.
    mutating func failExport() {
        restart()
        failedExports += 1
    }

    /// Whether the current run sees every record of the part, so that all others have left it.
    var seesAll: Bool { phase == .reading || phase == .comparing }

    /// Records the server's count of the part, and compares ids if it differs from the copy's.
    mutating func counted(_ count: Int, members: Int) {
        if count == members { finish() } else { compare() }
    }

    /// Compares all ids and stamps in this run.
    private mutating func compare() {
        let known = start
        phase = .comparing
        restart()
        start = known
    }

    private mutating func finish() {
        // Without the server's time, the position stays and the next window is longer.
        position = start ?? position ?? 0
        (phase, nextPage, export, start) = (.idle, nil, nil, nil)
    }
}
