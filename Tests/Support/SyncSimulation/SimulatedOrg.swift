// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase
import RestJSON
import RestModels
import RestTransport
import SOQLStore
import Synchronization

/// An embedded org on a virtual clock, which clients reach in memory.
///
/// One org serves many schedules, one after another. Each schedule has its own records.
package final class SimulatedOrg: Sendable {
    /// The maximum number of copies of a schedule.
    static let mostCopies = 5
    /// The fields that only one writer changes: those of the copies, and that of the org's users.
    static let ownFields = (0...mostCopies).map { "Own\($0)__c" }
    /// The field that all writers change.
    static let shared = "NumberOfEmployees"
    /// The fields of all writers, which are equal everywhere at the end.
    static let compared = ["Id", "Name", "ParentId", shared] + ownFields

    private final class Clock: Sendable {
        let milliseconds = Atomic(WireTime.milliseconds / 1_000 * 1_000)
    }

    let org: LocalOrg
    let networks: [SimulatedNetwork]
    /// The clients of the copies, and at the end that of the org's users.
    let clients: [RestClient]
    private let clock: Clock
    private let token = Mutex<String?>(nil)

    /// Starts an org, to which clients log in.
    package init() async throws {
        let clock = Clock()
        var configuration = LocalOrgConfiguration()
        configuration.schema = try OrgSchema(describe: Self.describe(isStandard: false))
        configuration.timeOfDay = { clock.milliseconds.load(ordering: .relaxed) }
        configuration.journalCapacity = 0
        let org = try await LocalOrg.start(configuration)
        (self.org, self.clock) = (org, clock)
        networks = (0...Self.mostCopies).map { _ in SimulatedNetwork() }
        clients = try networks.map { network in
            try RestClient(
                loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
                configuration: RestClient.Configuration(retryPolicy: .never, transport: network))
        }
    }

    package func stop() async {
        for client in clients { client.shutdown() }
        await org.stop()
    }

    /// The org's time, in milliseconds since 1970.
    var time: Int64 { clock.milliseconds.load(ordering: .relaxed) }

    func advance(by milliseconds: Int) { clock.milliseconds.add(Int64(milliseconds), ordering: .relaxed) }

    /// Lets the org handle a request, on a clock that differs by `skew` seconds from that of its records.
    func respond(to request: HTTPRequest, skew: Int = 0) -> HTTPResponse {
        var response = org.respond(
            request.method.rawValue, request.url.target, fields: request.fields, body: request.body.inMemory ?? [])
        let date = HTTPDate(secondsSince1970: time / 1_000 + Int64(skew))
        response.head.fields.append("Date", date.text ?? "")
        return response
    }

    /// Returns the records of a run, as the org has them.
    func records(of run: String) throws -> [JSONObject] {
        let fields = (Self.compared + ["SystemModstamp"]).joined(separator: ",")
        let query = "SELECT \(fields) FROM Account WHERE Run__c = '\(run)' ORDER BY Name"
        let target = "/services/data/v66.0/query?q=\(PercentEncoding.queryComponent(query))"
        while true {
            let known = token.withLock { token in
                token = token ?? org.issueCredential().accessToken
                return token ?? ""
            }
            let response = org.respond("GET", target, fields: ["Authorization": "Bearer \(known)"])
            if response.head.status == 401 {
                token.withLock { $0 = nil }
                continue
            }
            let page = try JSONValue(parsing: response.body)
            return (page["records"]?.array ?? []).compactMap(\.object)
        }
    }

    /// The description of accounts with the fields of a schedule, for the org or complete for a copy.
    static func describe(isStandard: Bool) -> [UInt8] {
        let standard = """
            {"name":"Id","type":"id"},{"name":"IsDeleted","type":"boolean"},
            {"name":"Name","type":"string","length":255,"nillable":false,"nameField":true},
            {"name":"NumberOfEmployees","type":"int"},
            {"name":"ExternalId__c","type":"string","length":80,"externalId":true,"unique":true},
            {"name":"MasterRecordId","type":"reference","referenceTo":["Account"],"relationshipName":"MasterRecord"},
            {"name":"ParentId","type":"reference","referenceTo":["Account"],"relationshipName":"Parent"},
            """
        let own = (ownFields + ["Key__c"]).map { #"{"name":"\#($0)","type":"string","length":40}"# }
        return Array(
            """
            [{"name":"Account","keyPrefix":"001","fields":[\(isStandard ? standard : "")
              {"name":"Run__c","type":"string","length":20,"externalId":true},\(own.joined(separator: ","))]}]
            """.utf8)
    }
}

/// The network of one client, which a schedule controls.
final class SimulatedNetwork: HTTPTransport {
    typealias Handler = @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse

    private let handler = Mutex<Handler?>(nil)

    func use(_ handler: Handler?) { self.handler.withLock { $0 = handler } }

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard let handler = handler.withLock({ $0 }) else {
            throw TransportError(.shutDown, "no schedule runs", mayHaveReachedServer: false)
        }
        return try await handler(request)
    }

    func shutdown() async {}
}
