// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import RestURLSession
import Testing

@Suite("URLSessionTransport gives back what it takes", .serialized, .timeLimit(.minutes(1)))
struct ResourceTests {
    @Test("A cancelled call returns within ten milliseconds")
    func cancellation() async throws {
        let transport = URLSessionTransport()
        let server = try ScriptServer([.readRequest, .readToEnd])
        let url = server.url()
        var fastest = Duration.seconds(60)
        for round in 1...10 {
            let call = Task {
                await failure { () async throws(TransportError) in
                    try await transport.send(HTTPRequest(url: url), deadline: soon)
                }
            }
            await server.wait { $0.requests.count == round }
            let start = ContinuousClock.now
            call.cancel()
            #expect(await call.value?.code == .cancelled)
            fastest = min(fastest, ContinuousClock.now - start)
        }
        #expect(fastest < .milliseconds(10))
        await server.wait { $0.connections.allSatisfy(\.isClosedByPeer) }
    }

    @Test(
        "Calls that succeed, fail or are cancelled leave no descriptor behind",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func descriptors() async throws {
        let answering = try ScriptServer([.readRequest, .respond("ok")])
        let silent = try ScriptServer([.readRequest, .readToEnd])
        func round(_ transport: URLSessionTransport) async {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        _ = try? await transport.send(HTTPRequest(url: answering.url()), deadline: soon)
                        let late = ContinuousClock.now + .milliseconds(20)
                        _ = try? await transport.send(HTTPRequest(url: silent.url()), deadline: late)
                        _ = try? await transport.stream(HTTPRequest(url: answering.url()), deadline: soon)
                    }
                }
            }
            await transport.shutdown()
        }
        await round(URLSessionTransport())
        let before = descriptors
        for _ in 0..<5 { await round(URLSessionTransport()) }
        // Sessions close their connections shortly after their tasks have ended.
        while descriptors > before + 5 { try await Task.sleep(for: .milliseconds(5)) }
    }

    private var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}
