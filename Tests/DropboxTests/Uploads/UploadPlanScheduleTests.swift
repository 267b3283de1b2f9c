// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestSDK
import RestTransport
import Testing

@testable import Dropbox

@Suite("Schedules of an upload")
struct UploadPlanScheduleTests {
    /// Injects random errors in any order, for a number of steps.
    @Test("each file is stored once and complete, whatever happens", arguments: 0..<400 as Range<UInt64>)
    func schedule(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let sizes = (0..<Int.random(in: 1...40, using: &random)).map { _ in Self.size(&random) }
        var limits = UploadPlan.Limits()
        (limits.run, limits.requests) = (Int.random(in: 1...20, using: &random), Int.random(in: 1...6, using: &random))
        var server = ModelServer(sizes: sizes)
        let isStream = sizes.map { _ in Int.random(in: 0..<8, using: &random) == 0 }
        var plan = UploadPlan(
            zip(sizes, isStream).map { size, isStream in
                UploadEntry(size: isStream ? nil : size, isConcurrent: !isStream && size >= limits.concurrentFrom)
            }, limits: limits)
        var faults = Int.random(in: 0...30, using: &random)
        var underWay: [UploadStep] = []
        var steps = 0
        while true {
            while let step = plan.next() { underWay.append(step) }
            #expect(underWay.count <= limits.requests)
            guard !underWay.isEmpty else { break }
            steps += 1
            try #require(steps < 5_000, "it goes on for ever")
            let step = underWay.remove(at: Int.random(in: underWay.indices, using: &random))
            let isFaulty = faults > 0 && Int.random(in: 0..<3, using: &random) == 0
            faults -= isFaulty ? 1 : 0
            let response = isFaulty ? fault(step, &server, plan, &random) : server.respond(step, plan.entries)
            plan.apply(response, to: step)
        }
        for (number, entry) in plan.entries.enumerated() {
            guard case .success? = entry.result else {
                throw Unexpected("file \(number): \(String(describing: entry.result)) \(entry.phase)")
            }
            #expect(server.files[number] == 1)
        }
    }

    /// Returns the minimum processor time of several runs of a plan, in seconds.
    private func time(_ plan: () -> UploadPlan) -> Double {
        (0..<3).map { _ in
            var plan = plan()
            var server = ModelServer(sizes: plan.entries.map { $0.size ?? 0 })
            let start = clock()
            while let step = plan.next() {
                // The model keeps all parts of a session, which is too slow for a large file, so it is not shown these
                // parts.
                if case .part(_, _, isLast: false) = step, plan.entries.count == 1 {
                    plan.apply(.part(.taken, end: nil), to: step)
                } else {
                    plan.apply(server.respond(step, plan.entries), to: step)
                }
            }
            #expect(plan.entries.allSatisfy { $0.phase == .done })
            return Double(clock() - start) / Double(CLOCKS_PER_SEC)
        }.min() ?? 0
    }

    @Test("the time of an upload is linear in the number of files, not quadratic")
    func manySmallFiles() {
        var limits = UploadPlan.Limits()
        (limits.header, limits.run) = (1, 100)
        func plan(_ count: Int) -> UploadPlan {
            UploadPlan(Array(repeating: UploadEntry(size: 1, isConcurrent: false), count: count), limits: limits)
        }
        let ratio = time { plan(8_000) } / time { plan(500) }
        #expect(ratio < 80, "\(ratio)")
    }

    /// Returns an entry whose journal has a session and some of its parts.
    private func entry(chunks: Int64, known: [Int64], isConcurrent: Bool = false) -> UploadEntry {
        let chunk = UploadPlan.Limits().chunk
        var entry = UploadEntry(size: chunks * chunk, isConcurrent: isConcurrent)
        var file = JournaledFile(file: UploadRecord.File(number: 0, id: "a", path: nil, commit: "", state: ""))
        file.session = UploadRecord.Session(number: 0, id: "lost", isConcurrent: isConcurrent)
        file.parts = known.map {
            UploadRecord.Part(number: 0, start: $0 * chunk, end: ($0 + 1) * chunk, isLast: false)
        }
        entry.restore(file)
        return entry
    }

    @Test("the time of a resumed upload is linear in the number of files")
    func manyResumedFiles() {
        func plan(_ count: Int) -> UploadPlan {
            UploadPlan(Array(repeating: entry(chunks: 3, known: [0]), count: count), limits: UploadPlan.Limits())
        }
        let ratio = time { plan(8_000) } / time { plan(500) }
        #expect(ratio < 80, "\(ratio)")
    }

    @Test("the time of an upload is linear in the number of gaps in a file")
    func manyGaps() {
        func plan(_ count: Int64) -> UploadPlan {
            let known = (0..<count).map { $0 * 2 }
            return UploadPlan(
                [entry(chunks: count * 2, known: known, isConcurrent: true)], limits: UploadPlan.Limits())
        }
        let small = plan(3).entries[0]
        #expect(small.missing.map { $0.lowerBound >> 23 } == [5, 3, 1])
        let ratio = time { plan(8_000) } / time { plan(500) }
        #expect(ratio < 80, "\(ratio)")
    }

    private func fault(
        _ step: UploadStep, _ server: inout ModelServer, _ plan: UploadPlan, _ random: inout SplitMix64
    ) -> UploadResponse {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .failed(.interrupted)
        case 1:
            _ = server.respond(step, plan.entries)
            return .failed(.interrupted)
        case 2:
            // The first response is lost, and the client sends the request again.
            _ = server.respond(step, plan.entries)
            return server.respond(step, plan.entries)
        case 3:
            // Sessions expire after some days, except those whose file exists.
            for file in step.files where server.files[file] == nil {
                if let session = plan.entries[file].session, plan.entries[file].beginnings < 2 {
                    server.sessions[session] = nil
                }
            }
            return server.respond(step, plan.entries)
        case 4: return server.respond(step, plan.entries, refusing: Set(step.files.prefix(2)))
        default:
            // Damaged in transit, but not repeatedly.
            guard case .part(let file, _, _) = step, plan.entries[file].corrections < 2 else {
                return server.respond(step, plan.entries)
            }
            return .part(.refused(.contentHashMismatch), end: nil)
        }
    }

    private static func size(_ random: inout SplitMix64) -> Int64 {
        let chunk: Int64 = 8 << 20
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return 0
        case 1: return chunk * Int64.random(in: 1...6, using: &random)
        case 2: return chunk * Int64.random(in: 1...6, using: &random) + Int64.random(in: -1...1, using: &random)
        case 3: return Int64.random(in: 0...(60 << 20), using: &random)
        default: return Int64.random(in: 0...20_000, using: &random)
        }
    }
}
