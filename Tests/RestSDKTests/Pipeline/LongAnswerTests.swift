// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Testing

@testable import RestSDK

/// Calls whose long answer has come when they are ended.
@Suite("A call that ends while its long answer is read")
struct LongAnswerTests {
    private struct Row: Decodable, Sendable {
        let Id: String
    }

    private struct Rows: Endpoint {
        typealias RouteError = Never
        /// Happens between parsing and decoding.
        let meanwhile: @Sendable () -> Void

        func makeRequest() -> RestRequest { .limits }
        func content(from response: RestResponse) throws(RestError) -> [Row] {
            meanwhile()
            return try response.decode([Row].self)
        }
    }

    private let transport = StubTransport()
    private let clock = ManualClock(alarmsBeyond: .zero)
    private let client: RestClient
    private let answer = "[" + String(repeating: #"{"Id":"001"},"#, count: 30_000) + #"{"Id":"001"}]"#

    init() throws {
        client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClientConfiguration(retryPolicy: .never, transport: transport, clock: clock))
    }

    /// What ended the work that failed so.
    private func cause(of error: RestError?) -> JSONError? {
        (error?.underlying as? RestError)?.underlying as? JSONError
    }

    /// A call that something happens to when its answer has come, before that is parsed.
    private func write(_ meanwhile: @escaping @Sendable () -> Void) async -> RestError? {
        transport.enqueue(answer)
        var request = RestRequest.create("Account", ["Name": "A"])
        request.bodyObserver = ValueObserver { _ in meanwhile() }
        return await #expect(throws: RestError.self) { try await client.send(request) }
    }

    @Test("cancelled or shut down, it lets go of parsing, and the write was applied")
    func cancelled() async throws {
        let error = await write { [client] in client.cancelAll() }
        #expect(error?.code == .cancelled)
        #expect(error?.outcome == .applied)
        #expect(cause(of: error)?.reason == .interrupted)
        let last = await write { [client] in client.shutdown() }
        #expect(last?.code == .shutDown)
        #expect(last?.outcome == .applied)
        #expect(cause(of: last)?.reason == .interrupted)
    }

    @Test("out of time, it lets go of parsing, and the write was applied")
    func late() async throws {
        let error = await write { [clock] in clock.advance(by: .seconds(61)) }
        #expect(error?.code == .timedOut)
        #expect(error?.outcome == .applied)
        #expect(cause(of: error)?.reason == .interrupted)
    }

    @Test("it lets go of decoding too")
    func decoding() async throws {
        transport.enqueue(answer)
        let call = Task { () -> RestError? in
            do throws(CallError<Never>) {
                _ = try await client.content(of: Rows { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } })
                return nil
            } catch {
                guard case .rest(let error) = error else { return nil }
                return error
            }
        }
        let error = await call.value
        #expect(error?.code == .cancelled)
        #expect((error?.underlying as? JSONDecodingError)?.reason == .interrupted)
        transport.enqueue(answer)
        #expect(try await client.content(of: Rows {}).count == 30_001)
    }
}
