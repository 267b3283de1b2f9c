// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTesting
import RestTransport
import Testing

/// Sends whose task is cancelled.
@Suite("Cancelled sends of RestCurl", .timeLimit(.minutes(1)))
struct CurlCancellationTests {
    @Test("a send cancelled before it begins sends nothing")
    func early() async throws {
        let server = try ScriptServer([.readRequest, .respond("late")])
        let transport = CurlTransport()
        let send = Task {
            while !Task.isCancelled { await Task.yield() }
            return await transport.outcome(of: HTTPRequest(url: server.url()))
        }
        send.cancel()
        let error = await #expect(throws: TransportError.self) { try await send.value.get() }
        #expect(error?.code == .cancelled)
        #expect(error?.mayHaveReachedServer == false)
        await transport.shutdown()
        #expect(await server.stop().connections.isEmpty)
    }

    @Test("a send cancelled while the server is silent ends at once, and the connection is closed")
    func silent() async throws {
        let server = try ScriptServer([.readRequest, .readToEnd])
        let transport = CurlTransport()
        let send = Task { await transport.outcome(of: HTTPRequest(url: server.url())) }
        await server.wait { $0.requests.count == 1 }
        send.cancel()
        let error = await #expect(throws: TransportError.self) { try await send.value.get() }
        #expect(error?.code == .cancelled)
        #expect(error?.mayHaveReachedServer == true)
        await server.wait { $0.connections.allSatisfy(\.isClosedByPeer) }
        await transport.shutdown()
        await server.stop()
    }

    @Test("a send that was answered is not touched by a late end, and its connection serves the next one")
    func late() async throws {
        let server = try ScriptServer([.readRequest, .respond("one"), .readRequest, .respond("two")])
        let transport = CurlTransport()
        for expected in ["one", "two"] {
            let send = Task { await transport.outcome(of: HTTPRequest(url: server.url())) }
            let outcome = await send.value
            send.cancel()
            #expect(try String(decoding: outcome.get().body, as: UTF8.self) == expected)
        }
        await transport.shutdown()
        #expect(await server.stop().connections.count == 1)
    }
}

extension CurlTransport {
    fileprivate func outcome(of request: HTTPRequest) async -> Result<HTTPResponse, TransportError> {
        do throws(TransportError) {
            return .success(try await send(request, deadline: .now + .seconds(30)))
        } catch {
            return .failure(error)
        }
    }
}
