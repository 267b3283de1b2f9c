// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Two implementations of the same work, measured alternately, so that a slower machine affects both.
struct Pairs {
    /// The speedup in each pair, sorted: the baseline's time divided by ours.
    let ratios: [Double]
    /// The median times of both sides.
    let sides: FigureSides

    /// Runs the pairs alternately: baseline, ours, baseline, ours and so on.
    ///
    /// - Parameters:
    ///   - count: the number of pairs, all of which count.
    ///   - peer: the baseline's work.
    ///   - ours: our work.
    init(_ count: Int = 5, peer: () async throws -> Void, ours: () async throws -> Void) async rethrows {
        try await self.init(count, peerSeconds: { try await seconds(peer) }, ourSeconds: { try await seconds(ours) })
    }

    /// Runs the pairs alternately, with separate time measurement, for example by a baseline in another process.
    ///
    /// - Parameters:
    ///   - count: the number of pairs, all of which count.
    ///   - peerSeconds: returns the baseline's time, in seconds.
    ///   - ourSeconds: returns our time, in seconds.
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

    /// Creates pairs from existing measurements, in seconds or another unit.
    init(peer: [Double], ours: [Double], unit: String = "s") {
        ratios = zip(peer, ours).map { $0 / $1 }.sorted()
        sides = FigureSides(ours: ours.median, peer: peer.median, unit: unit)
    }

    var median: Double { ratios.median }

    /// Returns the metric of the median, with the spread.
    func figure(_ name: String, atLeast bound: Double) -> Figure {
        Figure(
            name: name, value: median, unit: "x", relation: .atLeast, bound: bound, sides: sides,
            spread: spread(of: ratios))
    }

    /// Returns the metric of our time divided by the baseline's.
    func figure(_ name: String, atMost bound: Double) -> Figure {
        let inverse = ratios.map { 1 / $0 }.sorted()
        return Figure(
            name: name, value: inverse.median, unit: "x", relation: .atMost, bound: bound, sides: sides,
            spread: spread(of: inverse))
    }

    private func spread(of values: [Double]) -> FigureSpread {
        FigureSpread(least: values.first ?? 0, most: values.last ?? 0, count: values.count)
    }
}

extension [Double] {
    /// The median, which is the upper middle value of an even number, or `nan` if the array is empty.
    var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}

/// Returns the duration of the work, in seconds.
func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await work()
    return (clock.now - start) / .seconds(1)
}

/// Runs the work `total` times, `concurrency` at a time.
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

/// Returns the mean seconds of one run, from runs for about 0.1 seconds, or from one run in the short form.
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

/// Returns the CPU time of this process, of all its threads.
func processorSeconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
