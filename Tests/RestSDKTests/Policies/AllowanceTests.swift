// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Simulation
import Testing

@testable import RestSDK

@Suite("The API allowance that the org reports")
struct AllowanceTests {
    private let transport = StubTransport()

    private func client() throws -> RestClient { try .of(transport, retryPolicy: .never) }

    @Test(
        "impossible numbers are ignored, in every response",
        arguments: [
            "\(Int.max)/5", "\(Int.max / 100 + 1)/5", "5/\(Int.max)", "1000000000001/5", "+1/5", "1/2/3", "0x1/5",
            " 1/5",
            String(repeating: "0", count: 21) + "1/5", "١/5",
        ])
    func absurd(usage: String) async throws {
        let client = try client()
        for _ in 0..<3 {
            transport.enqueue(fields: ["Sforce-Limit-Info": "api-usage=\(usage)"], "{}")
            _ = try await client.send(.plainLimits)
        }
        #expect(client.allowance == nil)
    }

    @Test("the largest accepted numbers, and any numbers of an app, do not overflow")
    func greatest() {
        var state = RateLimiterState(limits: RestClient.RateLimits(reserve: .max))
        let greatest = RestClient.APIAllowance(in: ["Sforce-Limit-Info": "api-usage=1000000000000/1000000000000"])
        for allowance in [
            greatest, RestClient.APIAllowance(used: .max, allowed: .min),
            RestClient.APIAllowance(used: .min, allowed: .max),
        ] {
            #expect(allowance.map { state.learn($0, from: 1, at: .now) } == true)
            #expect((allowance?.left ?? -1) >= 0)
        }
    }

    @Test("a redirect to another host does not change what is known about the org", arguments: [200, 404, 403])
    func elsewhere(status: Int) async throws {
        let crowded = #"[{"errorCode":"REQUEST_LIMIT_EXCEEDED","message":"ConcurrentRequests Limit exceeded."}]"#
        transport.enqueue(status: 302, fields: ["Location": "https://files.example.com/x"])
        transport.enqueue(
            status: status, fields: ["Sforce-Limit-Info": "api-usage=100/100"], status == 403 ? crowded : "{}")
        let client = try client()
        do throws(RestError) {
            let file = RestRequest.blob("ContentVersion", id: "068000000000001AAA", field: "VersionData")
            #expect(try await client.send(file).allowance == nil)
        } catch {
            #expect(error.code == (status == 403 ? .redirected : .notFound))
            #expect(error.response?.status == status)
            #expect(error.response?.fields["Sforce-Limit-Info"] == nil)
        }
        #expect(transport.requests.count == 2)
        #expect(client.allowance == nil)
        #expect(client.runner.limiter.ceiling == nil)
    }

    @Test("the org's own response is read after a redirect")
    func sameOrigin() async throws {
        transport.enqueue(status: 302, fields: ["Location": "/moved"])
        transport.enqueue(fields: ["Sforce-Limit-Info": "api-usage=7/100"], "{}")
        let client = try client()
        _ = try await client.send(.plainLimits)
        #expect(client.allowance == RestClient.APIAllowance(used: 7, allowed: 100))
    }
}
