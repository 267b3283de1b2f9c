// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTesting
import RestTransport
import Testing

@testable public import RestSDK

/// The README's sample, word for word, so that it compiles and runs.
@MainActor
func readmeSample() async throws {
    // sample: README.md 1
    let org = try await LocalOrg.start()
    let client = try RestClient(
        loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))

    let industry = "Banking"
    let query: SOQL = "SELECT Id, Name FROM Account WHERE Industry = \(industry)"  // bound, never pasted

    // async
    let response = try await client.send(.query(query))
    print(response.payload["records"]?[0]?["Name"]?.string ?? "none")

    // async sequence: every record, page after page, as fast as you read them
    for try await record in client.records(query) {
        print(record["Name"]?.string ?? "")
    }

    // typed rows; without a default isolation to the main actor, "nonisolated" changes nothing
    nonisolated struct Account: Decodable, Sendable {
        let Id: String
        let Name: String
    }
    for try await account in client.records(query, as: Account.self) {
        print(account.Name)
    }

    // trailing closure, called on your actor
    client.send(.query(query)) { result in
        print((try? result.get().payload["totalSize"]?.int) ?? 0)
    }

    // success and failure closures
    client.send(.query(query), success: { print($0.payload) }, failure: { print($0.message) })

    // delegate: exactly one of four callbacks
    final class Screen: RestClientDelegate {
        func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
            print(payload["totalSize"]?.int ?? 0)
        }
        func request(_ request: RestRequest, didFailLoadWithError error: RestError) {
            print(error)
        }
        func requestDidCancelLoad(_ request: RestRequest) {
            print("cancelled")
        }
        func requestDidTimeout(_ request: RestRequest) {
            print("timed out")
        }
    }
    let screen = Screen()
    _ = try await client.send(.query(query), delegate: screen).value
    // end
    await topLevel(client)
    await org.stop()
}

/// What catches errors outside of a function, too.
@MainActor
private func topLevel(_ client: RestClient) async {
    // sample: README.md 2
    do {
        let limits = try await client.send(.limits)
        print(limits.payload["DailyApiRequests"]?["Remaining"]?.int ?? 0)
    } catch {  // `error` is a RestError: no cast is needed
        print(error.code.rawValue, error.advice)
    }
    // end
}

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

// sample: docs/adding-a-request-family.md 1
extension RestRequest {
    /// Asks whether a user's password has expired; `isExpired` in the payload tells.
    ///
    /// The platform: REST API Developer Guide, "sObject User Password".
    ///
    /// - Parameter user: the user's id.
    /// - Returns: the request.
    public static func passwordState(of user: String) -> RestRequest {
        password("passwordState", .get, user)
    }

    /// Gives a user another password; the answer is empty.
    ///
    /// - Parameters:
    ///   - password: the password.
    ///   - user: the user's id.
    /// - Returns: the request.
    public static func setPassword(_ password: String, of user: String) -> RestRequest {
        var request = self.password("setPassword", .post, user).requiring(password, "password")
        request.body = .bytes(JSONValue(["NewPassword": JSONValue(password)]).bytes())
        request.fields = jsonContent
        request.effect = .writes(idempotent: true)  // the same password a second time changes nothing
        return request
    }

    private static func password(_ name: String, _ method: HTTPMethod, _ user: String) -> RestRequest {
        RestRequest(name: name, method: method, resource: .data(["sobjects", "User", user, "password"]))
            .requiringID(user, "user")
    }
}
// end

// sample: docs/adding-a-request-family.md 2
@Suite("Passwords of users")
struct PasswordTests {
    @Test("a password is looked at and changed")
    func life() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))

        let state = try await client.send(.passwordState(of: org.userID))
        let changed = try await client.send(.setPassword("a/b ?&#%2F", of: org.userID))
        let other = await #expect(throws: RestError.self) {
            try await client.send(.passwordState(of: "005000000000999AAA"))
        }

        #expect(state.payload["isExpired"]?.bool == false)
        #expect(changed.payload == .empty)
        #expect(other?.code == .notFound)
        await org.stop()
    }

    @Test("a blank argument is refused before anything is sent")
    func blank() async throws {
        let transport = StubTransport()
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(transport: transport))

        let error = await #expect(throws: RestError.self) {
            try await client.send(.setPassword(" ", of: "005000000000001AAA"))
        }

        #expect(error?.code == .invalidRequest && error?.outcome == .notApplied)
        #expect(transport.requests.isEmpty)
    }
}
// end
