// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestTesting
import RestTransport
import Testing

@testable import RestSDK

extension RestClient {
    /// Creates a client with an access token and a transport that simulates the org.
    static func of(
        _ transport: any HTTPTransport, retryPolicy: RetryPolicy = RetryPolicy(), interceptors: [any Interceptor] = [],
        clock: any MonotonicClock = ContinuousClock(), _ change: (inout RestClient.Configuration) -> Void = { _ in }
    ) throws -> RestClient {
        var configuration = RestClient.Configuration(
            retryPolicy: retryPolicy, interceptors: interceptors, transport: transport, clock: clock)
        change(&configuration)
        return try of(configuration)
    }

    static func of(_ configuration: RestClient.Configuration) throws -> RestClient {
        try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token", configuration: configuration)
    }

    /// Creates a client that must log in first, with the same server for logins and requests.
    static func loggingIn(_ configuration: RestClient.Configuration) throws -> RestClient {
        try RestClient(
            loginURL: "https://example.my.salesforce.com", clientID: "id", clientSecret: "secret",
            configuration: configuration)
    }
}

/// Runs `body` with a new org and a client that logs in there on its first request.
func withClient(
    _ configuration: LocalOrgConfiguration = LocalOrgConfiguration(),
    _ body: (RestClient, LocalOrg) async throws -> Void
) async throws {
    let org = try await LocalOrg.start(configuration)
    let client = try RestClient(
        loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
    do {
        try await body(client, org)
    } catch {
        await org.stop()
        throw error
    }
    await org.stop()
}

@discardableResult
func expectFailure<Value>(
    _ code: RestError.Code, outcome: RestError.WriteOutcome?? = .none, isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation, _ work: () async throws -> Value
) async -> RestError? {
    let error = await #expect(throws: RestError.self, sourceLocation: sourceLocation) { try await work() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    if let outcome { #expect(error?.outcome == outcome, sourceLocation: sourceLocation) }
    return error
}

/// An interceptor defined by a closure.
struct Intercepting: Interceptor {
    let body: @Sendable (HTTPRequest, Next) async throws(RestError) -> HTTPResponse

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: Next
    ) async throws(RestError) -> HTTPResponse {
        try await body(request, next)
    }
}

extension RequestBuilder {
    /// Returns the request with its URL at an instance, without a token.
    func request(for request: RestRequest, instance: Origin) throws(RestError) -> HTTPRequest {
        try self.request(for: request).addressed(to: instance, of: request)
    }
}

extension JournalEntry {
    func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A transport that reads request bodies completely, and passes them as bytes to a stub, which responds.
struct ReadingTransport: HTTPTransport {
    let stub = StubTransport()
    /// Called after a body was read, with the number of earlier requests.
    var onRequest: @Sendable (Int) -> Void = { _ in }

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        var read = request
        let bytes = try await bytes(of: request.body)
        if request.body != .empty { read.body = .bytes(bytes) }
        onRequest(stub.requests.count)
        return try await stub.send(read, deadline: deadline, progress: progress)
    }

    func shutdown() async {}

    private func bytes(of body: HTTPBody) async throws(TransportError) -> [UInt8] {
        do {
            var content: [UInt8] = []
            switch body {
            case .empty: break
            case .bytes(let bytes): content = bytes
            case .file(let file):
                let source = try FileSource(file)
                while let chunk = try source.next() { content += chunk }
            case .stream(let source):
                let chunks = try source.begin()
                while let chunk = try await chunks() { content += chunk }
            }
            return content
        } catch {
            throw .bodySource(error, mayHaveReachedServer: false)
        }
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
