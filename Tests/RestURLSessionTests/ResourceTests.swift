// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import RestURLSession
import Testing

@Suite("URLSessionTransport gives back what it takes", .serialized, .timeLimit(.minutes(5)))
struct ResourceTests {

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
