// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTesting

/// Measures calls that are cancelled at each wait or step: the time to their end, leaks, and late callbacks.
func cancelFigures() async throws {
    let rounds = extent(100, short: 1)
    let descriptors = try openDescriptors()
    let bench = try await CancelBench()
    var tally = CancelTally()
    for round in 0..<rounds * CancelPoint.allCases.count {
        let point = CancelPoint.allCases[round % CancelPoint.allCases.count]
        tally.add(try await bench.cancel(at: point), point)
    }
    await bench.stop()
    // The org closes its side of a connection slightly later.
    let limit = ContinuousClock.now + .seconds(3)
    while try openDescriptors().count > descriptors.count, ContinuousClock.now < limit {
        try await Task.sleep(for: .milliseconds(10))
    }
    tally.print()
    let left = try openDescriptors()
    let new = left.subtracting(descriptors).sorted()
    Figure(
        name: "pipeline.cancel.descriptors", value: Double(left.count - descriptors.count), unit: "descriptors",
        relation: .atMost, bound: 0, note: (["beyond those before"] + new).joined(separator: ", ")
    ).print()
}

/// The numbers and targets of the open descriptors, except the descriptor that reads the list.
private func openDescriptors() throws -> Set<String> {
    let folder = "/dev/fd"
    let open = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { number in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
        return target.map { "\(number) \($0)" }
    }
    return Set(open)
}

/// The point at which a call is cancelled.
enum CancelPoint: CaseIterable {
    case start, login, line, flight, midBody, renewal, backOff
    /// The app's code, which ignores cancellation.
    case interceptor, handler
    /// The delay that a handler requested.
    case handlerWait
    /// The processing of a complete response.
    case parsing, decoding
    case page

    /// Whether the call may finish before the cancellation.
    var mayFinish: Bool { self == .parsing || self == .decoding }
}

struct CancelOutcome {
    enum End {
        case cancelled, finished, other
    }

    let took: Duration
    let end: End
    /// The delegate, or `nil` for styles without callbacks.
    var delegate: RecordingDelegate?
}

/// The results of the cancelled calls.
private struct CancelTally {
    private var took: [CancelPoint: [Duration]] = [:]
    private var delegates: [RecordingDelegate] = []
    private var untold: [CancelPoint: Int] = [:]
    private var finished = 0

    mutating func add(_ outcome: CancelOutcome, _ point: CancelPoint) {
        took[point, default: []].append(outcome.took)
        if let delegate = outcome.delegate { delegates.append(delegate) }
        switch outcome.end {
        case .cancelled: break
        case .finished where point.mayFinish: finished += 1
        case .finished, .other: untold[point, default: 0] += 1
        }
    }

    func print() {
        let all = took.values.flatMap { $0 }
        let (p99, worst) = tail(all)
        let slowest = took.max { tail($0.value).p99 < tail($1.value).p99 }
        let where99 = slowest.map { "\($0.key) \(rounded(tail($0.value).p99.milliseconds)) ms" } ?? ""
        Figure(
            name: "pipeline.cancel.time", value: p99.milliseconds, unit: "ms",
            note: "p99 of \(all.count) at \(took.count) places, worst \(rounded(worst.milliseconds)) ms, "
                + "p99 of the slowest place: \(where99)"
        ).print()
        Figure(
            name: "pipeline.cancel.untold", value: Double(untold.values.reduce(0, +)), unit: "calls",
            relation: .atMost, bound: 0,
            note: untold.isEmpty ? "\(finished) had their whole answer before" : "\(untold)"
        ).print()
        Figure(
            name: "pipeline.cancel.late-callbacks", value: Double(delegates.filter { $0.callbacks.count != 1 }.count),
            unit: "calls", relation: .atMost, bound: 0, note: "of \(delegates.count) with call-backs"
        ).print()
    }
}
