// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Testing

@testable import RestBulk

@Suite("The steps of a part of a load")
struct LoadPartTests {
    /// A platform on which only the closing of a job matters.
    private struct Model {
        var jobs: [String: Bool] = [:]
        var closed = 0
    }

    private static let cut = LoadRecord.Part(
        number: 1, before: 0, rows: 10, start: nil, end: nil, bytes: 100, hash: "h")

    private func job(_ id: String, _ state: BulkJob.State) throws -> BulkJob {
        try BulkJob(["id": JSONValue(id), "state": JSONValue(state.rawValue)] as JSONValue, .ingest)
    }

    @Test("whatever is lost and whenever the process dies, exactly one job of a part is closed")
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
                // 0: the request is lost, 1: the answer is lost, 2: the process dies before it notes the answer.
                let fate = Int.random(in: 0..<6, using: &random)
                let answer = fate == 0 ? nil : try perform(step, &model)
                if fate == 2 {
                    part = LoadPart(Self.cut)
                    for phase in noted { part.restore(phase) }
                    continue
                }
                let seen = fate < 2 ? lost(step) : answer
                if let seen, let phase = part.apply(seen, to: step) { noted.append(phase) }
            }
            #expect(model.closed == 1)
            #expect(part.isOver && part.ending?.processed == 10)
        }
    }

    private func lost(_ step: LoadPart.Step) -> LoadPart.Answer? {
        switch step {
        case .wait: nil
        case .giveUp: .givenUp
        default: .unclear
        }
    }

    private func perform(_ step: LoadPart.Step, _ model: inout Model) throws -> LoadPart.Answer {
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

    @Test("a job that was made by another process is given up, not filled: its rows may be there already")
    func stale() {
        var part = LoadPart(Self.cut)
        part.restore(.made(job: "750000000000001"))
        #expect(part.next == .giveUp(job: "750000000000001"))
        _ = part.apply(.givenUp, to: .giveUp(job: "750000000000001"))
        #expect(part.next == .create && part.job == nil)
    }

    @Test("a job that is gone after its closing was noted leaves its rows unknown, and no second job is made")
    func gone() {
        var part = LoadPart(Self.cut)
        part.restore(.closing(job: "750000000000001"))
        #expect(part.next == .look(job: "750000000000001"))
        _ = part.apply(.gone, to: .look(job: "750000000000001"))
        #expect(part.isOver && part.ending == nil && part.job == "750000000000001")
    }
}
