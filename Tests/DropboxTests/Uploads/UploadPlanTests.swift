// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport
import Testing

@testable import Dropbox

@Suite("The plan of an upload")
struct UploadPlanTests {
    private static let megabyte: Int64 = 1 << 20

    private func plan(_ sizes: [Int64], _ limits: UploadPlan.Limits = .init()) -> UploadPlan {
        UploadPlan(
            sizes.map { UploadEntry(size: $0, isConcurrent: $0 >= limits.concurrentFrom) }, limits: limits)
    }

    /// Runs a plan to its end with one request at a time, and returns the steps.
    private func run(_ plan: inout UploadPlan, _ server: inout ModelServer) -> [UploadStep] {
        var steps: [UploadStep] = []
        while let step = plan.next(), steps.count < 10_000 {
            steps.append(step)
            plan.apply(server.respond(step, plan.entries), to: step)
        }
        return steps
    }

    @Test("without files nothing is sent")
    func nothing() {
        var plan = plan([])
        #expect(plan.next() == nil)
    }

    @Test("small files share every request")
    func small() {
        var (plan, server) = (plan([10, 0, 20]), ModelServer(sizes: [10, 0, 20]))
        let steps = run(&plan, &server)
        #expect(
            steps == [.start([0, 1, 2], isConcurrent: false), .pack([0, 1, 2]), .finish([0, 1, 2], postponed: 0)])
        #expect(server.files == [0: 1, 1: 1, 2: 1])
    }

    @Test(
        "exactly one part of each file closes its session",
        arguments: [1, 2, 3, 5].flatMap { chunks in [-1, 0, 1].map { Int64(chunks) * (8 << 20) + $0 } })
    func ends(_ size: Int64) {
        for isSequential in [true, false] {
            var limits = UploadPlan.Limits()
            limits.concurrentFrom = isSequential ? .max : 0
            var (plan, server) = (plan([size], limits), ModelServer(sizes: [size]))
            let steps = run(&plan, &server)
            #expect(server.files == [0: 1])
            let closing = steps.count {
                if case .pack = $0 { true } else if case .part(_, _, true) = $0 { true } else { false }
            }
            #expect(closing == 1)
        }
    }

    @Test("a stream without a known length is sent until its end", arguments: [0, 1, 8 << 20, 20 << 20])
    func unknownLength(_ size: Int64) {
        var server = ModelServer(sizes: [size])
        var plan = UploadPlan([UploadEntry(size: nil, isConcurrent: false)], limits: .init())
        _ = run(&plan, &server)
        #expect(server.files == [0: 1])
        #expect(plan.entries[0].size == size)
    }

    @Test("a finish request has at most a thousand files, and the requests are sent one after the other")
    func runs() {
        let sizes = [Int64](repeating: 1, count: 2_500)
        var (plan, server) = (plan(sizes), ModelServer(sizes: sizes))
        let steps = run(&plan, &server)
        let finishes = steps.compactMap { if case .finish(let files, _) = $0 { files.count } else { nil } }
        #expect(finishes.allSatisfy { $0 <= 1_000 })
        #expect(finishes.reduce(0, +) == 2_500)
        #expect(server.files.count == 2_500)
        // 2,500 files do not need 2,500 requests.
        #expect(steps.count < 120)
    }

    @Test("the bytes in flight do not exceed the memory limit, but one chunk is always allowed")
    func memory() {
        var limits = UploadPlan.Limits()
        (limits.memory, limits.requests) = (20 << 20, 100)
        let sizes = [Int64](repeating: 100 << 20, count: 3)
        var (plan, server) = (plan(sizes, limits), ModelServer(sizes: sizes))
        if let start = plan.next() { plan.apply(server.respond(start, plan.entries), to: start) }
        var bytes: Int64 = 0
        while let step = plan.next() {
            if case .part(_, let range, _) = step { bytes += Int64(range.count) }
        }
        #expect(bytes == 16 << 20)
        limits.memory = 0
        var narrow = self.plan(sizes, limits)
        if let start = narrow.next() { narrow.apply(server.respond(start, narrow.entries), to: start) }
        #expect(narrow.next() != nil)
        #expect(narrow.next() == nil)
    }

    @Test("an unreadable file does not prevent the other uploads")
    func unreadable() throws {
        var (plan, server) = (plan([1, 2, 3]), ModelServer(sizes: [1, 2, 3]))
        if let start = plan.next() { plan.apply(server.respond(start, plan.entries), to: start) }
        guard let pack = plan.next(), case .packed(var responses) = server.respond(pack, plan.entries) else { return }
        responses[1] = .unreadable(RestError(.file, "gone"))
        plan.apply(.packed(responses), to: pack)
        _ = run(&plan, &server)
        #expect(server.files == [0: 1, 2: 1])
        guard case .failure(.rest(let error))? = plan.entries[1].result else {
            throw Unexpected("the file has no error")
        }
        #expect(error.code == .file)
    }

    @Test("if no request succeeds, files that were not sent have the same error")
    func hopeless() {
        let sizes = [Int64](repeating: 9 << 20, count: 500)
        var (plan, server) = (plan(sizes), ModelServer(sizes: sizes))
        if let start = plan.next() { plan.apply(server.respond(start, plan.entries), to: start) }
        var steps = 0
        while let step = plan.next() {
            steps += 1
            plan.apply(.failed(.failed(RestError(.notConnected, "nobody there"))), to: step)
        }
        #expect(steps == 8)
        #expect(plan.failure?.code == .notConnected)
        plan.resume()
        _ = run(&plan, &server)
        #expect(server.files.count == 492)
    }

    @Test("a file for which the server rejects a whole finish request is found, and the others are finished")
    func refusedFinish() throws {
        let sizes = [Int64](repeating: 1, count: 300)
        var (plan, server) = (plan(sizes), ModelServer(sizes: sizes))
        var steps = 0
        while let step = plan.next(), steps < 1_000 {
            steps += 1
            if case .finish(let files, _) = step, files.contains(77) {
                plan.apply(.failed(.refused(RestError(.api, "no"))), to: step)
            } else {
                plan.apply(server.respond(step, plan.entries), to: step)
            }
        }
        #expect(server.files.count == 299)
        guard case .failure? = plan.entries[77].result else {
            throw Unexpected("\(String(describing: plan.entries[77].result))")
        }
        #expect(steps < 40)
    }

    @Test(
        "an offset from the server never leads outside the file",
        arguments: [nil, 20 << 20, 40 << 20, Int64.max] as [Int64?],
        [0, 1, 9 << 20, UInt64(Int64.max) - 5, UInt64(Int64.max), UInt64.max])
    func offsets(_ size: Int64?, _ offset: UInt64) throws {
        let limits = UploadPlan.Limits()
        for isConcurrent in [false, true] {
            var plan = UploadPlan([UploadEntry(size: size, isConcurrent: isConcurrent)], limits: limits)
            var server = ModelServer(sizes: [size ?? 0])
            var steps = 0
            while let step = plan.next(), steps < 500 {
                steps += 1
                guard case .part(_, let range, _) = step else {
                    plan.apply(server.respond(step, plan.entries), to: step)
                    continue
                }
                #expect(range.upperBound <= size ?? (40 << 20))
                let error = Files.UploadSessionOffsetError(correctOffset: offset)
                plan.apply(.part(.refused(.incorrectOffset(error)), end: nil), to: step)
            }
            #expect(steps < 500)
            guard case .failure? = plan.entries[0].result else {
                throw Unexpected("\(String(describing: plan.entries[0].result))")
            }
        }
    }
}
