// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting

/// Measures subscribers that cancel at random times, on their own actor.
///
/// It counts subscribers that receive anything after the cancellation, two ends, or a value without an end. A Combine
/// subscription consists only of this call.
func hostileSubscriberFigure() async throws {
    let total = extent(20_000, short: 50)
    var generator = SeededGenerator(seed: 7)
    var (faults, heard) = (0, 0)
    for _ in 0..<total {
        let transport = StubTransport()
        transport.enqueue(.response(jsonResponse(#"{"totalSize":0,"done":true,"records":[]}"#)))
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(transport: transport))
        let subscriber = Subscriber()
        await subscriber.subscribe(client, cancelsInside: generator.next() % 4 == 0)
        for _ in 0..<generator.next() % 24 { await Task.yield() }
        if generator.next() % 2 == 0 { await subscriber.cancel() }
        let isWhole = await subscriber.end()
        faults += await subscriber.faults + (isWhole ? 0 : 1)
        heard += await subscriber.values
    }
    Figure(
        name: "hostile.subscribers", value: Double(faults), unit: "faults", relation: .atMost, bound: 0,
        note: "\(total) subscribers, \(heard) of whom heard a value"
    ).print()
}

/// Receives the events of one call.
private actor Subscriber {
    private(set) var values = 0
    private(set) var faults = 0
    private var ends = 0
    private var isCancelled = false
    private var cancelsInside = false
    private var call: ColdWork<RestResponse, RestError>?

    func subscribe(_ client: RestClient, cancelsInside: Bool) {
        self.cancelsInside = cancelsInside
        let call = ColdWork(ColdSource(.query("SELECT Id FROM Account"), of: client), on: self) { [self] event in
            assumeIsolated { $0.hear(event) }
            return 0
        }
        self.call = call
        call.attach()
        call.request(1)
        call.request(1)
    }

    func cancel() {
        isCancelled = true
        call?.cancel()
    }

    /// Waits for the end or cancels, and returns whether the events are complete.
    func end() async -> Bool {
        let limit = ContinuousClock.now + .seconds(20)
        while ends == 0, !isCancelled, ContinuousClock.now < limit { await Task.yield() }
        return ends == 1 || isCancelled
    }

    private func hear(_ event: ColdWork<RestResponse, RestError>.Event) {
        if isCancelled || ends > 0 { faults += 1 }
        switch event {
        case .element:
            values += 1
            if cancelsInside { cancel() }
        case .finished: ends += 1
        case .failed: (ends, faults) = (ends + 1, faults + 1)
        }
    }
}
