// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestURLSession

@Suite("Background transfers")
struct BackgroundTests {
    @Test("A ticket survives as the description of its task")
    func ticket() {
        for ticket in [
            BackgroundTicket(name: "a", path: "/tmp/\"quoted\"\n\u{1F4BE}"), BackgroundTicket(name: "", path: nil),
        ] {
            #expect(BackgroundTicket(text: ticket.text) == ticket)
        }
        #expect(BackgroundTicket(text: nil) == nil)
        #expect(BackgroundTicket(text: "somebody else's") == nil)
    }

    @Test("The system's handler is called once, after the last event, in whichever order both come")
    func handOver() {
        var usual = BackgroundHandOver<Int>()
        let early = usual.handOver(1)
        #expect(early.isEmpty)
        let first = usual.eventsEnded()
        #expect(first == 1)
        var late = BackgroundHandOver<Int>()
        let nobody = late.eventsEnded()
        #expect(nobody == nil)
        let second = late.handOver(2)
        #expect(second == [2])
        let third = late.handOver(3)
        #expect(third.isEmpty, "it is a new wake-up")
        let replaced = late.handOver(4)
        #expect(replaced == [3])
        let last = late.eventsEnded()
        #expect(last == 4)
    }
}
