// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Synchronization
import Testing

@Suite("Observing calls")
struct ObservabilityTests {
    private final class Recorder: RestEvent.Sink {
        let events = Mutex<[RestEvent]>([])

        func record(_ event: RestEvent) {
            events.withLock { $0.append(event) }
        }
    }

    private let transport = StubTransport()
    private let clock = ManualClock()

    private func client(_ sink: any RestEvent.Sink) throws -> RestClient {
        try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "canary-token",
            configuration: RestClient.Configuration(eventSink: sink, transport: transport, clock: clock))
    }

    @Test("a call that needed a retry reports both attempts and one success")
    func retry() async throws {
        transport.enqueue(status: 502)
        transport.enqueue("{}")
        let recorder = Recorder()
        _ = try await client(recorder).send(.limits)
        let events = recorder.events.withLock { $0 }
        let waited = clock.sleeps[0]
        #expect(
            events.map(\.kind) == [
                .callStarted, .attemptStarted(number: 0),
                .attemptAnswered(number: 0, status: 502, size: 0, duration: .zero, requestID: nil),
                .retrying(after: .server, delay: waited), .attemptStarted(number: 1),
                .attemptAnswered(number: 1, status: 200, size: 2, duration: .zero, requestID: nil),
                .callSucceeded(duration: waited),
            ])
        #expect(events.allSatisfy { $0.call == 1 && $0.name == "limits" })
    }

    @Test("a failed call ends with its code; the next call has the next number")
    func failure() async throws {
        transport.enqueue(.failure(TransportError(.tls, "certificate has expired", mayHaveReachedServer: false)))
        let recorder = Recorder()
        let client = try client(recorder)
        await #expect(throws: RestError.self) { try await client.send(.limits) }
        await #expect(throws: RestError.self) { try await client.send(.query("")) }
        let events = recorder.events.withLock { $0 }
        #expect(events[3].kind == .callFailed(code: .tls, attempts: 1, duration: .zero))
        #expect(events.last?.call == 2)
        #expect(events.last?.kind == .callFailed(code: .invalidRequest, attempts: 0, duration: .zero))
    }

    @Test("lines of a log hold neither token nor query")
    func text() async throws {
        transport.enqueue("{}")
        let lines = Mutex<[String]>([])
        let sink = RestEvent.TextSink { line in lines.withLock { $0.append(line) } }
        _ = try await client(sink).send(.query("SELECT Id FROM Account WHERE Name = 'canary-name'"))
        let text = lines.withLock { $0.joined(separator: "\n") }
        #expect(text.contains("query #1 started"))
        #expect(!text.contains("canary"))
    }

    @Test(
        "a curl line shows the query of its URL without what is secret in it",
        arguments: [
            ("q=SELECT%20Id&x=1", "q=SELECT%20Id&x=1"),
            ("access_token=canary&x=1", "access_token=«redacted»&x=1"),
            ("a=1&Client%5fSecret=canary", "a=1&Client%5fSecret=«redacted»"),
            ("sid=00D%21canary", "sid=«redacted»"), ("code=canary=&&state", "code=«redacted»&&state"),
            ("%zz=canary", "%zz=«redacted»"), ("X-Goog-Signature=canary", "X-Goog-Signature=«redacted»"),
            ("apikey=canary&b=c", "apikey=«redacted»&b=c"),
            ("oauth_token=canary&sid=canary", "oauth_token=«redacted»&sid=«redacted»"),
        ])
    func curlQuery(query: String, shown: String) {
        let origin = Origin(scheme: .https, host: "example.com")
        let request = HTTPRequest(url: HTTPURL(origin: origin, path: "/secur/frontdoor.jsp", query: query))
        #expect(request.curlCommand == "curl --request GET 'https://example.com/secur/frontdoor.jsp?\(shown)'")
    }

    @Test("a curl line can be pasted and holds no secret")
    func curl() throws {
        let request = HTTPRequest(
            method: .post, url: try HTTPURL(parsing: "https://example.com/a?b=c"),
            fields: ["Authorization": "Bearer canary", "X-Note": "it's"], body: .bytes(Array("password=canary".utf8)))
        #expect(
            request.curlCommand
                == #"curl --request POST --header 'Authorization: «redacted»' --header 'X-Note: it'\''s' "#
                + "--data-binary @BODY 'https://example.com/a?b=c'")
    }
}
