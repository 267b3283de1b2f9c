// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestCurl
import RestSDK
import RestTesting
import RestTransport
import Synchronization
import Testing

#if canImport(os)
import os
#endif

/// The samples of the article on events, word for word; all of them run where they can.
enum EventSamples {
    static func run() async throws {
        let org = try await LocalOrg.start()
        var configuration = lines()
        #if canImport(os)
        configuration = systemLog(configuration)
        #endif
        let sinks: [any RestEvent.Sink] = [
            CallMetrics(counters: Counters()), SwiftLogSink(logger: Logger(label: "rest")),
        ]
        for sink in sinks {
            configuration.eventSink = sink
            let client = try RestClient(
                loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
                configuration: configuration)
            _ = try await client.send(.limits)
        }
        try await loop(org)
        try await traces(org)
        await org.stop()
    }

    private static func traces(_ org: LocalOrg) async throws {
        // sample: docs/RestSDK.docc/Events.md 6
        var configuration = RestClient.Configuration()
        configuration.tracesCalls = true

        var request = RestRequest.limits
        request.trace = RestRequest.TraceContext(parent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        // end
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: configuration)
        _ = try await client.send(request)
    }

    private static func lines() -> RestClient.Configuration {
        // sample: docs/RestSDK.docc/Events.md 1
        var configuration = RestClient.Configuration(name: "crm")
        configuration.eventSink = RestEvent.TextSink { line in print(line) }
        // end
        return configuration
    }

    #if canImport(os)
    private static func systemLog(_ configuration: RestClient.Configuration) -> RestClient.Configuration {
        var configuration = configuration
        // sample: docs/RestSDK.docc/Events.md 4
        configuration.eventSink = RestEvent.LoggerSink(os.Logger(subsystem: "com.example.app", category: "rest"))
        // end
        return configuration
    }
    #endif

    private static func loop(_ org: LocalOrg) async throws {
        let (loginURL, clientID, clientSecret) = (org.instanceURL, org.clientID, Secret(org.clientSecret))
        // sample: docs/RestSDK.docc/Events.md 5
        let stream = RestEvent.Stream()
        let client = try RestClient(
            loginURL: loginURL, clientID: clientID, clientSecret: clientSecret,
            configuration: RestClient.Configuration(name: "crm", eventSink: stream))
        let slowest = Task {
            var slowest: Duration = .zero
            for await event in stream.events {
                if case .callSucceeded(let duration) = event.kind { slowest = max(slowest, duration) }
                if event.name == "versions" { break }
            }
            return slowest
        }
        // end
        _ = try await client.send(.limits)
        _ = try await client.send(.versions)
        print(await slowest.value)
    }

    /// Stands for the app's own metrics.
    final class Counters: Sendable {
        private let values = Mutex<[String: Double]>([:])

        func add(_ name: String, _ labels: String..., value: Double = 1) {
            values.withLock { $0[([name] + labels).joined(separator: " "), default: 0] += value }
        }
    }

    // sample: docs/RestSDK.docc/Events.md 2
    struct CallMetrics: RestEvent.Sink {
        let counters: Counters  // your metrics

        func record(_ event: RestEvent) {
            switch event.kind {
            case .callSucceeded(let duration):
                counters.add("rest_seconds", event.client, event.name, "ok", value: duration / .seconds(1))
            case .callFailed(let code, _, let duration):
                counters.add("rest_seconds", event.client, event.name, code.rawValue, value: duration / .seconds(1))
            case .retrying(let code, let delay):
                counters.add("rest_waited_seconds", event.client, code.rawValue, value: delay / .seconds(1))
            case .waitedForLimits(let duration):
                counters.add("rest_waited_seconds", event.client, "limits", value: duration / .seconds(1))
            case .tokenReceived(let isRenewal, _):
                counters.add("rest_tokens", event.client, isRenewal ? "renewal" : "first")
            case .tokenFailed:
                counters.add("rest_tokens", event.client, "failed")
            default: break
            }
        }
    }
    // end

    // sample: docs/RestSDK.docc/Events.md 3
    struct SwiftLogSink: RestEvent.Sink {
        let logger: Logger

        func record(_ event: RestEvent) {
            var metadata: Logger.Metadata = [
                "client": "\(event.client)", "call": "\(event.call)", "service": "\(event.service)",
                "path": "\(event.path)",
            ]
            if case .attemptAnswered(_, _, _, _, let id?) = event.kind { metadata["request-id"] = "\(id)" }
            let level: Logger.Level = if case .callFailed = event.kind { .error } else { .debug }
            logger.log(level: level, "\(event.name) \(event.kind)", metadata: metadata)
        }
    }
    // end
}

extension EventSamples {
    /// What the sample needs of swift-log's logger, in the same shape.
    struct Logger: Sendable {
        enum Level: Sendable { case debug, error }
        typealias Metadata = [String: String]

        let label: String

        func log(level: Level, _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata? = nil) {
            print(label, level, message(), metadata() ?? [:])
        }
    }
}

/// The samples of the article on connections, word for word; they run against an org on this machine, which no proxy
/// serves.
@MainActor
enum ConnectionSamples {
    static func run() async throws {
        let org = try await LocalOrg.start()
        try await samples(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret), password: "p")
        await org.stop()
    }

    private static func samples(
        loginURL: String, clientID: String, clientSecret: Secret, password: String
    ) async throws {
        // sample: docs/RestSDK.docc/ConnectionsAndTrust.md 1
        var curl = CurlConfiguration()
        curl.tls.authoritiesFile = "/etc/example/authorities.pem"
        let transport = CurlTransport(configuration: curl)
        let client = try RestClient(
            loginURL: loginURL, clientID: clientID, clientSecret: clientSecret,
            configuration: RestClient.Configuration(transport: transport))
        // end
        _ = try await client.send(.limits)

        // sample: docs/RestSDK.docc/ConnectionsAndTrust.md 2
        curl.tls.minimumVersion = .tls13
        curl.tls.pinnedKeyDigests = [
            "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=", "Wec45nQiFwKvHtuHxSAMGkt19k+uPSw9JlEkxhvYPHk=",
        ]
        // end

        // sample: docs/RestSDK.docc/ConnectionsAndTrust.md 3
        curl.tls.clientCertificateFile = "/etc/example/client.pem"
        curl.tls.clientKeyFile = "/etc/example/client.key"
        // end

        // sample: docs/RestSDK.docc/ConnectionsAndTrust.md 4
        // directly, whatever the environment says
        curl.proxy = .none

        // through one, except for these hosts and those below them
        curl.proxy = .server(
            try HTTPURL(parsing: "https://proxy.example.com:3128/"), except: ["internal.example.com"],
            login: .init(user: "robot", password: password))
        // end

        // sample: docs/RestSDK.docc/ConnectionsAndTrust.md 5
        curl.connectTimeout = .seconds(5)  // name, connection and TLS
        curl.firstByteTimeout = .seconds(30)  // from sending the request to the end of the answer's header
        curl.idleTimeout = .seconds(20)  // silence within a body
        curl.maximumConnectionsPerHost = 8
        curl.maximumConnections = 64
        curl.maximumBodyBytes = 16 * 1024 * 1024  // after decompression
        curl.maximumHeaderBytes = 32 * 1024
        curl.maximumDecompressionRatio = 100
        // end

        // sample: docs/RestSDK.docc/ConnectionsAndTrust.md 6
        curl.collectsMetrics = true
        let metered = try RestClient(
            loginURL: loginURL, clientID: clientID, clientSecret: clientSecret,
            configuration: RestClient.Configuration(transport: CurlTransport(configuration: curl)))
        // end
        _ = try await metered.send(.limits)
    }
}

/// The samples of the article on transports, word for word.
@Suite("The article on transports", .timeLimit(.minutes(3)))
struct TransportSamples {
    // sample: docs/RestSDK.docc/WritingATransport.md 1
    struct SigningTransport: HTTPTransport {
        let inner: any HTTPTransport
        let sign: @Sendable (HTTPRequest) -> String

        func send(
            _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            try await inner.send(signed(request), deadline: deadline, progress: progress)
        }

        func stream(
            _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse.Stream {
            try await inner.stream(signed(request), deadline: deadline, progress: progress)
        }

        func download(
            _ request: HTTPRequest, to target: HTTPResponse.Download, deadline: ContinuousClock.Instant,
            progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            try await inner.download(signed(request), to: target, deadline: deadline, progress: progress)
        }

        func shutdown() async { await inner.shutdown() }

        private func signed(_ request: HTTPRequest) -> HTTPRequest {
            var request = request
            request.fields["X-Signature"] = sign(request)
            return request
        }
    }
    // end

    // sample: docs/RestSDK.docc/WritingATransport.md 3
    /// Responds from memory, by path.
    struct DemoTransport: HTTPTransport {
        let bodies: [String: String]

        func send(
            _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            try request.validate()
            guard !Task.isCancelled else {
                throw TransportError(.cancelled, "the task was cancelled", mayHaveReachedServer: false)
            }
            guard let body = bodies[request.url.path] else {
                throw .invalidRequest("the demo has no response for \(request.url.path)")
            }
            let size = Int64(body.utf8.count)
            progress?(TransferProgress(received: size, receivedTotal: size))
            return HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array(body.utf8))
        }

        func shutdown() async {}
    }
    // end

    // sample: docs/RestSDK.docc/WritingATransport.md 4
    @Test(arguments: TransportConformance.cases)
    func signingConforms(to testCase: TransportConformance.Case) async throws {
        let inner = PlatformTransport.make(RestClient.TransportLimits())
        let transport = SigningTransport(inner: inner) { "\($0.method.rawValue) \($0.url)" }
        try await testCase.run(on: transport)
        await transport.shutdown()
    }
    // end

    @Test("every request is signed with its server and token, logins too")
    func signing() async throws {
        let org = try await LocalOrg.start()
        // sample: docs/RestSDK.docc/WritingATransport.md 2
        let signing = SigningTransport(inner: PlatformTransport.make(RestClient.TransportLimits())) { request in
            "\(request.url.origin) \(request.fields["Authorization"] ?? "no token")"  // sign this text
        }
        let signed = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: RestClient.Configuration(transport: signing))
        _ = try await signed.send(.limits)
        await signing.shutdown()
        // end
        let signatures = org.journal.entries.map { $0.field("X-Signature") }
        try #require(signatures.count == 2)
        #expect(signatures[0] == Journal.fingerprint(of: "\(org.instanceURL) no token"))
        #expect(signatures[1] != nil && signatures[1] != signatures[0])
        await org.stop()
    }

    @Test("the demo responds from memory, and rejects what it does not have")
    func demo() async throws {
        let path = "/services/data/v66.0/limits"
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(
                transport: DemoTransport(bodies: [path: #"{"DailyApiRequests": {"Remaining": 5}}"#])))
        let limits = try await client.send(.limits)
        #expect(limits.payload["DailyApiRequests"]?["Remaining"]?.int == 5)
        let error = await #expect(throws: RestError.self) { try await client.send(.create("Account", [:])) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.outcome == .notApplied)
    }
}
