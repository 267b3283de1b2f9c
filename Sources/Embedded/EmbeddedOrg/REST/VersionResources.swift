// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport
import SOQLStore
import Synchronization

/// `/services/data`, `/services/data/vXX.0` and `/limits`.
struct VersionResources: Sendable {
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
    /// The resources that old versions do not have.
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

    /// The limits of a developer org that the org does not count.
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
        let requests = ("DailyApiRequests", APIUsage.allowance, max(0, APIUsage.allowance - usage.used))
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

/// The number of calls since the org started, for `Sforce-Limit-Info` with the daily allowance.
final class APIUsage: Sendable {
    static let allowance = 15_000

    private let calls = Atomic<Int>(0)

    var used: Int { calls.load(ordering: .relaxed) }

    func count() { calls.add(1, ordering: .relaxed) }
}
