// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RestTesting

/// Descriptors belong to the whole process, so that this runs in one of its own.
@Suite("Servers and descriptors", .timeLimit(.minutes(5)))
struct DescriptorTests {
    @Test("A server for which no descriptor is left waits without working, and serves when there is one again")
    func exhausted() async {
        await #expect(processExitsWith: .success) {
            // Dispatch opens descriptors when somebody first waits for a clock, and ends the process if it gets none.
            // The test's own time limit waits, sooner or later.
            try await ContinuousClock().sleep(for: .nanoseconds(1))
            try await SuspendingClock().sleep(for: .nanoseconds(1))
            let server = try ScriptServer([.readRequest, .respond("hello")])
            var taken = takeDescriptors()
            try #require(close(taken.removeLast()) == 0)
            let client = try RawClient(port: server.port)
            try #require(openNull() < 0, "the client has the last descriptor")
            let before = processorTime()
            usleep(400_000)
            try #require(processorTime() - before < 0.1)
            for descriptor in taken { close(descriptor) }
            try #require(await client.exchange("GET / HTTP/1.1\r\n\r\n").text.hasSuffix("hello"))
            try #require(await server.stop().requests.count == 1)
        }
    }
}

/// Takes every descriptor that this process may have, which is a few more than it has.
private func takeDescriptors() -> [Int32] {
    var limit = rlimit(rlim_cur: 200, rlim_max: 200)
    #if canImport(Darwin)
    unsafe setrlimit(RLIMIT_NOFILE, &limit)
    #else
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #endif
    var taken: [Int32] = []
    while true {
        let descriptor = openNull()
        guard descriptor >= 0 else { return taken }
        taken.append(descriptor)
    }
}

private func openNull() -> Int32 { unsafe open("/dev/null", O_RDONLY) }

/// Seconds for which processors have worked for this process.
private func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
