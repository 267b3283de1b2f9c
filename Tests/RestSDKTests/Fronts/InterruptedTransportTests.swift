// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestSDK

/// Calls that wait for the platform's own transport, which ends them without a task of their own.
@Suite("Ending calls at the transport")
@MainActor
struct InterruptedTransportTests {
    @Test(
        "a client that is shut down, or told to cancel all, ends the call under way once and closes its connection",
        arguments: Front.allCases, [RestError.Code.shutDown, .cancelled])
    func ended(front: Front, code: RestError.Code) async throws {
        let server = try ScriptServer([.readRequest, .readToEnd])
        let transport = PlatformTransport.make(TransportLimits())
        let client = try RestClient(
            instanceURL: "\(server.url().origin)", accessToken: "t",
            configuration: RestClientConfiguration(transport: transport))
        let outcomes = await front.outcomes(
            of: .query("SELECT Id FROM A"), through: client, cancelWhen: { server.journal.requests.count == 1 }
        ) {
            if code == .shutDown { client.shutdown() } else { client.cancelAll() }
        }
        #expect(outcomes.map(\.failure?.code) == [code])
        let journal = await server.wait { $0.connections.allSatisfy(\.isClosedByPeer) }
        #expect(journal.requests.count == 1)
        await transport.shutdown()
        await server.stop()
    }

    @Test("an end that came before there was something to end, ends the wait as it begins")
    func early() async {
        let life = CallLife()
        life.interrupt(.shutDown)
        let isSlept = await life.slept(until: .now + .seconds(60), on: ContinuousClock())
        #expect(!isSlept)
        #expect(life.ending == .shutDown)
    }

    @Test(
        "a wait inside of work that can be ended leaves the end to the work around it, however early it begins",
        .timeLimit(.minutes(1)))
    func nestedAtOnce() async {
        for _ in 0..<2_000 {
            let life = CallLife()
            let isEnded = await life.interruptible { () -> Bool in
                await life.whileInterruptible(by: {}) {}
                // Had the wait inside taken the place of the work, nobody could end the work any more.
                life.interrupt(.cancelled)
                while !Task.isCancelled { await Task.yield() }
                return life.ending == .cancelled
            }
            #expect(isEnded)
        }
    }

    @Test("a wait inside of work that can be ended leaves the end to the work around it")
    func nested() async {
        let life = CallLife()
        let inner = Gate()
        let work = Task {
            await life.interruptible { () -> Bool in
                let isCancelled = await life.whileInterruptible {
                    Issue.record("the inner wait was ended instead of the work")
                } during: {
                    await inner.pass()
                    return Task.isCancelled
                }
                return isCancelled
            }
        }
        while !inner.hasVisitor { await Task.yield() }
        life.interrupt(.cancelled)
        inner.open()
        #expect(await work.value)
    }
}
