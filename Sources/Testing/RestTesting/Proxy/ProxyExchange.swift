// SPDX-License-Identifier: Apache-2.0

/// The progress of an exchange through a ``FaultProxy``: its framing, its fault and its counts, without I/O.
///
/// Each method that takes bytes returns the actions for them. `noteSent` then records the bytes that were sent.
struct ProxyExchange {
    private(set) var request: MessageFraming
    private var response: MessageFraming
    private var requestShaper: FaultShaper
    private var responseShaper: FaultShaper
    /// The number of bytes of each message that arrived, and that were sent.
    private var came = [NetworkFault.Direction.request: 0, .response: 0]
    private var sent = [NetworkFault.Direction.request: 0, .response: 0]

    /// Begins an exchange after its request head has arrived.
    init(request: MessageFraming, fault: NetworkFault?, random: SeededGenerator) {
        self.request = request
        response = .respond(to: request.method)
        requestShaper = FaultShaper(fault, .request, random: random)
        responseShaper = FaultShaper(fault, .response, random: random)
    }

    var isComplete: Bool { request.isComplete && response.isComplete }

    mutating func begin(_ head: [UInt8]) -> [FaultShaper.Action] {
        came[.request, default: 0] += head.count
        return requestShaper.take(head) + (request.isComplete ? requestShaper.end() : [])
    }

    /// Handles more bytes of the request, and returns how many of them belong to it.
    mutating func takeRequest(_ bytes: [UInt8]) -> (count: Int, actions: [FaultShaper.Action]) {
        let count = request.consume(bytes[...])
        came[.request, default: 0] += count
        let actions = requestShaper.take(Array(bytes[..<count]))
        return (count, actions + (request.isComplete ? requestShaper.end() : []))
    }

    /// Handles bytes of the server, and passes on bytes after the response unchanged.
    mutating func takeResponse(_ bytes: [UInt8]) -> [FaultShaper.Action] {
        guard !response.isComplete else { return [.send(bytes)] }
        let count = response.consume(bytes[...])
        came[.response, default: 0] += count
        var actions = responseShaper.take(Array(bytes[..<count]))
        if response.isComplete { actions += responseShaper.end() + [.send(Array(bytes[count...]))] }
        return actions
    }

    mutating func endResponse() -> [FaultShaper.Action] {
        guard !response.isComplete else { return [] }
        response.end()
        return response.isComplete ? responseShaper.end() : []
    }

    mutating func noteSent(_ count: Int, _ direction: NetworkFault.Direction) {
        sent[direction, default: 0] += count
    }

    func report(to record: inout FaultProxy.Exchange) {
        record.requestBytes = sent[.request, default: 0]
        record.responseBytes = sent[.response, default: 0]
        record.isRequestDelivered = isDelivered(request, .request)
        record.isResponseDelivered = isDelivered(response, .response)
        if response.isHeaderComplete { record.status = response.status }
    }

    private func isDelivered(_ framing: MessageFraming, _ direction: NetworkFault.Direction) -> Bool {
        framing.isComplete && sent[direction, default: 0] >= came[direction, default: 0]
    }
}
