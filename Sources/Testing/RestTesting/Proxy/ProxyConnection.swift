// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A client's connection through a ``FaultProxy``, served on its own thread, exchange by exchange.
final class ProxyConnection {
    struct Ended: Error {
        let end: FaultProxy.End
    }

    /// The maximum number of bytes that are read ahead after a request.
    private static let readAheadBytes = 256 * 1024

    private let index: Int
    private let server: ConnectionServer
    private let journal: Watched<FaultProxy.Journal>
    private let upstreamPort: Int
    private let client: Socket
    private var upstream: Socket?
    /// The client's bytes that belong to no exchange yet.
    private var unread: [UInt8] = []
    /// Whether the client has closed its sending direction, after which a response in flight is still sent.
    private var hasClientEnded = false

    init(
        index: Int, client: Socket, server: ConnectionServer, journal: Watched<FaultProxy.Journal>, upstreamPort: Int
    ) {
        self.index = index
        self.client = client
        self.server = server
        self.journal = journal
        self.upstreamPort = upstreamPort
    }

    /// Serves the connection to its end, after which the caller releases it.
    func run(_ plan: FaultPlan) -> FaultProxy.End {
        do {
            for number in 0... { try serve(number, plan) }
            return .stopped
        } catch {
            let end = server.isStopping ? .stopped : error.end
            if [.reset, .serverLost].contains(end) { client.resetOnClose() }
            return end
        }
    }

    private func serve(_ number: Int, _ plan: FaultPlan) throws(Ended) {
        var framing = MessageFraming.request
        let head = try readHeader(&framing)
        let fault = plan.fault(connection: index, exchange: number)
        let random = plan.generator(connection: index, exchange: ~number)
        journal.update { journal in
            let exchange = FaultProxy.Exchange(requestLine: framing.firstLine, fault: fault)
            journal.connections[index].exchanges.append(exchange)
        }
        var exchange = ProxyExchange(request: framing, fault: fault, random: random)
        try perform(exchange.begin(renamingHost(in: head)), .request, &exchange)
        while !exchange.isComplete { try advance(&exchange) }
    }

    /// Reads the head of the next request, and passes on what an idle server sends meanwhile.
    private func readHeader(_ framing: inout MessageFraming) throws(Ended) -> [UInt8] {
        var head: [UInt8] = []
        while true {
            let count = framing.consume(unread[...], onlyHeader: true)
            head += unread[..<count]
            unread.removeFirst(count)
            if framing.isHeaderComplete { return head }
            if hasClientEnded { throw Ended(end: .clientClosed) }
            let ready = Socket.waitForInput([client] + (upstream.map { [$0] } ?? []))
            if ready[0] { try readAhead() }
            guard ready.count > 1, ready[1], let bytes = try receiveFromServer() else { continue }
            guard client.send(bytes) else { throw Ended(end: .clientClosed) }
        }
    }

    private func advance(_ exchange: inout ProxyExchange) throws(Ended) {
        if !exchange.request.isComplete, !unread.isEmpty {
            let (count, actions) = exchange.takeRequest(unread)
            unread.removeFirst(count)
            return try perform(actions, .request, &exchange)
        }
        if hasClientEnded, !exchange.request.isComplete { throw Ended(end: .clientClosed) }
        let isListening = !hasClientEnded && unread.count < Self.readAheadBytes
        let sockets = (isListening ? [client] : []) + (upstream.map { [$0] } ?? [])
        guard !sockets.isEmpty else { throw Ended(end: .clientClosed) }
        let ready = Socket.waitForInput(sockets)
        if isListening, ready[0] { try readAhead() }
        guard upstream != nil, ready[sockets.count - 1] else { return }
        if let bytes = try receiveFromServer(of: &exchange) {
            try perform(exchange.takeResponse(bytes), .response, &exchange)
        }
    }

    private func readAhead() throws(Ended) {
        guard let bytes = client.receive() else { throw Ended(end: .clientClosed) }
        unread += bytes
        guard bytes.isEmpty else { return }
        hasClientEnded = true
        upstream?.finishSending()
    }

    /// The server's bytes between two exchanges.
    private func receiveFromServer() throws(Ended) -> [UInt8]? {
        guard let bytes = upstream?.receive() else { throw Ended(end: .serverLost) }
        guard !bytes.isEmpty else { throw Ended(end: .serverClosed) }
        return bytes
    }

    /// The server's bytes of a response, which the end of the connection completes if it has no length.
    private func receiveFromServer(of exchange: inout ProxyExchange) throws(Ended) -> [UInt8]? {
        guard let bytes = upstream?.receive() else { throw Ended(end: .serverLost) }
        guard bytes.isEmpty else { return bytes }
        try perform(exchange.endResponse(), .response, &exchange)
        throw Ended(end: .serverClosed)
    }

    private func perform(
        _ actions: [FaultShaper.Action], _ direction: NetworkFault.Direction, _ exchange: inout ProxyExchange
    ) throws(Ended) {
        defer { record(exchange) }
        for action in actions {
            switch action {
            case .send(let bytes): try send(bytes, direction, &exchange)
            case .wait(let time): server.pause(time)
            case .finishSending: (direction == .request ? upstream : client)?.finishSending()
            case .swallow:
                record(exchange)
                try swallow()
            case .close: throw Ended(end: .closed)
            case .reset: throw Ended(end: .reset)
            }
        }
    }

    private func send(
        _ bytes: [UInt8], _ direction: NetworkFault.Direction, _ exchange: inout ProxyExchange
    ) throws(Ended) {
        guard !bytes.isEmpty else { return }
        let isSent = try direction == .request ? connected().send(bytes) : client.send(bytes)
        guard isSent else { throw Ended(end: direction == .request ? .serverClosed : .clientClosed) }
        exchange.noteSent(bytes.count, direction)
        record(exchange)
    }

    private func record(_ exchange: ProxyExchange) {
        journal.update { journal in
            let last = journal.connections[index].exchanges.count - 1
            exchange.report(to: &journal.connections[index].exchanges[last])
        }
    }

    /// The connection to the server, which is opened on first use.
    private func connected() throws(Ended) -> Socket {
        if let upstream { return upstream }
        guard let socket = try? Socket.connected(port: upstreamPort), server.register(socket, for: index) else {
            throw Ended(end: .serverLost)
        }
        upstream = socket
        return socket
    }

    private func swallow() throws(Ended) {
        while !hasClientEnded {
            _ = Socket.waitForInput([client])
            try readAhead()
            unread = []
        }
        throw Ended(end: .clientClosed)
    }

    /// The request head with the server's port instead of the proxy's, which loopback servers check.
    private func renamingHost(in head: [UInt8]) -> [UInt8] {
        let lines = head.split(separator: 0x0A, omittingEmptySubsequences: false).map { line -> [UInt8] in
            guard String(decoding: line.prefix(5), as: UTF8.self).lowercased() == "host:" else { return Array(line) }
            let text = String(decoding: line, as: UTF8.self)
            return Array(text.replacing(bytes: ":\(server.port)", with: ":\(upstreamPort)").utf8)
        }
        return Array(lines.joined(separator: [0x0A]))
    }
}
