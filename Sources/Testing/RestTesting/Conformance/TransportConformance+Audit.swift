// SPDX-License-Identifier: Apache-2.0

public import RestTransport

extension TransportConformance {
    /// Runs every case on its own transport, one after the other, and checks that the process leaks nothing.
    ///
    /// Each case must end in time and leave no descriptor behind its transport's `shutdown()`, all of them together no
    /// thread. The figures are those of the whole process, so call this in one that does nothing else, such as an exit
    /// test's. They are checked where `/proc` has them.
    ///
    /// - Throws: `Violation` for the first thing that is wrong.
    public static func audit(
        _ cases: [Case] = cases, making make: @Sendable () -> any HTTPTransport
    ) async throws {
        // Whatever is loaded or opened once for the process is there from now on.
        for testCase in behaviour { try await run(testCase, on: make()) }
        let threads = ProcessFigures.threads
        for testCase in cases {
            let descriptors = ProcessFigures.descriptors
            try await run(testCase, on: make())
            try await settle("\(testCase) leaves descriptors", at: descriptors) { ProcessFigures.descriptors }
        }
        try await settle("the cases leave threads", at: threads) { ProcessFigures.threads }
    }

    /// Checks that refusing a decompression bomb, 512 MiB in half a megabyte, costs no more than 16 MiB of memory.
    ///
    /// As with `audit`, the figure is the process's own, and it is checked where `/proc` has it.
    ///
    /// - Throws: `Violation` when it costs more.
    public static func auditMemory(on transport: any HTTPTransport) async throws {
        let plain = try ScriptServer([.readRequest, .respond("ok")])
        _ = try await transport.send(HTTPRequest(url: plain.url()), deadline: soon)
        await plain.stop()
        let bomb = ScriptServer.Step.sendBytes(GzipSamples.bomb)
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(GzipSamples.bomb.count)\r\n\r\n"
        let server = try ScriptServer([.readRequest, .send(head), bomb])
        guard ProcessFigures.resetPeak(), let base = ProcessFigures.peakBytes else { return }
        try await expectFailure([.tooLarge], reached: true) { () async throws(TransportError) in
            try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
        }
        let growth = (ProcessFigures.peakBytes ?? base) - base
        try require(growth <= 16 * 1_048_576, "a decompression bomb cost \(growth) bytes of memory")
        await transport.shutdown()
        await server.stop()
    }

    /// The longest time for a case, in which the longest of its deadlines fits.
    private static let patience = Duration.seconds(80)

    private static func run(_ testCase: Case, on transport: any HTTPTransport) async throws {
        let start = ContinuousClock.now
        do {
            try await testCase.run(on: transport)
        } catch {
            throw Violation("\(testCase): \(error)")
        }
        await transport.shutdown()
        let spent = ContinuousClock.now - start
        try require(spent < patience, "\(testCase) took \(spent)")
    }

    /// Waits until there are no more than before: threads that have nothing to do end by themselves, not at once.
    private static func settle(_ what: String, at base: [String]?, list: () -> [String]?) async throws {
        guard let base else { return }
        let end = ContinuousClock.now + patience
        while let present = list(), present.count > base.count {
            try require(.now < end, "\(what): \(base.sorted()) became \(present.sorted())")
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
