// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTesting
import RestTransport
import Testing

/// Sends that somebody else than their task ends.
@Suite("Calls of RestCurl", .timeLimit(.minutes(1)))
struct CurlCallTests {
    @Test("a call cancelled before it is sent sends nothing")
    func early() async throws {
        let server = try ScriptServer([.readRequest, .respond("late")])
        let transport = CurlTransport()
        let call = transport.call(HTTPRequest(url: server.url()), deadline: .now + .seconds(30), progress: nil)
        call.cancel()
        let error = await #expect(throws: TransportError.self) { try await call.response() }
        #expect(error?.code == .cancelled)
        #expect(error?.mayHaveReachedServer == false)
        await transport.shutdown()
        #expect(await server.stop().connections.isEmpty)
    }

    @Test("a call cancelled while the server is silent ends at once, and the connection is closed")
    func silent() async throws {
        let server = try ScriptServer([.readRequest, .readToEnd])
        let transport = CurlTransport()
        let call = transport.call(HTTPRequest(url: server.url()), deadline: .now + .seconds(30), progress: nil)
        let waiting = Task { () async -> TransportError? in
            do throws(TransportError) {
                _ = try await call.response()
                return nil
            } catch {
                return error
            }
        }
        await server.wait { $0.requests.count == 1 }
        call.cancel()
        let error = await waiting.value
        #expect(error?.code == .cancelled)
        #expect(error?.mayHaveReachedServer == true)
        await server.wait { $0.connections.allSatisfy(\.isClosedByPeer) }
        await transport.shutdown()
        await server.stop()
    }

    @Test("a call that was answered is not touched by a late end, and its connection serves the next one")
    func late() async throws {
        let server = try ScriptServer([.readRequest, .respond("one"), .readRequest, .respond("two")])
        let transport = CurlTransport()
        for expected in ["one", "two"] {
            let call = transport.call(HTTPRequest(url: server.url()), deadline: .now + .seconds(30), progress: nil)
            #expect(try await String(decoding: call.response().body, as: UTF8.self) == expected)
            call.cancel()
        }
        await transport.shutdown()
        #expect(await server.stop().connections.count == 1)
    }
}
