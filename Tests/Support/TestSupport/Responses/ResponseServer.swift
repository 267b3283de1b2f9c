// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTesting
package import RestTransport
import Synchronization

/// A server on 127.0.0.1 that sends the raw response that the request's path names, with the request's number.
package final class ResponseServer: Sendable {
    /// The maximum size of a request.
    private static let longestRequest = 65_536

    package var port: Int { server.port }
    private let server: ConnectionServer
    private let stopped = Watched(false)

    /// Starts a server.
    ///
    /// - Parameter responses: the responses, which requests name by index.
    /// - Throws: an error if no socket can be opened.
    package init(_ responses: [RawResponse]) throws {
        server = try ConnectionServer {
        } onStop: { [stopped] in
            stopped.update { $0 = true }
        } handler: { server, _, socket in
            Self.serve(responses, on: socket, server)
        } onClose: { _ in
        }
    }

    package static func path(of number: Int, _ index: Int) -> String { "/\(number)/\(index)" }

    /// Closes the listener and every connection.
    package func stop() async {
        server.stop()
        _ = await stopped.wait { $0 }
    }

    private static func serve(_ responses: [RawResponse], on socket: Socket, _ server: ConnectionServer) {
        var unread: [UInt8] = []
        while let (number, index) = nextRequest(on: socket, &unread), responses.indices.contains(index) {
            let reply = responses[index]
            for (position, chunk) in reply.chunks(for: number).enumerated() {
                guard position == 0 || server.pause(.milliseconds(2)), socket.send(chunk) else { return }
            }
            if reply.closes { return drain(socket) }
        }
    }

    /// Shuts down the sending side and reads the rest, because closing immediately could discard sent bytes.
    private static func drain(_ socket: Socket) {
        socket.finishSending()
        while let bytes = socket.receive(), !bytes.isEmpty {}
    }

    /// Returns the number and the response that the next request names.
    private static func nextRequest(on socket: Socket, _ unread: inout [UInt8]) -> (number: Int, index: Int)? {
        var framing = MessageFraming.request
        while !framing.isComplete {
            let count = framing.consume(unread[...])
            unread.removeFirst(count)
            guard !framing.isComplete else { break }
            guard unread.count < longestRequest, let bytes = socket.receive(), !bytes.isEmpty else { return nil }
            unread += bytes
        }
        let target = framing.firstLine.split(byte: " ").dropFirst().first ?? ""
        let parts = target.split(byte: "/").compactMap { Int($0) }
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
}

/// Sends calls with ordinary and odd responses in random order, and verifies that each call receives its own.
package final class ResponseMix: Sendable {
    /// The errors found.
    package struct Tally: Sendable {
        package var calls = 0
        /// Calls that received the response of another call, or an unknown response.
        package var swapped: [String] = []
        /// Calls that timed out.
        package var hung: [String] = []
        /// Calls whose response was accepted or rejected wrongly, or rejected for the wrong reason.
        package var verdicts: [String] = []
    }

    /// All responses, beginning with the ordinary ones.
    package static let responses = RawResponses.ordinary + RawResponses.odd

    private let origin: Origin
    private let transport: any HTTPTransport
    private let patience: Duration
    private let tally = Mutex(Tally())

    /// Creates a mix.
    ///
    /// - Parameters:
    ///   - origin: the origin of a `ResponseServer` with ``responses``.
    ///   - transport: the transport under test.
    ///   - patience: the timeout of each call.
    package init(at origin: Origin, on transport: any HTTPTransport, patience: Duration = .seconds(20)) {
        self.origin = origin
        self.transport = transport
        self.patience = patience
    }

    package var result: Tally { tally.withLock { $0 } }

    /// Sends a call for each odd response, followed by an ordinary one, one after another.
    package func runInTurn() async {
        for index in Self.responses.indices {
            for place in [index, index % RawResponses.ordinary.count] { await call(nextNumber(), place) }
        }
    }

    /// The indices of responses with a false HTTP version, a fifth of the result, and of ordinary responses.
    package static let liars: [Int] = {
        let places = responses.indices.filter {
            responses[$0].name.hasBytes("HTTP/2") && responses[$0].verdict == .refused
        }
        return places + (0..<places.count * 4).map { $0 % RawResponses.ordinary.count }
    }()

    /// Sends calls with random responses.
    ///
    /// - Parameters:
    ///   - total: the number of calls.
    ///   - width: the number of concurrent calls.
    ///   - seed: the seed of the order.
    ///   - places: the indices to choose from. If it is empty, all responses and as many ordinary ones.
    package func run(_ total: Int, atATime width: Int, seed: UInt64, among places: [Int] = []) async {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<width {
                group.addTask { await self.run(stride(from: worker, to: total, by: width), seed: seed, places) }
            }
        }
    }

    private func run(_ turns: StrideTo<Int>, seed: UInt64, _ places: [Int]) async {
        for turn in turns {
            var generator = SeededGenerator(seed: seed, path: [turn])
            await call(nextNumber(), places.randomElement(using: &generator) ?? Self.draw(&generator))
        }
    }

    /// Half of the responses are ordinary.
    private static func draw(_ generator: inout SeededGenerator) -> Int {
        let count = Bool.random(using: &generator) ? RawResponses.ordinary.count : responses.count
        return Int.random(in: 0..<count, using: &generator)
    }

    private func nextNumber() -> Int {
        tally.withLock { tally in
            tally.calls += 1
            return tally.calls
        }
    }

    private func call(_ number: Int, _ index: Int) async {
        let reply = Self.responses[index]
        let url = HTTPURL(origin: origin, path: ResponseServer.path(of: number, index))
        let result: Result<HTTPResponse, TransportError>
        do throws(TransportError) {
            let request = HTTPRequest(method: reply.method, url: url)
            result = .success(try await transport.send(request, deadline: .now + patience))
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success(let response): check(response, reply, number)
        case .failure(let error): check(error, reply, number)
        }
    }

    private func check(_ response: HTTPResponse, _ reply: RawResponse, _ number: Int) {
        let expected = reply.verdict == .accepted ? reply.expectedBody(for: number) : nil
        let isOwn = response.head.fields[RawResponse.numberField] == RawResponse.digits(of: number)
        let body = String(decoding: response.body.prefix(80), as: UTF8.self)
        if reply.verdict == .refused {
            note(\.verdicts, reply, number, "was read, with status \(response.head.status)")
        } else if !isOwn || expected.map({ $0 != response.body }) == true {
            let found = response.head.fields[RawResponse.numberField] ?? "none"
            note(\.swapped, reply, number, "got the answer \(found) with the body '\(body)'")
        }
    }

    private func check(_ error: TransportError, _ reply: RawResponse, _ number: Int) {
        let codes: Set<TransportError.Code> = [.invalidResponse, .connectionLost, .tooLarge]
        if error.code == .timedOut {
            note(\.hung, reply, number, "got nothing")
        } else if reply.verdict == .accepted || !codes.contains(error.code) || !error.mayHaveReachedServer {
            note(\.verdicts, reply, number, "failed: \(error)")
        }
    }

    private func note(
        _ kind: any WritableKeyPath<Tally, [String]> & Sendable, _ reply: RawResponse, _ number: Int, _ what: String
    ) {
        tally.withLock { $0[keyPath: kind].append("call \(number) for \(reply.name) \(what)") }
    }
}
