// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import BuiltPrograms
import EmbeddedOrg
import EventWire
import Foundation
import RestBase
import RestHTTP2
import RestJSON
import RestTransport
import Testing

@testable import LocalServer

@Suite("The Pub/Sub API over TLS", .timeLimit(.minutes(2)))
struct PubSubSecurityTests {
    /// A ClientHello of TLS 1.2 that the org accepts, in one record.
    private static func hello(_ protocols: [String]) -> [UInt8] {
        func list(_ size: Int, _ content: [UInt8]) -> [UInt8] {
            (0..<size).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) } + content
        }
        let names = list(2, protocols.flatMap { list(1, Array($0.utf8)) })
        let curves: [UInt8] = [0, 10] + list(2, list(2, [0, 23]))
        let signatures: [UInt8] = [0, 13] + list(2, list(2, [4, 3]))
        var extensions = curves + signatures
        if !protocols.isEmpty { extensions += [0, 16] + list(2, names) }
        var content: [UInt8] = [3, 3] + [UInt8](repeating: 7, count: 32) + list(1, [])
        // ECDHE with ECDSA, AES-128 and SHA-256, without compression.
        content += list(2, [0xC0, 0x2B])
        content += list(1, [0]) + list(2, extensions)
        return [22, 3, 1] + list(2, [1] + list(3, content))
    }

    @Test("only a client that offers HTTP/2 and not HTTP/1.1 speaks HTTP/2, and no other bytes are a ClientHello")
    func offers() {
        let offers: [([String], Bool)] = [
            (["h2"], true), (["grpc-exp", "h2"], true), (["h2", "http/1.1"], false), (["http/1.1"], false),
            ([], false),
        ]
        for (protocols, isHTTP2) in offers {
            let hello = Self.hello(protocols)
            #expect(ClientHello.size(after: Array(hello.prefix(ClientHello.headCount))) == hello.count)
            let read = ClientHello(hello)
            #expect(read?.protocols == protocols.map { Array($0.utf8) } && read?.wantsHTTP2 == isHTTP2)
        }
        let hello = Self.hello(["h2"])
        for count in hello.indices { #expect(ClientHello(Array(hello.prefix(count))) == nil) }
        for index in hello.indices {
            var broken = hello
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                broken[index] = value
                // Any bytes are read without a trap. A length that reaches into what follows is not accepted.
                let read = ClientHello(broken)
                if index == 3 || index == 6 { #expect(read == nil || broken == hello) }
            }
        }
        for head in [Array("GET /".utf8), [22, 3, 1, 0, 0], [22, 3, 1, 0xFF, 0xFF], [22]] {
            #expect(ClientHello.size(after: head) == nil)
        }
    }

    @Test("gRPC and HTTP/1.1 share a port over TLS, and only clients that trust the certificate can call")
    func calls() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/org.pem"
        let client = try await PubSubClient.start(security: OrgSecurity(certificateFile: file))
        let info = try await client.topic("/event/Paid__e")
        let writer = AvroWriter(try await client.schema(info.schemaID))
        let stream = try await client.subscribe()
        var request = PubSub.PublishRequest()
        request.topicName = "/event/Paid__e"
        // Together, the events are larger than a record of TLS.
        let note = JSONValue(String(repeating: "x", count: 250))
        for sum in 0..<100 {
            var event = PubSub.ProducerEvent()
            event.schemaID = info.schemaID
            event.payload = try writer.bytes(
                of: [
                    "CreatedDate": 0, "CreatedById": JSONValue(client.org.userID), "Sum__c": JSONValue(sum),
                    "Note__c": note,
                ])
            request.events.append(event)
        }
        let response = try await client.unary("Publish", request, as: PubSub.PublishResponse.self)
        #expect(response.results.count == 100 && response.results.allSatisfy { $0.error == nil })
        #expect(try await stream.sums(100) == Array(0..<100))
        // curl offers both protocols, or only HTTP/1.1.
        for option in ["--http2", "--http1.1"] {
            let page = try RunningProgram.tool([
                "curl", "--silent", "--show-error", "--noproxy", "*", "--cacert", file, option,
                client.org.instanceURL + "/services/data",
            ])
            #expect(page.output.contains("/services/data/v66.0"), "\(option): \(page.errors)")
        }
        await #expect(throws: (any Error).self) { try await client.connectWithoutTrust() }
        await client.org.stop()
    }

    @Test("a handshake may arrive in parts, and one that never ends holds up no other client, and not the org's end")
    func handshakes() async throws {
        let client = try await PubSubClient.start(security: OrgSecurity())
        let hello = Self.hello(["h2"])
        let chosen: [UInt8] = [0, 16, 0, 5, 0, 3, 2] + Array("h2".utf8)
        var open: [Socket] = []
        for cut in [3, 5, 6, hello.count - 1, hello.count] {
            let socket = try Socket.connected(port: client.org.port)
            #expect(socket.send(hello[..<cut]))
            if cut < hello.count {
                // The org has looked at the first part.
                _ = try await client.topic("/event/Paid__e")
                #expect(socket.send(hello[cut...]))
            }
            let reply = socket.receive() ?? []
            let hasChosen = reply.indices.contains { reply[$0...].starts(with: chosen) }
            #expect(reply.first == 22 && hasChosen, "after \(cut) bytes")
            open.append(socket)
        }
        for bytes in [Array(hello.prefix(20)), Array("PRI * HTTP/2.0\r\n\r\n".utf8), [22, 3, 1, 0, 1, 0]] {
            let socket = try Socket.connected(port: client.org.port)
            #expect(socket.send(bytes))
            open.append(socket)
        }
        #expect(try await client.topic("/event/Paid__e").canPublish)
        await client.org.stop()
        withExtendedLifetime(open) {}
    }
}

extension PubSubClient {
    /// Connects without trust in the certificate of the org.
    fileprivate func connectWithoutTrust() async throws {
        let origin = Origin(scheme: .https, host: "127.0.0.1", port: org.port)
        _ = try await HTTP2Connection.connect(to: origin, deadline: .now + .seconds(40))
    }
}
#endif
