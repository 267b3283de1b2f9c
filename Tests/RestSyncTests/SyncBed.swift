// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBulk
import RestJSON
import RestSync
import RestTesting
import RestTransport
import SOQLStore
import Synchronization
import Testing

/// An embedded org without sample records, its client, and copies of it.
struct SyncBed: Sendable {
    /// The objects of the copies.
    static let describe = Array(
        """
        [{"name":"Account","keyPrefix":"001","fields":[
          {"name":"Id","type":"id"},{"name":"IsDeleted","type":"boolean"},
          {"name":"Name","type":"string","length":255,"nillable":false,"nameField":true},
          {"name":"Phone","type":"phone","length":40},{"name":"Fax","type":"phone","length":40},
          {"name":"Description","type":"textarea"},{"name":"NumberOfEmployees","type":"int"},
          {"name":"AnnualRevenue","type":"currency","precision":18},
          {"name":"ExternalId__c","type":"string","length":255,"externalId":true,"unique":true},
          {"name":"AccountNumber","type":"string","length":40},
          {"name":"MasterRecordId","type":"reference","referenceTo":["Account"],"relationshipName":"MasterRecord"},
          {"name":"OwnerId","type":"reference","referenceTo":["User"],"relationshipName":"Owner"},
          {"name":"ParentId","type":"reference","referenceTo":["Account"],"relationshipName":"Parent"}],
         "childRelationships":[{"childSObject":"Contact","field":"AccountId","relationshipName":"Contacts"},
            {"childSObject":"Account","field":"ParentId","relationshipName":"ChildAccounts"}]},
        {"name":"Contact","keyPrefix":"003","fields":[
          {"name":"Id","type":"id"},{"name":"IsDeleted","type":"boolean"},
          {"name":"LastName","type":"string","length":80,"nillable":false},
          {"name":"Email","type":"email","length":80},
          {"name":"AccountId","type":"reference","referenceTo":["Account"],"relationshipName":"Account"},
          {"name":"ReportsToId","type":"reference","referenceTo":["Contact"],"relationshipName":"ReportsTo"}]},
        {"name":"User","keyPrefix":"005","fields":[
          {"name":"Id","type":"id"},{"name":"Name","type":"string","length":121}]}]
        """.utf8)

    let org: LocalOrg
    let client: RestClient
    let folder: TemporaryDirectory
    private let clock: OrgClock

    /// Runs a test with an org, and stops it.
    static func with(_ body: (SyncBed) async throws -> Void) async throws {
        let clock = OrgClock()
        var configuration = LocalOrgConfiguration()
        configuration.timeOfDay = { WireTime.milliseconds + clock.ahead.load(ordering: .relaxed) }
        let org = try await LocalOrg.start(configuration)
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let bed = SyncBed(org: org, client: client, folder: try TemporaryDirectory(), clock: clock)
        let outcome: Result<Void, any Error>
        do {
            try await bed.removeSamples()
            outcome = .success(try await body(bed))
        } catch { outcome = .failure(error) }
        client.shutdown()
        await org.stop()
        try outcome.get()
    }

    private func removeSamples() async throws {
        for object in ["Case", "Opportunity", "Contact", "Account"] {
            let ids = try await values("SELECT Id FROM \(raw: object)", "Id").compactMap(\.self)
            if !ids.isEmpty { _ = try await client.deleteAll(ids: ids).get() }
        }
        org.journal.clear()
    }

    /// Opens a copy.
    func copy(
        _ name: String = "copy", _ policy: SyncConflict.Policy = .ask, keys: [String: String] = [:], small: Bool = false
    ) async throws -> SyncStore {
        var options = SyncStore.Options()
        (options.policy, options.keyFields) = (policy, keys)
        if small { (options.pageSize, options.mostCompared) = (200, 100) }
        return try await SyncStore.open(
            folder.path(name), schema: SyncSchema(describe: Self.describe), options: options)
    }

    /// Opens a copy that is closed before it writes the second page of accounts.
    func copyEndingAfterOnePage(of size: Int = 200) async throws -> SyncStore {
        var options = SyncStore.Options()
        options.pageSize = size
        let copy = Mutex<SyncStore?>(nil)
        options.willWrite = {
            guard let store = copy.withLock(\.self), (try? store.count("SELECT COUNT() FROM Account")) == size
            else { return }
            store.close()
        }
        let store = try await SyncStore.open(
            folder.path("copy"), schema: SyncSchema(describe: Self.describe), options: options)
        copy.withLock { $0 = store }
        return store
    }

    /// Opens a copy that reads more than 300 records as a Bulk job.
    func exportingCopy() async throws -> SyncStore {
        var options = SyncStore.Options()
        (options.exportLimit, options.pageSize) = (300, 500)
        options.patience.firstInterval = .milliseconds(20)
        return try await SyncStore.open(
            folder.path("copy"), schema: SyncSchema(describe: Self.describe), options: options)
    }

    /// Opens a copy of all accounts and their contacts.
    func filledCopy(
        _ name: String = "copy", _ policy: SyncConflict.Policy = .ask, keys: [String: String] = [:]
    ) async throws -> SyncStore {
        let store = try await copy(name, policy, keys: keys)
        _ = try await store.pull(Self.all, with: client)
        return store
    }

    /// Returns a client that calls the closure before each request, which can send a response in place of the org.
    func client(
        hook: @escaping @Sendable (_ name: String) async throws -> HTTPResponse?
    ) throws -> RestClient {
        var configuration = RestClient.Configuration()
        configuration.interceptors = [Hook(body: hook)]
        configuration.retryPolicy = .never
        return try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: configuration)
    }

    private struct Hook: Interceptor {
        let body: @Sendable (String) async throws -> HTTPResponse?

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            let response: HTTPResponse?
            do { response = try await body(context.request.name) } catch {
                Issue.record("\(error)")
                response = nil
            }
            if let response { return response }
            return try await next(request)
        }
    }

    static let all: SOQL = """
        SELECT Id, Name, Phone, Fax, Description, NumberOfEmployees, ExternalId__c, AccountNumber, ParentId, \
        (SELECT LastName, Email, ReportsToId FROM Contacts) FROM Account
        """

    func create(_ type: String, _ fields: JSONObject) async throws -> String {
        let response = try await client.send(.create(type, fields))
        return response.payload["id"]?.string ?? ""
    }

    func update(_ type: String, _ id: String, _ fields: JSONObject) async throws {
        _ = try await client.send(.update(type, id: id, fields))
    }

    /// Changes a record a second later, so that its stamp changes too.
    func updateLater(_ type: String, _ id: String, _ fields: JSONObject) async throws {
        pass(seconds: 1)
        try await update(type, id, fields)
    }

    /// Moves the org's time of day on.
    func pass(seconds: Int64) { clock.ahead.wrappingAdd(seconds * 1_000, ordering: .relaxed) }

    /// The values of a field in the org.
    func values(_ query: SOQL, _ field: String = "Name") async throws -> [String?] {
        try await client.records(query).collect(limit: 10_000).map { $0[field]?.string }
    }
}

extension SyncStore {
    /// The values of a field in the copy.
    func values(_ query: SOQL, _ field: String = "Name") throws -> [String?] {
        try self.query(query).map { $0[field]?.string }
    }
}

/// Runs a closure at the first of several calls.
final class Once: Sendable {
    private let isDone = Mutex(false)

    func run(_ body: () async throws -> Void) async rethrows {
        let isFirst = isDone.withLock { isDone in
            defer { isDone = true }
            return !isDone
        }
        if isFirst { try await body() }
    }
}

/// The time of day of an org, which is ahead of the machine's.
private final class OrgClock: Sendable {
    /// The milliseconds by which it is ahead.
    let ahead = Atomic<Int64>(0)
}
