// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Synchronization
import Testing

/// The samples of the article on interceptors, word for word.
@Suite("The article on interceptors")
struct InterceptorSamples {
    // sample: docs/RestSDK.docc/Interceptors.md 1
    /// Adds up the time that each kind of request took.
    final class Durations: Interceptor {
        private let totals = Mutex<[String: Duration]>([:])

        var byName: [String: Duration] { totals.withLock { $0 } }

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            let start = ContinuousClock.now
            defer {
                let duration = ContinuousClock.now - start
                totals.withLock { $0[context.request.name, default: .zero] += duration }
            }
            return try await next(request)
        }
    }
    // end

    // sample: docs/RestSDK.docc/Interceptors.md 3
    struct BodySignature: Interceptor {
        let sign: @Sendable ([UInt8]) -> String  // for example an HMAC from your cryptography library

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            guard let body = request.body.inMemory else {
                throw RestError(.invalidRequest, "a file or a stream cannot be signed; send bytes")
            }
            var request = request
            let head = "\(request.method.rawValue)\n\(request.url.target)\n"
            request.fields["X-Signature"] = sign(Array(head.utf8) + body)
            return try await next(request)
        }
    }
    // end

    // sample: docs/RestSDK.docc/Interceptors.md 4
    /// Responds to equal reads for 30 seconds; a write empties the cache.
    final class RecentResponses: Interceptor {
        private typealias Entry = (response: HTTPResponse, end: ContinuousClock.Instant)

        private let entries = Mutex<[String: Entry]>([:])

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            guard request.method == .get else {
                defer { entries.withLock { $0.removeAll() } }
                return try await next(request)
            }
            let key = "\(context.request.service) \(request.url.target)"
            if let entry = entries.withLock({ $0[key] }), entry.end > .now { return entry.response }
            let response = try await next(request)
            if response.head.status == 200, !response.body.isEmpty {  // a download or a stream leaves it empty
                entries.withLock { entries in
                    if entries.count >= 100 { entries.removeAll() }
                    entries[key] = (response, .now + .seconds(30))
                }
            }
            return response
        }
    }
    // end

    // sample: docs/RestSDK.docc/Interceptors.md 5
    /// Responds with status 503 to the first requests.
    final class FailingFirst: Interceptor {
        private let left: Mutex<Int>

        init(_ count: Int) { left = Mutex(count) }

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            let fails = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return fails ? HTTPResponse(head: HTTPResponse.Head(status: 503)) : try await next(request)
        }
    }
    // end

    // sample: docs/RestSDK.docc/Interceptors.md 6
    @Test("two failures are retried")
    func retries() async throws {
        let transport = StubTransport()
        transport.enqueue(#"{"DailyApiRequests": {"Max": 15000, "Remaining": 14998}}"#)
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(interceptors: [FailingFirst(2)], transport: transport))

        let limits = try await client.send(.limits)

        #expect(limits.payload["DailyApiRequests"]?["Remaining"]?.int == 14_998)
        #expect(transport.requests.count == 1)
    }
    // end

    @Test("durations are added by the names of calls")
    func measuring() async throws {
        let org = try await LocalOrg.start()
        // sample: docs/RestSDK.docc/Interceptors.md 2
        let durations = Durations()
        let measured = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: RestClient.Configuration(interceptors: [durations]))
        _ = try await measured.send(.limits)
        print(durations.byName["limits"] ?? .zero)
        // end
        #expect(durations.byName["limits"] ?? .zero > .zero)
        await org.stop()
    }

    @Test("equal reads are sent once until something is written, and all requests that are sent are signed")
    func cachedAndSigned() async throws {
        let org = try await LocalOrg.start()
        let signature = BodySignature { String(decoding: $0.map { $0 == 10 ? 32 : $0 }, as: UTF8.self) }
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: RestClient.Configuration(interceptors: [RecentResponses(), signature]))
        for _ in 0..<3 { _ = try await client.send(.limits) }
        _ = try await client.send(.create("Account", ["Name": "Harbour"]))
        for _ in 0..<3 { _ = try await client.send(.limits) }
        let sent = org.journal.entries.filter { $0.oauth == nil }
        try #require(sent.map(\.method) == ["GET", "POST", "GET"])
        let limits = Journal.fingerprint(of: "GET /services/data/v66.0/limits ")
        #expect([sent[0], sent[2]].allSatisfy { $0.field("X-Signature") == limits })
        let name = Journal.fingerprint(of: "POST /services/data/v66.0/sobjects/Account {\"Name\":\"Harbour\"}")
        #expect(sent[1].field("X-Signature") == name)
        await org.stop()
    }

    @Test("a stream is not signed, and nothing is sent")
    func stream() async throws {
        let transport = StubTransport()
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(
                interceptors: [BodySignature { _ in "" }], transport: transport))
        var upload = RestRequest(method: .put, resource: .serverPath("/upload"))
        upload.body = .stream(.once { nil })
        let request = upload
        let error = await #expect(throws: RestError.self) { try await client.send(request) }
        #expect(error?.code == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }
}
