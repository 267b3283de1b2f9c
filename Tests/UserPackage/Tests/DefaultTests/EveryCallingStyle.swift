// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Dropbox
import EmbeddedBox
import EmbeddedOrg
import Foundation
import RestBulk
import RestCSV
import RestModels
import RestSDK
import StoneRuntime
import Synchronization
import Testing

#if canImport(Combine) && canImport(Darwin)
import Combine
#endif

/// An embedded org, and a client that is logged in to it.
struct OrgStage {
    let org: LocalOrg
    let client: RestClient

    init() async throws {
        org = try await LocalOrg.start(LocalOrgConfiguration(records: 300))
        client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: RestClient.Configuration(interceptors: [Signing()], eventSink: CountingSink()))
    }
}

@Suite("Every calling style, with the settings of this target")
struct EveryCallingStyle {
    @Test("requests can be sent with async functions, typed, with closures and with delegates")
    func requests() async throws {
        let stage = try await OrgStage()
        let client = stage.client
        let query = RestRequest.query("SELECT Id, Name FROM Account LIMIT 5")

        let response = try await client.send(query)
        #expect(response.payload["records"]?.array?.count == 5 && response.head.fields["X-Took"] != nil)
        let page = try await client.send(query, as: [String: JSONValue].self)
        #expect(page["totalSize"] == 5)
        #expect(try await client.send(.limits).dailyAPIRequests != nil)
        #expect(try await client.send(.describe("Account").timeout(.seconds(30))).name == "Account")
        #expect(try await client.send(Batch([query])).get().count == 1)

        let queue = DispatchQueue(label: "calls")
        let counted = Mutex(0)
        _ = try await client.send(query, on: queue) { _ in counted.withLock { $0 += 1 } }.value
        _ = try await client.send(
            query, on: queue, success: { _ in counted.withLock { $0 += 1 } }, failure: { error in print(error) }
        ).value
        _ = try await client.send(query) { result in
            if case .success = result { counted.withLock { $0 += 1 } }
        }.value
        _ = try await client.send(query, success: { _ in counted.withLock { $0 += 1 } }, failure: { _ in }).value
        _ = try await client.send(.describe("Account"), on: queue) { _ in counted.withLock { $0 += 1 } }.value
        _ = try await client.send(query.as([String: JSONValue].self)) { _ in counted.withLock { $0 += 1 } }.value
        #expect(counted.withLock { $0 } == 6)
        await stage.org.stop()
    }

    @Test("delegates and closures are called on the main actor")
    @MainActor
    func delegates() async throws {
        let stage = try await OrgStage()
        let screen = Screen()
        _ = try await stage.client.send(.limits, delegate: screen).value
        #expect(screen.told == ["loaded 200"])

        let counts = CountScreen()
        let count = RecordCount(query: "SELECT COUNT() FROM Account")
        let number = try await stage.client.send(count, delegate: counts).value
        #expect(number > 0 && counts.count == number)

        var names: [String] = []
        _ = try await stage.client.send(.versions) { names.append($0.isSuccess ? "versions" : "none") }.value
        #expect(names == ["versions"])
        await stage.org.stop()
    }

    @Test("endpoints, their own errors and their pages work")
    func endpoints() async throws {
        let stage = try await OrgStage()
        #expect(try await stage.client.send(RecordCount(query: "SELECT COUNT() FROM Account")) > 0)
        #expect(try await stage.client.send(APIVersions()).isEmpty == false)
        do {
            _ = try await stage.client.send(RecordCount(query: "SELECT COUNT() FROM Account WHERE Nmae = 'x'"))
            Issue.record("the field is unknown")
        } catch .route(.noSuchField, let error) {
            #expect(error.code == .api)
        } catch {
            Issue.record("\(error)")
        }
        #expect(try await stage.client.send(AccountTotal().timeout(.seconds(30))) > 0)
        do {
            _ = try await stage.client.send(ScreenTotal())
            Issue.record("the field is unknown")
        } catch {
            if case .login = error { Issue.record("the login is good") }
        }
        var pages = 0
        for try await page in stage.client.pages(of: OnePage()) where page["DailyApiRequests"] != nil { pages += 1 }
        #expect(pages == 1)
        await stage.org.stop()
    }

    @Test("records, pages, rows, models and checked queries can be read as sequences")
    func sequences() async throws {
        let stage = try await OrgStage()
        let client = stage.client
        let query: SOQL = "SELECT Id, Name, Phone FROM Account LIMIT 250"
        var counts = [0, 0, 0, 0, 0]
        for try await record in client.records(query, batchSize: 200) where record.id != nil { counts[0] += 1 }
        for try await page in client.pages(query, batchSize: 200) { counts[1] += page.records.count }
        for try await row in client.records(query, as: AccountRow.self) where !row.name.isEmpty { counts[2] += 1 }
        for try await account in client.query(Account.self, limit: 20) where account.id != nil { counts[3] += 1 }
        for try await row in client.bankAccounts(industry: .banking, most: 3) where !row.name.isEmpty { counts[4] += 1 }
        #expect(counts == [250, 250, 250, 20, 3])
        await stage.org.stop()
    }

    @Test("bulk jobs read rows, export to a file and load records")
    func bulk() async throws {
        let stage = try await OrgStage()
        let folder = FileManager.default.temporaryDirectory.appending(path: "user-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let query = stage.client.bulk.query("SELECT Id, Name FROM Account")
        var rows = 0
        for try await row in query.rows where row["Id"] != nil { rows += 1 }
        let told = Mutex(0)
        let export = try await query.export(to: "\(folder)/a.csv") { progress in told.withLock { $0 = progress.rows } }
        #expect(export.rows == rows && told.withLock { $0 } == rows)
        let document = try CSVDocument(parsing: String(contentsOfFile: "\(folder)/a.csv", encoding: .utf8))
        #expect(document.rows.count == rows)

        let load = stage.client.bulk.ingest(
            .insert, into: "Account", from: .values([Branch(Name: "One"), Branch(Name: "Two")]),
            journal: "\(folder)/load")
        #expect(try await load.run { _ in told.withLock { $0 = -1 } }.failed == 0)
        #expect(told.withLock { $0 } == -1)
        await stage.org.stop()
    }

    @Test("Dropbox calls work with values, closures, pages and transfers")
    @MainActor
    func dropbox() async throws {
        let box = try await LocalBox.start()
        let hosts = DropboxHosts(all: try Origin(parsing: box.origin))
        let client = DropboxClient(accessToken: Secret(box.accessToken), app: DropboxApp(hosts: hosts))
        let file = try await client.upload(.bytes(Array("plan".utf8)), to: "/plan.txt").value
        #expect(file.size == 4)
        var told: [String] = []
        _ = try await client.files.getMetadata(path: "/plan.txt").response { result in
            told.append((try? result.get().name) ?? "")
        }.value
        let onQueue = Mutex("")
        _ = try await client.files.getMetadata(path: "/plan.txt").response(on: DispatchQueue(label: "box")) { result in
            onQueue.withLock { $0 = (try? result.get().name) ?? "" }
        }.value
        #expect(told == ["plan.txt"] && onQueue.withLock { $0 } == "plan.txt")
        var names: [String] = []
        for try await entry in client.files.listFolder(path: "").elements { names.append(entry.name) }
        #expect(names == ["plan.txt"])

        let path = FileManager.default.temporaryDirectory.appending(path: "user-\(UUID().uuidString).txt").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (updates, finished) = AsyncStream.makeStream(of: Bool.self)
        client.download("/plan.txt", to: path).response(progress: { _ in told.append("progress") }) { result in
            if case .failure(let error) = result { Issue.record("\(error)") }
            finished.yield(true)
            finished.finish()
        }
        for await isDone in updates { #expect(isDone) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "plan" && told.contains("progress"))
        await box.stop()
    }

    #if canImport(Combine) && canImport(Darwin)
    @Test("publishers deliver the results")
    @MainActor
    func publishers() async throws {
        let stage = try await OrgStage()
        for try await limits in stage.client.publisher(for: .limits).values { #expect(limits.dailyAPIRequests != nil) }
        let versions = stage.client.publisher(for: APIVersions()).map(\.count)
        for try await count in versions.values { #expect(count > 0) }
        await stage.org.stop()
    }
    #endif
}

nonisolated struct Branch: Encodable, Sendable {
    let Name: String
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
