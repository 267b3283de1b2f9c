// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTesting
package import RestTransport
import Synchronization

/// A server on 127.0.0.1 that gives each request the raw answer it names by its path, with the request's own number.
package final class AnswerServer: Sendable {
    /// The longest request that is read.
    private static let longestRequest = 65_536

    /// The port the server listens on.
    package var port: Int { server.port }
    private let server: ConnectionServer
    private let stopped = Watched(false)

    /// Starts a server.
    ///
    /// - Parameter answers: what can be asked for, each by its place.
    /// - Throws: an error when no socket can be opened.
    package init(_ answers: [RawAnswer]) throws {
        server = try ConnectionServer {
        } onStop: { [stopped] in
            stopped.update { $0 = true }
        } handler: { server, _, socket in
            Self.serve(answers, on: socket, server)
        } onClose: { _ in
        }
    }

    /// Where an answer is asked for.
    package static func path(of number: Int, _ index: Int) -> String { "/\(number)/\(index)" }

    /// Closes the listener and every connection.
    package func stop() async {
        server.stop()
        _ = await stopped.wait { $0 }
    }

    private static func serve(_ answers: [RawAnswer], on socket: Socket, _ server: ConnectionServer) {
        var unread: [UInt8] = []
        while let (number, index) = nextRequest(on: socket, &unread), answers.indices.contains(index) {
            let answer = answers[index]
            for (position, piece) in answer.pieces(for: number).enumerated() {
                guard position == 0 || server.pause(.milliseconds(2)), socket.send(piece) else { return }
            }
            if answer.closes { return drain(socket) }
        }
    }

    /// Ends the sending side and reads the rest; closing at once could discard what was sent.
    private static func drain(_ socket: Socket) {
        socket.finishSending()
        while let bytes = socket.receive(), !bytes.isEmpty {}
    }

    /// The number and the answer that the next request names.
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

/// Sends calls with ordinary and odd answers in every order, and checks that each call got its own.
package final class AnswerMix: Sendable {
    /// What went wrong.
    package struct Tally: Sendable {
        /// How many calls were made.
        package var calls = 0
        /// Calls that got the answer of another, or none of theirs.
        package var swapped: [String] = []
        /// Calls that came to their deadline.
        package var hung: [String] = []
        /// Calls whose answer was read where it must be refused, or the other way round, or refused as what it is not.
        package var verdicts: [String] = []
    }

    /// Every answer that can be asked for; the ordinary ones come first.
    package static let answers = RawAnswers.ordinary + RawAnswers.odd

    private let origin: Origin
    private let transport: any HTTPTransport
    private let patience: Duration
    private let tally = Mutex(Tally())

    /// Makes a mix.
    ///
    /// - Parameters:
    ///   - origin: where an `AnswerServer` of `answers` is reached.
    ///   - transport: what is tried.
    ///   - patience: the deadline of each call.
    package init(at origin: Origin, on transport: any HTTPTransport, patience: Duration = .seconds(20)) {
        self.origin = origin
        self.transport = transport
        self.patience = patience
    }

    /// What went wrong so far.
    package var result: Tally { tally.withLock { $0 } }

    /// Each odd answer and then an ordinary one, one call after the other.
    package func runInTurn() async {
        for index in Self.answers.indices {
            for place in [index, index % RawAnswers.ordinary.count] { await call(nextNumber(), place) }
        }
    }

    /// The places of answers that lie about their version of HTTP, a fifth of them, and of ordinary ones.
    package static let liars: [Int] = {
        let places = answers.indices.filter { answers[$0].name.hasBytes("HTTP/2") && answers[$0].verdict == .refused }
        return places + (0..<places.count * 4).map { $0 % RawAnswers.ordinary.count }
    }()

    /// Sends calls whose answers a seed chooses.
    ///
    /// - Parameters:
    ///   - total: the number of calls.
    ///   - width: how many of them run at a time.
    ///   - seed: decides the order of the answers.
    ///   - places: the answers to choose from; if there are none, all of them and as many ordinary ones.
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

    /// Every second answer is an ordinary one.
    private static func draw(_ generator: inout SeededGenerator) -> Int {
        let count = Bool.random(using: &generator) ? RawAnswers.ordinary.count : answers.count
        return Int.random(in: 0..<count, using: &generator)
    }

    private func nextNumber() -> Int {
        tally.withLock { tally in
            tally.calls += 1
            return tally.calls
        }
    }

    private func call(_ number: Int, _ index: Int) async {
        let answer = Self.answers[index]
        let url = HTTPURL(origin: origin, path: AnswerServer.path(of: number, index))
        let result: Result<HTTPResponse, TransportError>
        do throws(TransportError) {
            let request = HTTPRequest(method: answer.method, url: url)
            result = .success(try await transport.send(request, deadline: .now + patience))
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success(let response): check(response, answer, number)
        case .failure(let error): check(error, answer, number)
        }
    }

    private func check(_ response: HTTPResponse, _ answer: RawAnswer, _ number: Int) {
        let expected = answer.verdict == .accepted ? answer.expectedBody(for: number) : nil
        let isOwn = response.head.fields[RawAnswer.numberField] == RawAnswer.digits(of: number)
        let body = String(decoding: response.body.prefix(80), as: UTF8.self)
        if answer.verdict == .refused {
            note(\.verdicts, answer, number, "was read, with status \(response.head.status)")
        } else if !isOwn || expected.map({ $0 != response.body }) == true {
            let found = response.head.fields[RawAnswer.numberField] ?? "none"
            note(\.swapped, answer, number, "got the answer \(found) with the body '\(body)'")
        }
    }

    private func check(_ error: TransportError, _ answer: RawAnswer, _ number: Int) {
        let codes: Set<TransportError.Code> = [.invalidResponse, .connectionLost, .tooLarge]
        if error.code == .timedOut {
            note(\.hung, answer, number, "got nothing")
        } else if answer.verdict == .accepted || !codes.contains(error.code) || !error.mayHaveReachedServer {
            note(\.verdicts, answer, number, "failed: \(error)")
        }
    }

    private func note(
        _ kind: any WritableKeyPath<Tally, [String]> & Sendable, _ answer: RawAnswer, _ number: Int, _ what: String
    ) {
        tally.withLock { $0[keyPath: kind].append("call \(number) for \(answer.name) \(what)") }
    }
}
