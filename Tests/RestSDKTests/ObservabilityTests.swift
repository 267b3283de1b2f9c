// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Simulation
import Synchronization
import Testing

@testable import RestSDK

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
        _ = try await client(recorder).send(.plainLimits)
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

    @Test("a failed call ends with its error code, and calls are numbered in order")
    func failure() async throws {
        transport.enqueue(.failure(TransportError(.tls, "certificate has expired", mayHaveReachedServer: false)))
        let recorder = Recorder()
        let client = try client(recorder)
        await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        await #expect(throws: RestError.self) { try await client.send(.query("")) }
        let events = recorder.events.withLock { $0 }
        #expect(events[3].kind == .callFailed(code: .tls, attempts: 1, duration: .zero))
        #expect(events.last?.call == 2)
        #expect(events.last?.kind == .callFailed(code: .invalidRequest, attempts: 0, duration: .zero))
    }

    @Test("log lines contain neither tokens nor queries")
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
        "a curl line shows the query of the URL without its secrets",
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

    @Test("a curl line can be pasted into a shell and contains no secret")
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

@Suite("Descriptions of responses and parts")
struct PrintingTests {
    private let transport = StubTransport()

    private func client() throws -> RestClient { try .of(transport) }

    private func texts(_ value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }

    @Test("a response prints its status, shape and size, but not its body or secrets")
    func response() async throws {
        let body = #"{"access_token":"00Dsecret","id":"1","list":[\#(String(repeating: "1,", count: 2_000))1]}"#
        transport.enqueue(fields: ["Set-Cookie": "sid=00Dsecret"], body)
        transport.enqueue("[1,2]")
        transport.enqueue(status: 204)
        let client = try client()
        let response = try await client.send(.plainLimits)
        #expect("\(response)" == "status 200, an object of 3 members in \(body.utf8.count) bytes")
        for text in texts(response) {
            #expect(!text.contains("00Dsecret") && text.contains("200") && text.utf8.count < 1_000, "\(text)")
        }
        let (array, empty) = (try await client.send(.plainLimits), try await client.send(.plainLimits))
        #expect("\(array)" == "status 200, an array of 2 elements in 5 bytes")
        #expect("\(empty)" == "status 204, no body")
    }

    @Test("save results print their count and the first errors")
    func saves() async throws {
        let results = (0..<200).map { number in
            number % 40 == 3
                ? #"{"success":false,"errors":[{"statusCode":"A","message":"m\#(number)","fields":[]}]}"#
                : #"{"id":"001000000000001AAA","success":true,"errors":[]}"#
        }
        transport.enqueue("[\(results.joined(separator: ","))]")
        let saved = try SaveResults(try await client().send(.plainLimits), count: 200)
        #expect(
            "\(saved)"
                == "195 of 200 records saved; records[3]: A: m3; records[43]: A: m43; records[83]: A: m83; 2 more errors"
        )
        #expect(String(reflecting: saved) == "\(saved)")
        #expect(
            Mirror(reflecting: saved).children.count == 200 && Mirror(reflecting: saved).displayStyle == .collection)
    }

    @Test("a part of a composite request prints its name and request line, but no data")
    func part() throws {
        var composite = Composite()
        composite.add(.create("Account", ["Name": "Private"]), as: "account")
        let part = try #require(composite.parts.first)
        #expect("\(part)" == "account: create (POST sobjects/Account)")
        for text in texts(part) { #expect(!text.contains("Private") && text.utf8.count < 300, "\(text)") }
        let page = RestRequest(name: "page", resource: .serverPath("/services/data/v66.0/query/1?q=Private"))
        let other = Composite.Part(reference: "page", request: page, references: [])
        #expect("\(other)" == "page: page (GET /services/data/v66.0/query/1)")
        let whole = RestRequest(resource: .serverPath("https://u:Private@example.com/a"))
        #expect(
            !texts(Composite.Part(reference: "a", request: whole, references: [])).contains { $0.contains("Private") })
    }
}
