// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport
import SOQLStore
import Synchronization

/// `/services/data`, `/services/data/vXX.0` and `/limits`.
struct VersionResources: Sendable {
    /// The version list, which needs no session.
    func list() -> ServerResponse {
        .list(APIVersion.supported) { writer, number in
            let version = APIVersion(number: number)
            writer.object([("label", version.label), ("url", version.path), ("version", "\(number).0")])
        }
    }

    private static let names = [
        "actions", "composite", "connect", "graphql", "jobs", "limits", "parameterizedSearch", "query", "queryAll",
        "recent", "search", "sobjects",
    ]
    /// The resources that the oldest versions do not have.
    private static let younger: [String: APIVersion.Feature] = [
        "composite": .batch, "jobs": .ingestJobs, "parameterizedSearch": .parameterizedSearch,
    ]

    func resources(_ call: RESTRouter.Call, identity: String) throws(OrgError) -> ServerResponse {
        try call.allow("GET")
        let names = Self.names.filter { name in Self.younger[name].map(call.version.has) ?? true }
        return .object { writer in
            for name in names { writer.member(name, "\(call.version.path)/\(name)") }
            writer.member("identity", identity)
        }
    }

    /// The allowances of a developer org that nothing here uses up.
    private static let unused = [
        ("AnalyticsExternalDataSizeMB", 40_960), ("ConcurrentAsyncGetReportInstances", 200),
        ("ConcurrentSyncReportRuns", 20), ("DailyAsyncApexExecutions", 250_000), ("DailyBulkApiBatches", 15_000),
        ("DailyBulkV2QueryFileStorageMB", 976_562), ("DailyBulkV2QueryJobs", 10_000),
        ("DailyDurableStreamingApiEvents", 10_000), ("DailyGenericStreamingApiEvents", 10_000),
        ("DailyStreamingApiEvents", 10_000), ("DailyWorkflowEmails", 75), ("DataStorageMB", 5), ("FileStorageMB", 20),
        ("HourlyAsyncReportRuns", 1_200), ("HourlySyncReportRuns", 500), ("HourlyTimeBasedWorkflow", 50),
        ("MassEmail", 10), ("PermissionSets", 1_500), ("SingleEmail", 15),
    ]

    func limits(_ call: RESTRouter.Call, _ usage: APIUsage) throws(OrgError) -> ServerResponse {
        try call.allow("GET")
        let requests = ("DailyApiRequests", usage.allowance, max(0, usage.allowance - usage.used))
        return .object { writer in
            for (name, most, left) in [requests] + Self.unused.map({ ($0, $1, $1) }) {
                writer.member(name) { writer in
                    writer.member("Max", most)
                    writer.member("Remaining", left)
                }
            }
        }
    }
}

/// The calls of the last 24 hours, as `Sforce-Limit-Info` shows them.
final class APIUsage: Sendable {
    /// The limit that is shown when none was configured; then no call is refused.
    static let shownAllowance = 15_000

    let allowance: Int
    private let isLimited: Bool
    private let clock: ServerClock
    private let calls = Mutex(RollingDay())

    init(limit: Int?, clock: ServerClock) {
        allowance = max(0, limit ?? Self.shownAllowance)
        isLimited = limit != nil
        self.clock = clock
    }

    var used: Int { calls.withLock { $0.count(at: clock.milliseconds) } }

    /// Counts a call, or refuses it beyond the limit.
    func take() throws(OrgError) {
        let now = clock.milliseconds
        let isTaken = calls.withLock { calls in
            guard !isLimited || calls.count(at: now) < allowance else { return false }
            calls.add(at: now)
            return true
        }
        guard isTaken else { throw .requestLimit }
    }
}

/// A count over 24 hours, kept by the hour.
struct RollingDay: Sendable {
    private static let hour: Int64 = 3_600_000
    private var counts: [Int64: Int] = [:]

    /// The calls of this hour and the 23 before it.
    mutating func count(at milliseconds: Int64) -> Int {
        let now = milliseconds / Self.hour
        if counts.keys.contains(where: { $0 <= now - 24 }) { counts = counts.filter { $0.key > now - 24 } }
        return counts.values.reduce(0, +)
    }

    mutating func add(at milliseconds: Int64) { counts[milliseconds / Self.hour, default: 0] += 1 }
}
