// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Clients that send one byte every two seconds, and come again when they are turned away.
struct OrgSlowCrowd {
    private let port: Int
    private let openings: [[UInt8]]
    private let end: ContinuousClock.Instant

    /// What happened to the crowd.
    struct Report {
        var refused = 0
        var ended = 0
    }

    /// Half of them send a header, a quarter a body without a session, a quarter one with it.
    init(_ count: Int, at org: ServerProcess, until end: ContinuousClock.Instant) {
        port = org.port
        self.end = end
        let host = "Host: 127.0.0.1:\(org.port)\r\n"
        let post =
            "POST /services/data/v66.0/sobjects/Account HTTP/1.1\r\n\(host)Content-Type: application/json\r\n"
            + "Content-Length: 1000000\r\n"
        openings = (0..<count).map { number in
            switch number % 4 {
            case 0, 1: Array("GET /services/data HTTP/1.1\r\n\(host)X-Slow: ".utf8)
            case 2: Array("\(post)\r\n".utf8)
            default: Array("\(post)Authorization: Bearer \(org.token)\r\n\r\n".utf8)
            }
        }
    }

    /// Goes on until the end; blocks its thread.
    func run() -> Report {
        var report = Report()
        // Twenty groups, each with its turn every two seconds.
        let groups = (0..<20).map { group in
            SlowGroup(openings.indices.filter { $0 % 20 == group }.map { openings[$0] })
        }
        var turn = 0
        while ContinuousClock.now < end {
            let start = ContinuousClock.now
            groups[turn % 20].turn(port: port, &report)
            turn += 1
            let pause = Duration.milliseconds(100) - (ContinuousClock.now - start)
            if pause > .zero { usleep(UInt32(pause / .microseconds(1))) }
        }
        return report
    }
}

/// Clients that send at the same time.
final class SlowGroup {
    private let openings: [[UInt8]]
    private var sockets: [Connection?]

    private final class Connection {
        let socket: OrgSocket
        init?(port: Int) {
            guard let socket = OrgSocket(port: port) else { return nil }
            self.socket = socket
        }
    }

    init(_ openings: [[UInt8]]) {
        self.openings = openings
        sockets = openings.map { _ in nil }
    }

    /// Each sends a byte, or begins anew.
    func turn(port: Int, _ report: inout OrgSlowCrowd.Report) {
        for index in openings.indices {
            if let connection = sockets[index], !connection.socket.isEnded(), connection.socket.send([0x61]) {
                continue
            }
            if sockets[index] != nil { report.ended += 1 }
            sockets[index] = Connection(port: port)
            guard let connection = sockets[index], connection.socket.send(openings[index]) else {
                report.refused += 1
                continue
            }
        }
    }
}
