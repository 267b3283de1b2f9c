// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK

/// The samples of several articles, word for word; all of them run.
@MainActor
enum ArticleSamples {
    static func run() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        try await queries(client)
        try await search(client)
        try await errors(client)
        try await endpoint(client)
        try await limits(client)
        try await embedded()
        await org.stop()
    }

    private static func queries(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/CallingStyles.md 1
        let name = "D'Arcy"
        let query: SOQL = "SELECT Id, Name, (SELECT LastName FROM Contacts) FROM Account WHERE Name = \(name)"
        // end

        // sample: docs/RestSDK.docc/CallingStyles.md 2
        let begins: SOQL = "SELECT Id FROM Account WHERE Name LIKE \(like: name, suffix: .anyRun)"
        // end
        _ = begins

        // sample: docs/RestSDK.docc/CallingStyles.md 3
        var records = client.records(query).makeAsyncIterator()
        print("\(try await records.totalSize()) records")
        while let record = try await records.next() {
            print(record["Name"]?.string ?? "", record["Contacts"]?["records"]?.array?.count ?? 0)
        }

        // an array, or an error if there are more
        let accounts = try await client.records(query).collect(limit: 500)
        // end
        print(accounts.count)

        // sample: docs/RestSDK.docc/CallingStyles.md 5
        var position: QueryPage.Position?
        do {
            for try await account in client.records(query) { print(account.id ?? "") }
        } catch {
            position = error.queryPosition
        }
        if let position {
            for try await account in client.records(from: position) { print(account.id ?? "") }
        }
        // end
    }

    private static func search(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/CallingStyles.md 4
        let text = "Trust & Savings (2)"
        let found = try await client.search(
            "FIND {\(text)} RETURNING Account(Id, Name WHERE Industry = \("Banking")), Contact(Id, Name)")
        for record in found { print(record.type ?? "", record["Name"]?.string ?? "") }

        // a plain text of any length, without a grammar
        var plain = ParameterizedSearch(text, in: .name)
        plain.objects = [.init("Account", fields: ["Id", "Name"], limit: 10)]
        print(try await client.search(plain).count)
        // end
    }

    private static func errors(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Errors.md 1
        do {
            _ = try await client.send(.query("SELECT Nmae FROM Account"))
        } catch {
            if error.faults.contains(where: { $0.errorCode == .invalidField }) {
                print("no such field: \(error.message)")
            } else {
                print(error, error.advice)
            }
        }
        // end

        // sample: docs/RestSDK.docc/Errors.md 4
        struct Locked: Decodable, Error {
            let reason: String
        }

        do {
            let limits = try await client.send(.limits, as: [String: JSONValue].self, errors: Locked.self)
            print(limits.count)
        } catch .route(let locked, let error) {
            print(locked.reason, error.requestID ?? "")
        } catch {
            print(error)
        }
        // end

        // sample: docs/RestSDK.docc/Errors.md 5
        let registration = client.onError(of: RestError.self) { error, call in
            error.code == .rateLimited ? .retry(after: error.retryAfter ?? .seconds(5)) : .propagate
        }
        // later, when the handler is not needed any more
        registration.remove()
        // end
    }

    private static func endpoint(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/WritingAnEndpoint.md 1
        struct AccountName: JSONEndpoint {
            struct Root: Decodable { let Name: String? }
            typealias Content = String
            enum RouteError: Error { case noSuchAccount, nameless }

            let id: String

            func makeRequest() throws(RestError) -> RestRequest { .retrieve("Account", id: id, fields: ["Name"]) }
            func content(from root: Root) throws -> String {
                guard let name = root.Name else { throw RouteError.nameless }
                return name
            }
            func routeError(from error: RestError) -> RouteError? { error.code == .notFound ? .noSuchAccount : nil }
        }

        let name = try await client.content(of: AccountName(id: "001bZ0000000001QAA"))
        // end
        print(name)
    }

    private static func limits(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/CancellationAndTimeouts.md 1
        var configuration = RestClient.Configuration(timeout: .seconds(120))
        configuration.transportLimits.connectTimeout = .seconds(5)
        configuration.transportLimits.idleTimeout = .seconds(20)
        configuration.transportLimits.maximumResponseSize = 16 * 1024 * 1024
        configuration.transportLimits.maximumConnectionsPerHost = 8

        // one call with times of its own: in all, and each time it is sent
        var request = RestRequest.query("SELECT Id FROM Account").timeout(.seconds(300))
        request.retryPolicy = RetryPolicy()
        request.retryPolicy?.attemptTimeout = .seconds(60)
        // end
        _ = try await client.send(request)
        print(configuration.transportLimits)
    }

    private static func embedded() async throws {
        // sample: docs/EmbeddedOrg.docc/EmbeddedOrg.md 1
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        // end
        _ = try await client.send(.limits)
        await org.stop()
    }
}
