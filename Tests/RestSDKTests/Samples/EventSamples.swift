// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import Synchronization

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
