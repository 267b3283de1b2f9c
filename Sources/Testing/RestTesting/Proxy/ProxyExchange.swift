// SPDX-License-Identifier: Apache-2.0

/// How far an exchange has come through a ``FaultProxy``: its framing, its fault and its counts, without any I/O.
///
/// Each method that takes bytes returns what to do with them; what was done is told back with `noteSent`.
struct ProxyExchange {
    private(set) var request: MessageFraming
    private var answer: MessageFraming
    private var requestShaper: FaultShaper
    private var answerShaper: FaultShaper
    /// Bytes of each message that came, and that were passed on.
    private var came = [NetworkFault.Direction.request: 0, .answer: 0]
    private var sent = [NetworkFault.Direction.request: 0, .answer: 0]

    /// Begins an exchange whose request header has come.
    init(request: MessageFraming, fault: NetworkFault?, random: SeededGenerator) {
        self.request = request
        answer = .answer(to: request.method)
        requestShaper = FaultShaper(fault, .request, random: random)
        answerShaper = FaultShaper(fault, .answer, random: random)
    }

    /// Whether both messages are over.
    var isComplete: Bool { request.isComplete && answer.isComplete }

    /// The header, as it is to be passed on.
    mutating func begin(_ head: [UInt8]) -> [FaultShaper.Action] {
        came[.request, default: 0] += head.count
        return requestShaper.take(head) + (request.isComplete ? requestShaper.end() : [])
    }

    /// More of the request has come.
    ///
    /// - Returns: how many bytes belong to it, and what to do with them.
    mutating func takeRequest(_ bytes: [UInt8]) -> (count: Int, actions: [FaultShaper.Action]) {
        let count = request.consume(bytes[...])
        came[.request, default: 0] += count
        let actions = requestShaper.take(Array(bytes[..<count]))
        return (count, actions + (request.isComplete ? requestShaper.end() : []))
    }

    /// Bytes have come from the server; those behind the answer are passed on as they are.
    mutating func takeAnswer(_ bytes: [UInt8]) -> [FaultShaper.Action] {
        guard !answer.isComplete else { return [.send(bytes)] }
        let count = answer.consume(bytes[...])
        came[.answer, default: 0] += count
        var actions = answerShaper.take(Array(bytes[..<count]))
        if answer.isComplete { actions += answerShaper.end() + [.send(Array(bytes[count...]))] }
        return actions
    }

    /// The server has closed its side.
    mutating func endAnswer() -> [FaultShaper.Action] {
        guard !answer.isComplete else { return [] }
        answer.end()
        return answer.isComplete ? answerShaper.end() : []
    }

    /// Bytes were passed on.
    mutating func noteSent(_ count: Int, _ direction: NetworkFault.Direction) {
        sent[direction, default: 0] += count
    }

    /// Writes what is known into the journal's record.
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
