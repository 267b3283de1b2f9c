// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Proofs of requests: nonces, retries and redirects")
struct ProvingTests {
    private let stub = StubTransport()
    private let key: Credential.DPoPKey
    private let limits = RestRequest(resource: .serverPath("/services/data/v60.0/limits"))
    private var soon: ContinuousClock.Instant { .now + .seconds(30) }

    init() throws { key = try Credential.DPoPKey() }

    private var client: RestClient {
        var credential = Credential.numbered(1)
        credential.dpopKey = key
        // With a login, a rejected token would be renewed.
        credential.login = Credential.Login(server: credential.instance, clientID: "id")
        return RestClient(
            credential: credential, configuration: RestClient.Configuration(transport: stub, clock: ManualClock()))
    }

    private func challenge(_ nonce: String?, _ error: String = "use_dpop_nonce") -> HTTPFields {
        var fields: HTTPFields = ["WWW-Authenticate": #"DPoP realm="org", error="\#(error)", algs="ES256""#]
        if let nonce { fields["DPoP-Nonce"] = nonce }
        return fields
    }

    /// The claims of the proofs that were sent.
    private var claims: [JSONValue] {
        stub.requests.map { $0.fields["DPoP"].flatMap { JSONWebToken($0)?.claims } ?? .null }
    }

    private var nonces: [String?] { claims.map { $0["nonce"]?.string } }

    @Test("a new nonce causes one replay, and a nonce in a successful response is used by the next request")
    func nonce() async throws {
        let client = client
        stub.enqueue(status: 401, fields: challenge("n1"), "[]")
        stub.enqueue(fields: ["DPoP-Nonce": "n2"], "{}")
        stub.enqueue("{}")
        for _ in 1...2 { _ = try await client.send(limits) }
        #expect(nonces == [nil, "n1", "n2"])
        #expect(stub.requests.allSatisfy { $0.fields["Authorization"] == "DPoP a1" })
        #expect(Set(claims.map { $0["jti"]?.string }).count == 3)
    }

    @Test("a server that rejects every nonce gets two requests, and no renewal of the token")
    func storm() async throws {
        let client = client
        for number in 1...9 { stub.enqueue(status: 401, fields: challenge("n\(number)"), "[]") }
        let error = await #expect(throws: RestError.self) { try await client.send(limits) }
        #expect(error?.code == .unauthorized)
        #expect(stub.requests.count == 2 && nonces == [nil, "n1"])
        // The same nonce again, or none, is not tried.
        for fields in [
            challenge("n2"), challenge(nil), challenge("a\r\nb"), challenge(String(repeating: "n", count: 60_000)),
        ] {
            let stub = StubTransport()
            stub.enqueue(status: 401, fields: fields, "[]")
            stub.enqueue("{}")
            let nonces = DPoPNonces()
            nonces.learn(
                from: HTTPResponse.Head(status: 200, fields: ["DPoP-Nonce": "n2"]), of: Credential.usualInstance)
            let proving = ProvingTransport(stub, key: key, nonces: nonces)
            let request = HTTPRequest(url: HTTPURL(origin: Credential.usualInstance, path: "/"))
            #expect(try await proving.send(request, deadline: soon).head.status == 401)
            #expect(stub.requests.count == 1)
        }
    }

    @Test("a body that cannot be repeated is not sent again, and the next request has the nonce")
    func stream() async throws {
        let client = client
        stub.enqueue(status: 401, fields: challenge("n1"), "[]")
        stub.enqueue("{}")
        let chunks = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1, 2, 3])
            continuation.finish()
        }
        let body = HTTPBody.stream(.once(chunks, length: 3))
        let error = await #expect(throws: RestError.self) {
            try await client.send(
                RestRequest(method: .post, resource: .serverPath("/services/data/v60.0/upload"), body: body))
        }
        #expect(error?.code == .unauthorized && error?.message.contains("streamed body") == true)
        _ = try await client.send(limits)
        #expect(nonces == [nil, "n1"])
    }

    @Test("retries and redirects have new proofs for their URLs, and another origin gets neither token nor proof")
    func repeats() async throws {
        let client = client
        stub.enqueue(status: 503)
        stub.enqueue(status: 307, fields: ["Location": "/services/data/v60.0/elsewhere?a=b"])
        stub.enqueue(status: 302, fields: ["Location": "https://cdn.example.com/file"])
        stub.enqueue("bytes")
        let file = RestRequest(resource: .serverPath("/services/data/v60.0/file"), expectation: .anything)
        _ = try await client.send(file)
        let proofs = stub.requests.map { $0.fields["DPoP"] }
        #expect(Set(proofs.dropLast()).count == 3 && proofs.last == .some(nil))
        #expect(stub.requests.last?.fields["Authorization"] == nil)
        #expect(claims[2]["htu"]?.string == "\(Credential.usualInstance)/services/data/v60.0/elsewhere")
        #expect(claims[0]["htu"] == claims[1]["htu"] && claims[0]["htu"] != claims[2]["htu"])
    }
}
