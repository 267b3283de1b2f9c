// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTesting
import RestTransport
import Synchronization

/// A server of Bulk API 2.0 that is fast enough to show a client's own time.
///
/// It renders pages once, and counts and drops uploads. A query's `LIMIT` is the number of rows.
final class BulkStage: Sendable {
    /// The rows of a page, which is also what simple-salesforce requests.
    static let pageRows = 50_000
    private static let columns = (1...10).map { "Field\($0)__c" }

    private let page: [UInt8]
    /// The number of rows of each job, by id.
    private let jobs = Mutex<[String: Int]>([:])

    private init() {
        page = Self.text(rows: Self.pageRows)
    }

    static func text(rows: Int, quoted: Bool = true) -> [UInt8] {
        let quote = quoted ? "\"" : ""
        func line(_ fields: [String]) -> String { fields.map { quote + $0 + quote }.joined(separator: ",") + "\n" }
        let names = quoted ? columns : ["Name"] + columns.dropFirst()
        return Array(line(names).utf8) + (0..<rows).flatMap { Array(line(fields($0)).utf8) }
    }

    private static func fields(_ row: Int) -> [String] {
        [
            "0015g00000\(100_000 + row)AA", "Harbour Lights \(row)", "Banking", "\(Double(row) * 12.5)", "true",
            "2026-01-29T10:11:12.000Z", "Rotterdam", "+31 10 \(row)", "https://example.com/\(row)", "",
        ]
    }

    /// Returns the row as a record of text fields.
    static func record(_ row: Int) -> [(String, String)] { Array(zip(["Name"] + columns.dropFirst(), fields(row))) }

    /// Serves until the parent process closes the input.
    static func serve() throws {
        let stage = BulkStage()
        let listener = try Socket.listening()
        Thread.detachNewThread {
            while true {
                guard let socket = try? listener.accepted(withinMilliseconds: 1_000) else { continue }
                Thread.detachNewThread { stage.serve(socket) }
            }
        }
        try ServerProcess.serve(port: listener.port, token: "token")
    }

    private func serve(_ socket: Socket) {
        var unread: [UInt8] = []
        while let head = Self.head(on: socket, &unread) {
            var lines = 0
            var body: [UInt8] = []
            var left = head.length
            while left > 0 {
                if unread.isEmpty {
                    guard let bytes = socket.receive(upTo: 1 << 20), !bytes.isEmpty else { return }
                    unread = bytes
                }
                let chunk = unread.prefix(left)
                left -= chunk.count
                if head.length < 10_000 { body += chunk }
                for byte in chunk where byte == UInt8(ascii: "\n") { lines += 1 }
                unread.removeFirst(chunk.count)
            }
            guard respond(head.line, String(decoding: body, as: UTF8.self), lines, socket) else { return }
        }
    }

    private static func head(on socket: Socket, _ unread: inout [UInt8]) -> (line: String, length: Int)? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = unread.firstRange(of: end) {
                let lines = String(decoding: unread[..<range.lowerBound], as: UTF8.self).split(separator: "\r\n")
                unread.removeFirst(range.upperBound)
                let fields = lines.map { $0.lowercased() }
                let length =
                    fields.first { $0.hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
                if fields.contains(where: { $0.hasPrefix("expect:") }) {
                    _ = socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                }
                return (String(lines.first ?? ""), length)
            }
            guard let bytes = socket.receive(), !bytes.isEmpty else { return nil }
            unread += bytes
        }
    }

    private func respond(_ line: String, _ body: String, _ lines: Int, _ socket: Socket) -> Bool {
        let words = line.split(separator: " ").map(String.init)
        let target = words.count > 1 ? words[1].split(separator: "?").map(String.init) : []
        let path = (target.first ?? "").split(separator: "/").map(String.init)
        guard path.count > 4 else { return false }
        switch (words[0], path.count > 6 ? path[6] : "") {
        case ("POST", _):
            let rows = body.split(separator: "LIMIT ").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
            let id = jobs.withLock { jobs in
                let id = "750\(100_000_000_000 + jobs.count)"
                jobs[id] = rows
                return id
            }
            return send(job(id, path[4] == "query" ? "JobComplete" : "Open"), on: socket)
        case ("PUT", _):
            jobs.withLock { $0[path[5]] = lines - 1 }
            return socket.send(Array("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n".utf8))
        case ("PATCH", _): return send(job(path[5], "UploadComplete"), on: socket)
        case (_, "results"): return sendPage(target.count > 1 ? target[1] : "", path[5], socket)
        default: return send(job(path[5], "JobComplete"), on: socket)
        }
    }

    private func job(_ id: String, _ state: String) -> String {
        let rows = jobs.withLock { $0[id] ?? 0 }
        return """
            {"id":"\(id)","state":"\(state)","operation":"query","object":"Account","apiVersion":66.0,\
            "createdDate":"2026-01-29T10:11:12.000+0000","lineEnding":"LF","columnDelimiter":"COMMA",\
            "numberRecordsProcessed":\(rows),"numberRecordsFailed":0}
            """
    }

    private func send(_ json: String, on socket: Socket) -> Bool {
        let body = Array(json.utf8)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        return socket.send(Array(head.utf8) + body)
    }

    private func sendPage(_ query: String, _ id: String, _ socket: Socket) -> Bool {
        let total = jobs.withLock { $0[id] ?? 0 }
        let item = query.split(separator: "&").first { $0.hasPrefix("locator=") }
        let number = item.flatMap { Int($0.dropFirst(8)) } ?? 0
        let rows = min(Self.pageRows, total - number * Self.pageRows)
        let isLast = (number + 1) * Self.pageRows >= total
        let body = rows == Self.pageRows ? page : Self.text(rows: max(0, rows))
        let head = """
            HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: \(body.count)\r\n\
            Sforce-NumberOfRecords: \(max(0, rows))\r\nSforce-Locator: \(isLast ? "null" : "\(number + 1)")\r\n\r\n
            """
        return socket.send(Array(head.utf8)) && socket.send(body)
    }
}
