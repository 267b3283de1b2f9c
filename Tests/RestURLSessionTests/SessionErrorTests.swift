// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport
import Testing

@testable import RestURLSession

@Suite("Errors of URLSession, and whether they prove that nothing was sent")
struct SessionErrorTests {
    private static let connecting: [(URLError.Code, TransportError.Code)] = [
        (.cannotFindHost, .hostNotFound), (.cannotConnectToHost, .notConnected),
        (.notConnectedToInternet, .notConnected), (.dataNotAllowed, .notConnected), (.callIsActive, .notConnected),
        (.internationalRoamingOff, .notConnected), (.secureConnectionFailed, .tls), (.clientCertificateRequired, .tls),
    ]

    private func error(_ code: URLError.Code, words: String = "", _ evidence: SendEvidence) -> TransportError {
        TransportError(
            sessionError: URLError(code, userInfo: words.isEmpty ? [:] : [NSLocalizedDescriptionKey: words]),
            after: evidence)
    }

    @Test("No error code alone proves that nothing was sent", arguments: connecting.indices)
    func codes(index: Int) {
        let (session, code) = Self.connecting[index]
        let unsent = error(session, SendEvidence(hasBegun: false))
        #expect(unsent.code == code)
        #expect(!unsent.mayHaveReachedServer)
        for evidence in [
            SendEvidence(), SendEvidence(hasBegun: true), SendEvidence(sentBytes: 1, hasBegun: false),
            SendEvidence(hasHead: true, hasBegun: false),
        ] {
            let error = error(session, evidence)
            #expect(error.code == code)
            #expect(error.mayHaveReachedServer, "\(evidence)")
        }
    }

    @Test("The numbers of URLSession and of the operating system are kept, also in the message")
    func numbers() {
        let refused = NSError(domain: NSPOSIXErrorDomain, code: Int(ECONNREFUSED))
        let network = NSError(domain: "kCFErrorDomainCFNetwork", code: -1004, userInfo: [NSUnderlyingErrorKey: refused])
        let error = TransportError(
            sessionError: URLError(.cannotConnectToHost, userInfo: [NSUnderlyingErrorKey: network]))
        #expect(
            error.systemErrors == [
                TransportError.SystemError(.urlSession, -1004), TransportError.SystemError(.errno, Int(ECONNREFUSED)),
            ])
        #expect(error.message.hasSuffix("(URLSession -1004, errno \(ECONNREFUSED): Connection refused)"))
        let stream = NSError(
            domain: "kCFErrorDomainCFNetwork", code: -1004,
            userInfo: ["_kCFStreamErrorDomainKey": 1, "_kCFStreamErrorCodeKey": Int(EHOSTUNREACH)])
        let other = TransportError(
            sessionError: URLError(.cannotConnectToHost, userInfo: [NSUnderlyingErrorKey: stream]))
        #expect(other.systemErrors.last == TransportError.SystemError(.errno, Int(EHOSTUNREACH)))
        #expect(
            TransportError(sessionError: URLError(.badURL)).systemErrors == [
                TransportError.SystemError(.urlSession, -1000)
            ])
    }

    @Test("A lost connection never proves that nothing was sent, and an invalid URL always does")
    func certain() {
        for code in [URLError.Code.networkConnectionLost, .timedOut, .cancelled, .badServerResponse, .unknown] {
            #expect(error(code, SendEvidence(hasBegun: false)).mayHaveReachedServer)
        }
        for code in [URLError.Code.badURL, .unsupportedURL] {
            #expect(!error(code, SendEvidence()).mayHaveReachedServer)
        }
        let words = "Received HTTP/0.9 when not allowed"
        #expect(error(.unsupportedURL, words: words, SendEvidence()).mayHaveReachedServer)
    }

    @Test(
        "Messages of libcurl about a failed connection prove it, and messages about an open connection do not",
        arguments: [
            ("Could not resolve host: a.invalid", .hostNotFound, true),
            ("Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server", .notConnected, true),
            ("SSL certificate problem: self-signed certificate", .tls, true),
            ("SSL: no alternative certificate subject name matches target host name 'a'", .tls, true),
            ("OpenSSL SSL_connect: Connection reset by peer in connection to a:443 ", .tls, true),
            ("SSL_write() error: error:0A000126:SSL routines::unexpected eof while reading", .connectionLost, false),
            ("SSL_write() returned SYSCALL, errno = 104", .connectionLost, false),
            ("OpenSSL SSL_read: Connection reset by peer, errno 104", .connectionLost, false),
            (
                "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required", .connectionLost,
                false
            ),
            ("Recv failure: Connection reset by peer", .connectionLost, false),
        ] as [(String, TransportError.Code, Bool)])
    func words(text: String, code: TransportError.Code, isProof: Bool) {
        let told = error(.unknown, words: text, SendEvidence())
        #expect(told.code == code)
        #expect(told.mayHaveReachedServer == !isProof)
        #expect(error(.unknown, words: text, SendEvidence(sentBytes: 1)).mayHaveReachedServer)
        #expect(error(.unknown, words: text, SendEvidence(hasBegun: true)).mayHaveReachedServer)
    }

    @Test("A key that is not pinned proves it only if no earlier connection carried the request")
    func distrust() {
        for (hasBegun, mayHave) in [(false, false), (true, true), (nil, true)] as [(Bool?, Bool)] {
            var state = SessionCall.State(
                receiver: ResponseReceiver(
                    limits: SessionConfiguration().bodyLimits, destination: .memory, isHeadRequest: false),
                activity: TransferActivity(last: .now), progress: TransferProgress())
            state.distrust = "not pinned"
            state.hasBegun = hasBegun
            let expected = TransportError(.tls, "not pinned", mayHaveReachedServer: mayHave)
            #expect(state.outcome(of: URLError(.cancelled)) == .failure(expected))
        }
    }
}

@Suite("Routing of URLSession's callbacks")
struct RoutingTests {
    private final class Call {}
    private typealias Table = RoutingTable<Int, Call>

    private let here = Origin(scheme: .https, host: "a.example")
    private let there = Origin(scheme: .https, host: "b.example")

    @Test("The calls to one origin are limited, and the other calls start in order")
    func gate() {
        var gate = ConnectionGate<Int>(limit: 2)
        let entered = [1, 2, 3, 4].map { enter(&gate, $0, here) }
        #expect(entered == [true, true, false, false])
        #expect(enter(&gate, 5, there))
        #expect(leave(&gate, here) == 3)
        #expect(leave(&gate, here) == 4)
        #expect(leave(&gate, here) == nil)
        #expect(enter(&gate, 6, here))
        #expect(!enter(&gate, 7, here))
        #expect(leave(&gate, there) == nil)
        #expect(leave(&gate, there) == nil)
    }

    @Test("A callback finds its call until the task has ended")
    func routes() {
        var table = Table(limit: 1)
        let call = Call()
        #expect(add(&table, call))
        table.route(1, to: call)
        #expect(table.call(for: 1) === call)
        #expect(table.call(for: 2) == nil)
        let ended = table.endRoute(1)
        #expect(ended === call)
        let again = table.endRoute(1)
        #expect(again == nil)
    }

    @Test("After shutdown no call is added, and the table ends when its last call is removed")
    func shutdown() {
        var table = Table(limit: 1)
        let call = Call()
        _ = add(&table, call)
        let isFirst = table.shutDown()
        let isSecond = table.shutDown()
        #expect(isFirst)
        #expect(!isSecond)
        #expect(!add(&table, Call()))
        #expect(!table.hasEnded)
        let next = table.remove(call, from: nil)
        #expect(next == nil && table.hasEnded)
    }

    @Test("A timer is set only for the earliest time, and a superseded timer does nothing")
    func timers() {
        var table = Table(limit: 1)
        let now = ContinuousClock.now
        let isFirst = table.needsTimer(for: now + .seconds(10))
        let isLater = table.needsTimer(for: now + .seconds(20))
        let isEarlier = table.needsTimer(for: now + .seconds(5))
        #expect(isFirst)
        #expect(!isLater)
        #expect(isEarlier)
        _ = add(&table, Call())
        let due = table.timerFired(for: now + .seconds(5))
        #expect(due?.count == 1)
        let superseded = table.timerFired(for: now + .seconds(10))
        #expect(superseded == nil)
        let isFree = table.needsTimer(for: now + .seconds(30))
        #expect(isFree)
    }

    private func enter(_ gate: inout ConnectionGate<Int>, _ call: Int, _ origin: Origin) -> Bool {
        gate.enter(call, to: origin)
    }
    private func leave(_ gate: inout ConnectionGate<Int>, _ origin: Origin) -> Int? { gate.leave(origin) }
    private func add(_ table: inout Table, _ call: Call) -> Bool { table.add(call) }
}
