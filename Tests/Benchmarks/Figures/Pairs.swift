// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Two ways of doing the same work, measured in turn, so that a machine that slows down slows both.
struct Pairs {
    /// How much faster ours was in each pair: the peer's time over ours, the least first.
    let ratios: [Double]
    /// The median times of both sides.
    let sides: FigureSides

    /// Runs the pairs in turn: peer, ours, peer, ours and so on.
    ///
    /// - Parameters:
    ///   - count: how many pairs; all of them count.
    ///   - peer: the peer's work.
    ///   - ours: our work.
    init(_ count: Int = 5, peer: () async throws -> Void, ours: () async throws -> Void) async rethrows {
        try await self.init(count, peerSeconds: { try await seconds(peer) }, ourSeconds: { try await seconds(ours) })
    }

    /// Runs the pairs in turn, each side measured by itself: a peer in another process tells its own time.
    ///
    /// - Parameters:
    ///   - count: how many pairs; all of them count.
    ///   - peerSeconds: gives the seconds that the peer took.
    ///   - ourSeconds: gives the seconds that we took.
    init(
        _ count: Int = 5, peerSeconds: () async throws -> Double, ourSeconds: () async throws -> Double
    ) async rethrows {
        var (theirs, ours): ([Double], [Double]) = ([], [])
        for _ in 0..<extent(count, short: 1) {
            theirs.append(try await peerSeconds())
            ours.append(try await ourSeconds())
        }
        self.init(peer: theirs, ours: ours)
    }

    /// Takes pairs that were measured elsewhere: what each side took, in seconds or another unit.
    init(peer: [Double], ours: [Double], unit: String = "s") {
        ratios = zip(peer, ours).map { $0 / $1 }.sorted()
        sides = FigureSides(ours: ours.median, peer: peer.median, unit: unit)
    }

    /// The median of the ratios.
    var median: Double { ratios.median }

    /// The figure of the median, with the spread as its note.
    func figure(_ name: String, atLeast bound: Double) -> Figure {
        Figure(
            name: name, value: median, unit: "x", relation: .atLeast, bound: bound, sides: sides,
            note: spread(of: ratios))
    }

    /// The figure of how many times the peer's time ours takes.
    func figure(_ name: String, atMost bound: Double) -> Figure {
        let inverse = ratios.map { 1 / $0 }.sorted()
        return Figure(
            name: name, value: inverse.median, unit: "x", relation: .atMost, bound: bound, sides: sides,
            note: spread(of: inverse))
    }

    private func spread(of values: [Double]) -> String {
        "min \(rounded(values.first ?? 0)) max \(rounded(values.last ?? 0)) of \(values.count) pairs"
    }
}

extension [Double] {
    /// The value in the middle, of an even number the upper one of two; `nan` of none.
    var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}

/// How long the work takes.
func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await work()
    return (clock.now - start) / .seconds(1)
}

/// Does the work that many times, so many at a time.
func concurrently(
    _ concurrency: Int, total: Int, _ work: @escaping @Sendable () async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<concurrency {
            let share = total / concurrency + (number < total % concurrency ? 1 : 0)
            group.addTask { for _ in 0..<share { try await work() } }
        }
        try await group.waitForAll()
    }
}

/// The mean seconds of one run, over runs for about a tenth of a second; of one run in the short form.
func meanSeconds(_ work: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    var runs = 0
    while true {
        try work()
        runs += 1
        let elapsed = (clock.now - start) / .seconds(1)
        if elapsed > extent(0.1, short: 0) { return elapsed / Double(runs) }
    }
}

/// Processor time of this process so far, of all its threads.
func processorSeconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
