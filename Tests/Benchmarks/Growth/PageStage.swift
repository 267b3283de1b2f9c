// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTesting
import Synchronization

/// A server of query results of any length, which repeats a hundred pages from memory, each with the next page's URL.
///
/// Twenty million records need no disk space, and no time to generate them.
enum PageStage {
    /// Returns a query for a number of records, in whole pages.
    static func query(records: Int) -> String {
        "SELECT Id, Name, Industry, AnnualRevenue, NumberOfEmployees, IsActive__c, Phone, BillingCity, Description, "
            + "CreatedDate FROM Account LIMIT \(records)"
    }

    private static let path = "/services/data/v66.0/query"

    /// Serves until the parent process closes the input.
    static func serve() throws {
        let bodies = try (0..<extent(100, short: 2)).map { number in
            Array(try JSONPage(records: RecordPages.size, seed: UInt64(number)).recordBytes)
        }
        let listener = try Socket.listening()
        Thread.detachNewThread {
            while true {
                guard let socket = try? listener.accepted(withinMilliseconds: 1_000) else { continue }
                Thread.detachNewThread { respond(on: socket, bodies) }
            }
        }
        try ServerProcess.serve(port: listener.port, token: "token")
    }

    private static func respond(on socket: Socket, _ bodies: [[UInt8]]) {
        var unread: [UInt8] = []
        while let bytes = socket.receive(), !bytes.isEmpty {
            unread += bytes
            while let end = unread.firstRange(of: Array("\r\n\r\n".utf8)) {
                let words = String(decoding: unread[..<end.lowerBound], as: UTF8.self).split(separator: " ")
                unread.removeSubrange(..<end.upperBound)
                guard words.count > 1, send(String(words[1]), on: socket, bodies) else { return }
            }
        }
    }

    /// Sends the requested page, and returns `false` if the connection must be closed.
    private static func send(_ target: String, on socket: Socket, _ bodies: [[UInt8]]) -> Bool {
        // The path of a first page ends with the number of records, that of a next page with this number and its own.
        let words = target.replacing("%20", with: " ").split { " +/-".contains($0) }
        let isNext = target.hasPrefix(path + "/")
        let numbers = words.suffix(isNext ? 2 : 1).compactMap { Int($0) }
        guard let total = numbers.first, numbers.count == (isNext ? 2 : 1) else { return false }
        let page = isNext ? numbers[1] : 0
        let isLast = (page + 1) * RecordPages.size >= total
        let next = isLast ? "" : #","nextRecordsUrl":"\#(path)/\#(total)-\#(page + 1)""#
        let start = #"{"totalSize":\#(total),"done":\#(isLast)\#(next),"records":["#
        let body = bodies[page % bodies.count]
        let head = """
            HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(start.utf8.count + body.count + 2)\r
            \r\n
            """
        return socket.send(Array((head + start).utf8)) && socket.send(body) && socket.send(Array("]}".utf8))
    }
}
