// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestBulk
@testable import RestCSV

@Suite("Counting, splitting and finding rows")
struct PartsTests {
    @Test("rows are counted as the CSV reader finds them, for every division into chunks")
    func counts() throws {
        var random = SeededGenerator(seed: 7)
        let parts = ["\"", "\"\"", ",", "\n", "a", "é", "日本", String(repeating: "long ", count: 20)]
        for _ in 0..<400 {
            var writer = try CSVWriter(.platform())
            let rows = Int.random(in: 0..<40, using: &random)
            for _ in 0..<rows {
                let fields = (0..<3).map { _ in
                    (0..<Int.random(in: 0..<4, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
                        .joined()
                }
                try writer.append(row: fields)
            }
            let bytes = writer.takeBytes()
            var counter = CSVRowCounter()
            var rest = bytes[...]
            while !rest.isEmpty {
                let chunk = rest.prefix(Int.random(in: 1..<200, using: &random))
                counter.count(chunk)
                rest = rest.dropFirst(chunk.count)
            }
            #expect(counter.rows == rows && !counter.isInQuotes && !counter.isInRow)
        }
    }

    @Test("text that stops inside quotes, or inside a row, is detected")
    func open() {
        var counter = CSVRowCounter()
        counter.count(Array("a,\"b\n".utf8)[...])
        #expect(counter.rows == 0 && counter.isInQuotes && counter.isInRow)
        counter.count(Array("\",c\nd".utf8)[...])
        #expect(counter.rows == 1 && !counter.isInQuotes && counter.isInRow)
        counter.count([])
        #expect(counter.isInRow)
    }

    @Test("a header is cut off, including line breaks inside its quotes", arguments: 1...9)
    func header(size: Int) throws {
        var splitter = HeaderSplitter()
        var rest: [UInt8] = []
        for chunk in stride(from: 0, to: 14, by: size) {
            rest += try splitter.push(Array(Array("\"a\nb\",c\r\nd,e\nf".utf8)[chunk..<min(14, chunk + size)]))
        }
        splitter.finish()
        #expect(splitter.header == Array("\"a\nb\",c\r\n".utf8))
        #expect(rest == Array("d,e\nf".utf8.prefix(rest.count)))
    }

    @Test("a header that does not end is rejected")
    func endless() {
        var splitter = HeaderSplitter()
        #expect(throws: BulkError.self) {
            for _ in 0..<3 { _ = try splitter.push([UInt8](repeating: 97, count: 1 << 19)) }
        }
    }

    @Test("each of several equal rows is found once, and marked as equal")
    func index() {
        var index = RowIndex()
        for key: UInt64 in [5, 9, 5, 1, 5] { index.add(key) }
        index.finish()
        #expect(index.take(9)?.row == 1)
        #expect(index.take(9) == nil)
        #expect(index.take(7) == nil)
        let taken = (0..<3).map { _ in index.take(5) }
        #expect(taken.map { $0?.row } == [0, 2, 4] && taken.allSatisfy { $0?.isOneOfEqual == true })
        #expect(index.take(5) == nil)
        #expect(index.isLeft(3) && !index.isLeft(0) && !index.isLeft(99))
        #expect(index.hasSeveral(5) && !index.hasSeveral(1))
    }

    @Test("the error of a row is parsed in all its forms")
    func faults() {
        let whole = BulkRowResult.Fault("REQUIRED_FIELD_MISSING:missing: [Name]:Name,Site --", id: "")
        #expect(whole.code == "REQUIRED_FIELD_MISSING" && whole.message == "missing: [Name]")
        #expect(whole.fields == ["Name", "Site"] && whole.id == nil)
        let short = BulkRowResult.Fault("UNKNOWN", id: "001000000000001")
        #expect(short.code == "UNKNOWN" && short.message.isEmpty && short.id != nil)
        #expect(BulkRowResult.Fault("", id: nil).code.isEmpty)
    }

    @Test("an invalid position of another process is rejected")
    func position() throws {
        var position = BulkPosition(job: "750000000000001")
        (position.locator, position.offset, position.rows, position.columns) = ("abc", 12, 3, ["Id"])
        #expect(try BulkPosition(json: position.json()) == position)
        for text in [
            #"{"jobID":"750000000000001","offset":-1,"rows":0}"#, #"{"jobID":"../x","offset":1,"rows":0}"#,
            #"{"jobID":"750000000000001","offset":1,"rows":9223372036854775807}"#,
        ] {
            #expect(throws: (any Error).self) { try BulkPosition(json: Array(text.utf8)) }
        }
    }
}

@Suite("The steps of a part of a load")
struct LoadPartTests {
    /// A server for which only the closing of a job matters.
    private struct Model {
        var jobs: [String: Bool] = [:]
        var closed = 0
    }

    private static let cut = LoadRecord.Part(
        number: 1, before: 0, rows: 10, start: nil, end: nil, bytes: 100, hash: "h")

    private func job(_ id: String, _ state: BulkJob.State) throws -> BulkJob {
        try BulkJob(["id": JSONValue(id), "state": JSONValue(state.rawValue)] as JSONValue, .ingest)
    }

    @Test("exactly one job of a part is closed, whatever is lost and whenever the process dies")
    func oneJob() throws {
        var random = SeededGenerator(seed: 19)
        for _ in 0..<4_000 {
            var (model, part, noted) = (Model(), LoadPart(Self.cut), [LoadPart.Phase]())
            for _ in 0..<200 {
                guard let step = part.next else { break }
                if let phase = part.phase(before: step) {
                    part.enter(phase)
                    noted.append(phase)
                }
                // 0: the request is lost. 1: the response is lost. 2: the process dies before it records the response.
                let fate = Int.random(in: 0..<6, using: &random)
                let response = fate == 0 ? nil : try perform(step, &model)
                if fate == 2 {
                    part = LoadPart(Self.cut)
                    for phase in noted { part.restore(phase) }
                    continue
                }
                let seen = fate < 2 ? lost(step) : response
                if let seen, let phase = part.apply(seen, to: step) { noted.append(phase) }
            }
            #expect(model.closed == 1)
            #expect(part.isOver && part.ending?.processed == 10)
        }
    }

    private func lost(_ step: LoadPart.Step) -> LoadPart.Response? {
        switch step {
        case .wait: nil
        case .giveUp: .givenUp
        default: .unclear
        }
    }

    private func perform(_ step: LoadPart.Step, _ model: inout Model) throws -> LoadPart.Response {
        switch step {
        case .create:
            let id = "750" + String(repeating: "0", count: 9) + "\(100 + model.jobs.count)"
            model.jobs[id] = false
            return .made(job: id)
        case .upload: return .uploaded
        case .close(let job):
            guard model.jobs[job] == false else { return .unclear }
            model.jobs[job] = true
            model.closed += 1
            return .closed
        case .look(let id), .wait(let id):
            guard model.jobs[id] == true else { return .state(try job(id, .open)) }
            var ended = try BulkJob(
                ["id": JSONValue(id), "state": "JobComplete", "numberRecordsProcessed": 10] as JSONValue, .ingest)
            if case .look = step { ended = try job(id, .inProgress) }
            return .state(ended)
        case .giveUp: return .givenUp
        }
    }

    @Test("a job that another process created is abandoned, not filled: it may already have rows")
    func stale() {
        var part = LoadPart(Self.cut)
        part.restore(.made(job: "750000000000001"))
        #expect(part.next == .giveUp(job: "750000000000001"))
        _ = part.apply(.givenUp, to: .giveUp(job: "750000000000001"))
        #expect(part.next == .create && part.job == nil)
    }

    @Test("if a closed job no longer exists, the results of its rows are unknown, and no second job is created")
    func gone() {
        var part = LoadPart(Self.cut)
        part.restore(.closing(job: "750000000000001"))
        #expect(part.next == .look(job: "750000000000001"))
        _ = part.apply(.gone, to: .look(job: "750000000000001"))
        #expect(part.isOver && part.ending == nil && part.job == "750000000000001")
    }
}
