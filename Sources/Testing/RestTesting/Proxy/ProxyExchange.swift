// SPDX-License-Identifier: Apache-2.0

/// The progress of an exchange through a ``FaultProxy``: its framing, its fault and its counts, without I/O.
///
/// Each method that takes bytes returns the actions for them. `noteSent` then records the bytes that were sent.
struct ProxyExchange {
    private(set) var request: MessageFraming
    private var answer: MessageFraming
    private var requestShaper: FaultShaper
    private var answerShaper: FaultShaper
    /// The number of bytes of each message that arrived, and that were sent.
    private var came = [NetworkFault.Direction.request: 0, .answer: 0]
    private var sent = [NetworkFault.Direction.request: 0, .answer: 0]

    /// Begins an exchange after its request head has arrived.
    init(request: MessageFraming, fault: NetworkFault?, random: SeededGenerator) {
        self.request = request
        answer = .answer(to: request.method)
        requestShaper = FaultShaper(fault, .request, random: random)
        answerShaper = FaultShaper(fault, .answer, random: random)
    }

    var isComplete: Bool { request.isComplete && answer.isComplete }

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
    mutating func takeAnswer(_ bytes: [UInt8]) -> [FaultShaper.Action] {
        guard !answer.isComplete else { return [.send(bytes)] }
        let count = answer.consume(bytes[...])
        came[.answer, default: 0] += count
        var actions = answerShaper.take(Array(bytes[..<count]))
        if answer.isComplete { actions += answerShaper.end() + [.send(Array(bytes[count...]))] }
        return actions
    }

    mutating func endAnswer() -> [FaultShaper.Action] {
        guard !answer.isComplete else { return [] }
        answer.end()
        return answer.isComplete ? answerShaper.end() : []
    }

    mutating func noteSent(_ count: Int, _ direction: NetworkFault.Direction) {
        sent[direction, default: 0] += count
    }

    func report(to record: inout FaultProxy.Exchange) {
        record.requestBytes = sent[.request, default: 0]
        record.answerBytes = sent[.answer, default: 0]
        record.isRequestDelivered = isDelivered(request, .request)
        record.isAnswerDelivered = isDelivered(answer, .answer)
        if answer.isHeaderComplete { record.status = answer.status }
    }

    private func isDelivered(_ framing: MessageFraming, _ direction: NetworkFault.Direction) -> Bool {
        framing.isComplete && sent[direction, default: 0] >= came[direction, default: 0]
    }
}
