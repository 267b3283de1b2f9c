// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestBulk
@testable import RestSDK

@Suite("The plan of a load")
struct LoadPlanTests {
    private static let plan = LoadRecord.Plan(
        object: "Account", operation: "insert", externalID: nil, columns: ["Name"], delimiter: "COMMA",
        lineEnding: "LF", source: nil)

    private static func part(_ number: Int) -> LoadRecord.Part {
        LoadRecord.Part(
            number: number, before: (number - 1) * 10, rows: 10, start: nil, end: nil, bytes: 9, hash: "\(number)")
    }

    private static func state(_ lines: [LoadRecord] = []) -> LoadState {
        ([.plan(plan)] + lines).reduce(into: LoadState()) { _ = $0.add($1) }
    }

    /// A server that completes every job, with the numbers of the parts whose jobs were closed.
    private struct Model {
        let parts: Int
        var jobs = 0
        var closed: [Int] = []

        mutating func respond(_ step: LoadPlan.Step) throws -> LoadPlan.Response {
            switch step {
            case .pass: return .passed
            case .cut(let number, _): return .cut(number <= parts ? LoadPlanTests.part(number) : nil)
            case .part(let part, let step, _): return .part(LoadCalls.Outcome(response: try respond(step, part)))
            }
        }

        private mutating func respond(_ step: LoadPart.Step, _ part: Int) throws -> LoadPart.Response {
            switch step {
            case .create:
                jobs += 1
                return .made(job: "750\(100_000_000_000 + jobs)")
            case .upload: return .uploaded
            case .close:
                closed.append(part)
                return .closed
            case .giveUp: return .givenUp
            case .look(let id), .wait(let id):
                return .state(
                    try BulkJob(
                        ["id": JSONValue(id), "state": "JobComplete", "numberRecordsProcessed": 10] as JSONValue,
                        .ingest))
            }
        }
    }

    @Test("with any order and any transient errors, each part is closed once and the limit of jobs is kept")
    func orders() throws {
        var random = SeededGenerator(seed: 3)
        for seed in 0..<500 {
            var options = BulkLoad.Options(jobsAtOnce: Int.random(in: 1...4, using: &random))
            options.checksAllFirst = Bool.random(using: &random)
            var (plan, model) = (LoadPlan(Self.state(), options), Model(parts: Int.random(in: 0...6, using: &random)))
            var inFlight: [LoadPlan.Step] = []
            var (errors, wasWhole) = (4, false)
            while true {
                while let step = plan.next() { inFlight.append(step) }
                guard !inFlight.isEmpty else { break }
                if options.checksAllFirst, case .part = inFlight[0] { #expect(plan.state.isWhole) }
                let begun = inFlight.count { if case .part = $0 { true } else { false } }
                #expect(begun <= options.jobsAtOnce)
                let step = inFlight.remove(at: Int.random(in: inFlight.indices, using: &random))
                var response = try model.respond(step)
                if case .part(let part, .upload, _) = step, errors > 0, Bool.random(using: &random) {
                    errors -= 1
                    response = .part(.init(response: .unclear, failure: RestError(.notConnected, "down, part \(part)")))
                }
                let line = plan.apply(response, to: step)
                if case .whole = line { wasWhole = true }
            }
            #expect(plan.failure == nil && wasWhole && model.closed.sorted() == Array(1..<(model.parts + 1)), "\(seed)")
            #expect(plan.progress().rowsProcessed == model.parts * 10)
        }
    }

    @Test("after a permanent error, the parts in progress finish and no other part starts")
    func failure() throws {
        var (plan, model) = (LoadPlan(Self.state(), .init(jobsAtOnce: 2)), Model(parts: 5))
        var steps: [LoadPlan.Step] = []
        while true {
            while let step = plan.next() { steps.append(step) }
            guard !steps.isEmpty else { break }
            let step = steps.removeFirst()
            if case .part(1, .upload, _) = step {
                let response = LoadCalls.Outcome(response: .unclear, failure: RestError(.api, "no"))
                _ = plan.apply(.part(response), to: step)
            } else {
                _ = plan.apply(try model.respond(step), to: step)
            }
        }
        #expect(model.closed == [2] && plan.failure?.rest?.code == .api)
        #expect(plan.state.parts.prefix(2).map(\.isOver) == [false, true])
    }

    @Test("transient errors are counted until the part makes progress, and eight in a row end the load")
    func failures() throws {
        var (plan, model, counts) = (LoadPlan(Self.state(), .init()), Model(parts: 1), [Int]())
        while let step = plan.next(), counts.count < 20 {
            guard case .part(_, .create, let after) = step else {
                _ = plan.apply(try model.respond(step), to: step)
                continue
            }
            counts.append(after?.count ?? 0)
            let error = RestError(.server, "down", outcome: .notApplied)
            _ = plan.apply(.part(.init(response: .notDone, failure: error)), to: step)
        }
        #expect(counts == Array(0..<8) && plan.failure?.rest?.code == .server)
    }

    @Test("the rows of an earlier run's parts are read again before a step, unless all rows were in parts")
    func passing() throws {
        let lines = [LoadRecord.part(Self.part(1)), .step(part: 1, .creating)]
        var (plan, model) = (LoadPlan(Self.state(lines), .init()), Model(parts: 1))
        guard let first = plan.next(), case .pass(let parts) = first else { throw TestFailure() }
        let second = plan.next()
        #expect(parts == [Self.part(1)] && second == nil)
        _ = plan.apply(try model.respond(first), to: first)
        guard case .part(1, .create, nil) = plan.next() else { throw TestFailure() }
        var whole = LoadPlan(Self.state(lines + [.whole(rows: 10)]), .init())
        guard case .part(1, .create, nil) = whole.next() else { throw TestFailure() }
        var changed = LoadPlan(Self.state(lines), .init())
        if let step = changed.next() { _ = changed.apply(.failed(BulkError(.sourceChanged, "other rows")), to: step) }
        let next = changed.next()
        #expect(next == nil && changed.failure?.code == .sourceChanged)
    }

    private struct TestFailure: Error {}

    @Test("if a line cannot be written to the journal, nothing is sent for it and the load ends")
    func journal() async throws {
        let folder = try TemporaryDirectory()
        let journal = try WorkJournal<LoadState>(path: folder.path("load"))
        for line in [LoadRecord.plan(Self.plan), .part(Self.part(1)), .whole(rows: 10)] { try journal.add(line) }
        let run = WorkRun(LoadPlan(journal.content, .init()), journal: journal)
        let model = Mutex(Model(parts: 1))
        let reports = Mutex(0)
        await run.run(
            reportingTo: { _ in reports.withLock { $0 += 1 } },
            { step in
                if case .part(_, .upload, _) = step { journal.close() }
                do { return try model.withLock { try $0.respond(step) } } catch {
                    return .failed(BulkError(.response, "\(error)"))
                }
            })
        #expect(model.withLock { $0.jobs == 1 && $0.closed.isEmpty })
        #expect(run.read(\.failure)?.code == .journal && reports.withLock { $0 >= 1 })
        #expect(try WorkJournal<LoadState>(path: folder.path("load")).content.parts[0].job != nil)
    }
}
