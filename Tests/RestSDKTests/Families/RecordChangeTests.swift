// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import Testing

@Suite("Changes of records")
struct RecordChangeTests {
    /// Waits for the next second, because the org's times are in whole seconds.
    private static func mark() -> Date {
        let next = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down) + 1)
        while Date.now < next { Thread.sleep(forTimeInterval: next.timeIntervalSinceNow) }
        return next
    }

    @Test("records created, updated and deleted since a position are reported, deleted ones separately")
    func roundTrip() async throws {
        try await withClient { client, _ in
            let ids = try await client.send(.create((0..<3).map { Record.Draft("Account", ["Name": "Change \($0)"]) }))
                .get()
            let first = RecordChanges.Window.Position(Self.mark())
            _ = try await client.send(.update("Account", id: ids[0], ["Site": "x"]))
            _ = try await client.send(.delete("Account", id: ids[1]))
            let second = Self.mark()
            var windows: [RecordChanges.Window] = []
            for try await window in client.changes(of: "Account", since: first, until: second) {
                windows.append(window)
            }
            let (updated, deleted) = (windows.flatMap(\.updated), windows.flatMap(\.deleted).map(\.id))
            #expect(updated.contains(ids[0]) && !updated.contains(ids[1]))
            #expect(deleted == [ids[1]])
            let position = try #require(windows.last?.position)
            let kept = try JSONDecoder().decode(
                RecordChanges.Window.Position.self, from: try JSONEncoder().encode(position))
            #expect(kept == position)
            _ = try await client.send(.update("Account", id: ids[2], ["Site": "y"]))
            var later: [String] = []
            for try await window in client.changes(of: "Account", since: kept, until: Self.mark()) {
                later += window.updated + window.deleted.map(\.id)
            }
            #expect(later.contains(ids[2]))
        }
    }

    @Test("a position that the server no longer covers is its own error, with a new position")
    func forgotten() async throws {
        try await withClient { client, _ in
            let old = RecordChanges.Window.Position(Date.now.addingTimeInterval(-40 * 86_400))
            let error = await expectFailure(.changesForgotten) {
                for try await _ in client.changes(of: "Account", since: old) {}
            }
            #expect(error?.advice.contains("Read all records") == true)
            let position = try #require(error?.changesPosition)
            #expect(abs(position.date.timeIntervalSinceNow) < 60)
        }
    }

    @Test("times that the server rejects count as forgotten, regardless of their age", arguments: [0.02, 1, 20])
    func refusedTimes(days: Double) async throws {
        let stub = StubTransport()
        let present = "Fri, 15 Jan 2027 08:00:00 GMT"
        stub.enqueue(
            status: 400, fields: ["Date": present],
            #"[{"errorCode":"INVALID_REPLICATION_DATE","message":"startDate before org replication enabled date"}]"#)
        let client = try Self.client(stub)
        let error = await expectFailure(.changesForgotten) {
            for try await _ in client.changes(of: "Account", since: .init(.now.addingTimeInterval(-days * 86_400))) {}
        }
        // The new position is by the server's clock, because later changes have the server's times.
        #expect(error?.changesPosition?.date == Date(timeIntervalSince1970: 1_800_000_000))
    }

    @Test("no requested span is within one minute, which the server would reject")
    func shortSpans() async throws {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        for seconds in [0.001, 1, 59, 61] {
            let stub = StubTransport()
            let end = start.addingTimeInterval(seconds)
            let covered = JSONTimestamp(seconds: 1_800_000_000 + Int64(seconds) / 60 * 60).text ?? ""
            stub.enqueue(#"{"deletedRecords":[],"latestDateCovered":"\#(covered)"}"#)
            stub.enqueue(#"{"ids":[],"latestDateCovered":"\#(covered)"}"#)
            var windows: [RecordChanges.Window] = []
            for try await window in try Self.client(stub).changes(of: "Account", since: .init(start), until: end) {
                windows.append(window)
            }
            #expect(windows.count == 1)
            #expect(windows.first?.start == start.addingTimeInterval(-RecordChanges.overlap))
        }
    }

    @Test("a server with times in whole minutes is read to the end, also in shortened windows")
    func wholeMinutes() async throws {
        let stub = StubTransport()
        let client = try Self.client(stub)
        // Not a whole minute, like most real positions.
        let start = Date(timeIntervalSince1970: 1_800_000_017)
        let end = start.addingTimeInterval(20 * 86_400)
        stub.enqueue(status: 400, #"[{"errorCode":"EXCEEDED_ID_LIMIT","message":"too many"}]"#)
        // Two windows, of which the server covers only whole minutes. Each begins at the end of the previous window.
        let first: Int64 = 1_800_000_000 - 300 + 15 * 86_400
        let second: Int64 = 1_800_000_000 + 20 * 86_400
        for covered in [first, second] {
            let text = JSONTimestamp(seconds: covered).text ?? ""
            stub.enqueue(#"{"deletedRecords":[],"latestDateCovered":"\#(text)"}"#)
            stub.enqueue(#"{"ids":["001000000000001AAA"],"latestDateCovered":"\#(text)"}"#)
        }
        var windows: [RecordChanges.Window] = []
        for try await window in client.changes(of: "Account", since: .init(start), until: end) {
            windows.append(window)
        }
        try #require(windows.count == 2)
        let between = Date(timeIntervalSince1970: TimeInterval(first))
        #expect(windows[0].start == start.addingTimeInterval(-300))
        #expect(windows[0].end == between)
        #expect(windows[1].start == between)
        #expect(windows[1].end == Date(timeIntervalSince1970: TimeInterval(second)))
        #expect(stub.unusedResponses == 0)
    }

    @Test("a window ends at the time that the server has covered, and the next window begins there")
    func coveredEarlier() async throws {
        let stub = StubTransport()
        let client = try Self.client(stub)
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let covered = "2027-01-15T08:02:00.000+0000"
        // The request ends at 08:05 and the server covers 08:02, so later changes are left to the next window.
        for _ in 0..<2 {
            stub.enqueue(
                #"{"deletedRecords":[],"earliestDateAvailable":"2020-01-01T00:00:00.000+0000","latestDateCovered":"\#(covered)"}"#
            )
            stub.enqueue(#"{"ids":["001000000000001AAA","001000000000001AAA"],"latestDateCovered":"\#(covered)"}"#)
        }
        var windows: [RecordChanges.Window] = []
        for try await window in client.changes(
            of: "Account", since: .init(start), until: start.addingTimeInterval(300))
        { windows.append(window) }
        #expect(windows.map(\.updated) == [["001000000000001AAA"]])
        #expect(windows.first?.end == start.addingTimeInterval(120))
        let ends = stub.requests.compactMap(\.url.query).compactMap { $0.split(separator: "&").last.map(String.init) }
        let minutes = ends.compactMap { $0.split(separator: "%3A").dropFirst().first }
        #expect(minutes == ["05", "05", "02", "02"])
    }

    @Test("a window with too many records is halved, and a long span is requested in windows of thirty days")
    func spans() async throws {
        let stub = StubTransport()
        let client = try Self.client(stub)
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        stub.enqueue(status: 400, #"[{"errorCode":"EXCEEDED_ID_LIMIT","message":"too many"}]"#)
        for days in [15, 30, 40] {
            let end = JSONTimestamp(seconds: 1_800_000_000 + Int64(days) * 86_400).text ?? ""
            stub.enqueue(#"{"deletedRecords":[],"latestDateCovered":"\#(end)"}"#)
            stub.enqueue(#"{"ids":["00100000000000\#(days)AA"],"latestDateCovered":"\#(end)"}"#)
        }
        var ids: [String] = []
        for try await window in client.changes(
            of: "Account", since: .init(start), until: start.addingTimeInterval(40 * 86_400))
        { ids += window.updated }
        #expect(ids.count == 3)
        #expect(stub.unusedResponses == 0)
    }

    @Test(
        "a response of another shape is an error",
        arguments: [
            "{}", #"{"deletedRecords":[1],"latestDateCovered":"2027-01-15T08:05:00Z"}"#,
            #"{"deletedRecords":[{"id":"x","deletedDate":"never"}],"latestDateCovered":"2027-01-15T08:05:00Z"}"#,
            #"{"deletedRecords":[],"latestDateCovered":1e999}"#,
        ])
    func otherShapes(body: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        await expectFailure(.decoding) {
            for try await _ in try Self.client(stub).changes(
                of: "Account", since: .init(start), until: start.addingTimeInterval(300))
            {}
        }
    }

    @Test("a server that covers less with each request does not keep the caller waiting forever")
    func shrinking() async throws {
        let stub = StubTransport()
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        for step in 1...30 {
            let end = JSONTimestamp(seconds: 1_800_000_000 + Int64(100 - step) * 60).text ?? ""
            stub.enqueue(#"{"deletedRecords":[],"latestDateCovered":"\#(end)"}"#)
            stub.enqueue(#"{"ids":[],"latestDateCovered":"\#(end)"}"#)
        }
        await expectFailure(.decoding) {
            for try await _ in try Self.client(stub).changes(
                of: "Account", since: .init(start), until: start.addingTimeInterval(6_000))
            {}
        }
        #expect(stub.requests.count == 40)
    }

    @Test("an invalid span is rejected before it is sent")
    func refused() async throws {
        let now = Date.now
        let requests: [(RestRequest, String)] = [
            (.updated("Account", from: now, to: now), "end"),
            (.deleted("Account", from: now, to: now.addingTimeInterval(31 * 86_400)), "end"),
            (.updated(" ", from: now, to: now.addingTimeInterval(60)), "type"),
            (.updated("Account", from: Date(timeIntervalSince1970: 1e15), to: now), "start"),
        ]
        for (request, argument) in requests {
            let error = await expectFailure(.invalidRequest) { try await Self.client(StubTransport()).send(request) }
            #expect(error?.message.hasPrefix("\(argument): ") == true, "\(error?.message ?? "")")
        }
    }

    private static func client(_ stub: StubTransport) throws -> RestClient { try .of(stub) }
}
