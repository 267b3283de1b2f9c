// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTesting

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
