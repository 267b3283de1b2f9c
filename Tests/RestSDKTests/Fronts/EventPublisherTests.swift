// SPDX-License-Identifier: Apache-2.0

import Combine
import RestEvents
import RestTesting
import RestTransport
import Testing

@testable import RestSDK

@Suite("Publishers of events", .timeLimit(.minutes(5)))
struct EventPublisherTests {
    private typealias Receiver = Recorder<ReceivedEvent, EventError>

    private static func event(_ number: Int) -> String {
        #"{"channel":"/event/A__e","data":{"payload":{"n":\#(number)},"event":{"replayId":\#(number)}}}"#
    }

    @Test("events come as they are demanded, and the subscription sends nothing before")
    func demand() async throws {
        let transport = StubTransport()
        let ok = #""successful":true"#
        transport.enqueue(
            #"[{"channel":"/meta/handshake","id":"1","clientId":"c","ext":{"replay":true},\#(ok)}]"#)
        transport.enqueue(#"[{"channel":"/meta/subscribe","id":"2",\#(ok)}]"#)
        transport.enqueue(
            "[\((1...5).map(Self.event).joined(separator: ",")),"
                + #"{"channel":"/meta/connect","id":"3",\#(ok)}]"#)
        transport.enqueue(.silence)
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: transport))
        let receiver = Receiver(asking: .none)
        client.events("/event/A__e", from: .earliest).publisher().subscribe(receiver)
        for _ in 0..<200 { await Task.yield() }
        #expect(transport.requests.isEmpty)
        for (more, sum) in [(1, 1), (3, 4)] {
            receiver.request(.max(more))
            await receiver.wait { $0.values.count == sum }
            for _ in 0..<200 { await Task.yield() }
            #expect(receiver.values.map { $0["n"]?.int } == Array(1...sum))
        }
        client.shutdown()
        receiver.request(.max(1))
        await receiver.wait { $0.isOver }
        #expect(receiver.values.count == 4)
    }
}
