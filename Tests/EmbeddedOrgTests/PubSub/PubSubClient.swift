// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import EmbeddedOrg
import EventWire
import Foundation
import RestCurl
import RestHTTP2
import RestJSON
import RestTransport
import Testing

/// A client of the Pub/Sub API of an org, on one connection.
struct PubSubClient {
    let client: OrgClient
    let connection: HTTP2Connection
    var metadata: HTTPFields

    static let describe = #"""
        {"name":"Paid__e","fields":[{"name":"Sum__c","type":"int"},{"name":"Note__c","type":"string"},
        {"name":"Day__c","type":"date"},{"name":"At__c","type":"datetime"}]}
        """#

    init(_ client: OrgClient) async throws {
        self.client = client
        var configuration = CurlConfiguration()
        let trusted = FileManager.default.temporaryDirectory.appending(path: "org-\(UUID()).pem")
        defer { try? FileManager.default.removeItem(at: trusted) }
        if let certificate = client.org.certificate {
            try Data(certificate.utf8).write(to: trusted)
            configuration.tls.authoritiesFile = trusted.path
        }
        let scheme: Origin.Scheme = client.org.certificate == nil ? .http : .https
        let origin = Origin(scheme: scheme, host: "127.0.0.1", port: client.org.port)
        connection = try await HTTP2Connection.connect(
            to: origin, configuration: configuration, deadline: .now + .seconds(40))
        metadata = [
            "accesstoken": client.token, "instanceurl": client.org.instanceURL, "tenantid": client.org.organizationID,
        ]
    }

    /// Connects to a new org with the event `Paid__e`.
    static func start(
        security: OrgSecurity? = nil, _ change: (inout EventSettings) -> Void = { _ in }
    ) async throws -> PubSubClient {
        try await PubSubClient(
            try await OrgClient.start {
                $0.schema = try OrgSchema(describe: Array(describe.utf8))
                $0.security = security
                change(&$0.events)
            })
    }

    var org: LocalOrg { client.org }

    /// Publishes events by REST.
    func publish(_ sums: ClosedRange<Int>) throws {
        for sum in sums { _ = try client.create("Paid__e", #"{"Sum__c":\#(sum)}"#) }
    }

    func unary<Response: ProtobufMessage>(
        _ method: String, _ request: some ProtobufMessage, as type: Response.Type
    ) async throws -> Response {
        try Response(
            reading: await GRPCCall.unary(
                "/eventbus.v1.PubSub/\(method)", request.encoded, on: connection, metadata: metadata))
    }

    func topic(_ name: String) async throws -> PubSub.TopicInfo {
        var request = PubSub.TopicRequest()
        request.topicName = name
        return try await unary("GetTopic", request, as: PubSub.TopicInfo.self)
    }

    func schema(_ id: String) async throws -> AvroSchema {
        var request = PubSub.SchemaRequest()
        request.schemaID = id
        return try AvroSchema(parsing: try await unary("GetSchema", request, as: PubSub.SchemaInfo.self).schemaJSON)
    }

    func call(_ method: String) throws -> GRPCCall {
        try GRPCCall("/eventbus.v1.PubSub/\(method)", on: connection, metadata: metadata)
    }

    /// Subscribes with a first request.
    func subscribe(
        _ topic: String = "/event/Paid__e", _ preset: PubSub.FetchRequest.ReplayPreset = .latest,
        after replayID: [UInt8] = [], count: Int32 = 100
    ) async throws -> Subscriber {
        let subscriber = Subscriber(call: try call("Subscribe"), client: self)
        var request = PubSub.FetchRequest()
        (request.topicName, request.replayPreset) = (topic, preset)
        (request.replayID, request.numRequested) = (replayID, count)
        try await subscriber.call.send(request.encoded)
        // The org has begun the call, and handles the request before any later one of this test.
        _ = try await subscriber.call.metadata
        return subscriber
    }
}

/// A stream of Subscribe.
struct Subscriber {
    let call: GRPCCall
    let client: PubSubClient

    func ask(_ count: Int32, token: String = "") async throws {
        var request = PubSub.FetchRequest()
        (request.numRequested, request.authRefresh) = (count, token)
        try await call.send(request.encoded)
    }

    func next() async throws -> PubSub.FetchResponse {
        try PubSub.FetchResponse(reading: try #require(try await call.next()))
    }

    /// The payloads of the next events, of any number of responses.
    func payloads(_ count: Int) async throws -> [JSONValue] {
        var payloads: [JSONValue] = []
        while payloads.count < count {
            for event in try await next().events {
                let event = try #require(event.event)
                payloads.append(try AvroReader(try await client.schema(event.schemaID)).read(event.payload))
            }
        }
        return payloads
    }

    func sums(_ count: Int) async throws -> [Int] { try await payloads(count).compactMap { $0["Sum__c"]?.int } }

    /// The error that ends the stream.
    func ending() async -> Ending {
        do throws(GRPCError) {
            while try await call.next() != nil {}
            return Ending(nil)
        } catch {
            return Ending(error)
        }
    }
}

/// The error code and the status of a call.
struct Ending: Hashable {
    let code: String?
    let status: GRPCError.Code?

    init(_ code: String?, _ status: GRPCError.Code?) { (self.code, self.status) = (code, status) }

    init(_ error: GRPCError?) {
        let code = error?.trailers["error-code"]
        self.init(code.map { String($0.dropFirst(PubSubErrorCode.prefix.count)) }, error?.code)
    }
}
#endif
