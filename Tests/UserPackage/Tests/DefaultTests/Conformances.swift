// SPDX-License-Identifier: Apache-2.0

import Dropbox
import Foundation
import RestCurl
import RestModels
import RestSDK
import StoneRuntime
import Synchronization

// A type for every public protocol of the SDK, with the requirements as the documentation shows them.

// MARK: - The pipeline

/// Signs each request, and adds the duration to the response.
struct Signing: Interceptor {
    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: Next
    ) async throws(RestError) -> HTTPResponse {
        var request = request
        request.fields["X-Signature"] = "\(context.number)"
        let began = ContinuousClock.now
        var response = try await next(request)
        response.head.fields["X-Took"] = "\(ContinuousClock.now - began)"
        return response
    }
}

/// A transport that rejects one path, and passes all other requests to another transport.
struct MyTransport: HTTPTransport {
    private let transport = CurlTransport()

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard request.url.path != "/closed" else {
            throw TransportError(.notConnected, "nobody is there", mayHaveReachedServer: false)
        }
        return try await transport.send(request, to: destination, deadline: deadline, progress: progress)
    }

    func shutdown() async { await transport.shutdown() }
}

/// A transport that responds with streams that it creates itself.
struct EchoTransport: HTTPTransport {
    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let head = HTTPResponse.Head(status: 200)
        let body = Array(request.url.path.utf8)
        guard case .stream = destination else { return HTTPResponse(head: head, body: body) }
        let left = Mutex([body])
        return HTTPResponse(head: head, content: .stream(HTTPBody.Stream(next: { left.withLock { $0.popLast() } })))
    }

    func shutdown() async {}
}

/// A clock that runs a thousand times faster.
struct FastClock: MonotonicClock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .milliseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await Task.sleep(for: (deadline - now) / 1_000)
    }
}

final class CountingSink: RestEvent.Sink {
    private let count = Mutex(0)

    func record(_ event: RestEvent) { count.withLock { $0 += 1 } }
}

/// A server error that wraps another error.
struct WrappedError: CompoundError {
    let inner: RestError
    var innerErrors: [any Error] { [inner] }
}

// MARK: - Delegates and endpoints

/// A screen that records its callbacks.
final class Screen: RestClientDelegate {
    private(set) var told: [String] = []

    func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
        told.append("loaded \(rawResponse.status)")
    }

    func request(_ request: RestRequest, didFailLoadWithError error: RestError) { told.append("failed \(error.code)") }
    func requestDidCancelLoad(_ request: RestRequest) { told.append("cancelled") }
    func requestDidTimeout(_ request: RestRequest) { told.append("timed out") }
    func request(_ request: RestRequest, didEndWith error: RestError) { told.append("ended") }
}

/// The number of records that a query matches.
struct RecordCount: Endpoint {
    enum RouteError: Error { case noSuchField }

    let query: SOQL

    var validators: [RestResponse.Validator] { [.status(200), .content] }
    func makeRequest() throws(RestError) -> RestRequest { .query(query) }
    func content(from response: RestResponse) throws -> Int { response.payload["totalSize"]?.int ?? 0 }
    func routeError(from error: RestError) -> RouteError? {
        error.faults.contains { $0.errorCode == .invalidField } ? .noSuchField : nil
    }
}

/// The API versions, decoded from JSON.
struct APIVersions: JSONEndpoint {
    struct Version: Decodable, Sendable { let version: String }
    typealias Content = [Version]

    func makeRequest() throws(RestError) -> RestRequest { .versions }
    func content(from root: [Version]) throws -> [Version] { root }
}

/// A paged endpoint with a single page.
struct OnePage: PagedEndpoint {
    func makeRequest() throws(RestError) -> RestRequest { RestRequest(resource: .data(["limits"])) }
    func content(from response: RestResponse) throws -> RestPayload { response.payload }
    func next(after content: RestPayload) throws(RestError) -> OnePage? { nil }
}

/// A request with its own reading function, which can be changed like any request.
struct AccountTotal: RequestEndpoint {
    var request = RestRequest.query("SELECT COUNT() FROM Account")

    func content(from response: RestResponse) throws -> Int { response.payload["totalSize"]?.int ?? 0 }
}

/// The error that a screen shows for a failed call.
enum ScreenFailure: RestClient.Failure {
    case login, other(String)

    init(_ error: RestError, own: (any Error)?) {
        self = error.code.needsLogin ? .login : .other(error.message)
    }
}

/// An endpoint whose calls throw the screen's own error.
struct ScreenTotal: Endpoint {
    typealias CallFailure = ScreenFailure

    func makeRequest() throws(RestError) -> RestRequest { .query("SELECT COUNT() FROM Account WHERE Nmae = 'x'") }
    func content(from response: RestResponse) throws -> Int { response.payload["totalSize"]?.int ?? 0 }
}

/// Stores the content of an endpoint.
final class CountScreen: EndpointDelegate {
    private(set) var count: Int?

    func endpoint(_ endpoint: RecordCount, didLoad content: Int) { count = content }
    func endpoint(_ endpoint: RecordCount, didFailWith error: CallError<RecordCount.RouteError>) { count = nil }
}

// MARK: - Logins

/// A presenter for a program that has its own browser.
struct KioskPresenter: LoginPresenter {
    let show: @Sendable (HTTPURL) async -> String

    func present(
        until deadline: ContinuousClock.Instant, begin: BeginLogin
    ) async throws(OAuthError) -> PendingLogin.Redirect {
        let login = try begin("com.example.kiosk:/done")
        return PendingLogin.Redirect(of: login, url: await show(login.url))
    }
}

/// A store that checks its arguments and uses another store.
struct CheckedStore: CredentialStore {
    private let store = InMemoryCredentialStore()

    func load(_ account: String) async throws(Credential.StoreError) -> Credential.Stored? {
        try await store.load(account)
    }

    func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(Credential.StoreError) -> UInt64 {
        guard !account.isEmpty else { throw Credential.StoreError(.notWritable, "the account has no name") }
        return try await store.save(credential, for: account, replacing: version, renewal: renewal)
    }

    func remove(_ account: String) async throws(Credential.StoreError) { try await store.remove(account) }

    func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(Credential.StoreError) -> Credential.Lock { try await store.lock(account, until: deadline) }

    func accounts() async throws(Credential.StoreError) -> [String] { try await store.accounts() }
    func note(_ name: String) async throws(Credential.StoreError) -> String? { try await store.note(name) }
    func setNote(_ name: String, _ value: String?) async throws(Credential.StoreError) {
        try await store.setNote(name, value)
    }
}

/// Exchanges a SAML assertion for a token (RFC 7522).
struct AssertionGrant: OAuthGrant {
    let assertion: Secret

    var parameters: [(name: String, value: Secret)] {
        get throws(OAuthError) {
            [("grant_type", "urn:ietf:params:oauth:grant-type:saml2-bearer"), ("assertion", assertion)]
        }
    }
}

/// Returns a credential that another program provides.
struct SharedGrant: Credential.Grant {
    let shared: Credential

    func credential(
        from client: OAuthClient, renewing previous: Credential?, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential { shared }

    var isAskedAgain: Bool { true }
}

/// Logins that an earlier version of the app stored.
struct OldLogins: TokenMigration.Source {
    let logins: [String: Credential]

    func accounts() async throws(TokenMigration.Failure) -> [String] { logins.keys.sorted() }

    func credential(of account: String) async throws(TokenMigration.Failure) -> Credential {
        guard let login = logins[account] else {
            throw TokenMigration.Failure(account: account, isTemporary: false, "there is no such login")
        }
        return login
    }
}

// MARK: - Values of fields

/// A sales stage, as it is written in a query.
enum SaleStage: String, SOQL.Bindable { case open = "Prospecting", won = "Closed Won" }

/// A color, as it is stored in a field.
struct Colour: FieldValue {
    let code: Int

    init?(field json: JSONValue) {
        guard let code = json.int else { return nil }
        self.code = code
    }

    var fieldJSON: JSONValue { JSONValue(code) }
}

struct Grade: Picklist {
    let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }

    static var listed: [Grade] { [Grade(rawValue: "A"), Grade(rawValue: "B")] }
}

struct AccountRow: SOQL.Row {
    let name: String
    let phone: String?

    init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
        name = try row["Name"]
        phone = try row["Phone"]
    }
}

/// An object without a model.
enum Warehouse: RecordObject {
    static let objectName = "Warehouse__c"
}

/// A handwritten model.
struct Mission: RecordModel {
    struct Fields: ModelFields {
        typealias Model = Mission

        let _path: ModelPath

        init(_path: ModelPath) { self._path = _path }

        var name: ModelField<String> { _path["Name"] }
    }

    static let shape = ModelShape("Mission__c", "Id id read\nName string")

    var record: ModelRecord

    init(record: ModelRecord) { self.record = record }
}

/// A custom selection of fields.
struct Names: ModelSelection {
    var soqlNames: [String] { ["Id", "Name"] }
}

/// A custom order.
struct LastFirst: ModelOrdering {
    let field: ModelField<String>
    var order: ModelOrder { field.descending }
}

// MARK: - Stone

/// A handwritten type of a spec.
struct Label: StoneType, StoneValidated {
    let text: String

    init(text: String) { self.text = text }

    init(from reader: StoneReader) throws(StoneFailure) {
        let slot = try reader.fields("text")
        text = try reader.string(slot)
    }

    func write(to writer: StoneWriter) { writer.string("text", text) }

    func check(_ checks: StoneChecks) throws(ValidationFailure) { try checks.string("text", text, 1, 80) }
}

/// A route style that the SDK does not send.
enum Chat: RouteStyle {
    static let name = "chat"
}

/// Calls the routes of an account.
struct Notebook: DropboxCaller {
    let routes: StoneClient
}

/// A custom client for a linked account.
struct PhotoClient: DropboxAccountClient {
    let routes: StoneClient

    init(routes: StoneClient) { self.routes = routes }
}
