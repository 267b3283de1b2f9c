// SPDX-License-Identifier: Apache-2.0

/// One measured figure of the JSON area and how it is printed.
enum JSONFigure {
    /// How many pairs each ratio is the median of.
    static let pairs = 7

    /// Prints how many times faster our work is than the peer's, as the median over alternating pairs.
    ///
    /// - Parameters:
    ///   - peer: Gives the seconds of one run of the peer's work.
    ///   - ours: Gives the seconds of one run of our work.
    static func ratio(
        _ name: String, atLeast bound: Double, peer: () throws -> Double, ours: () throws -> Double
    ) rethrows {
        var ratios: [Double] = []
        for _ in 0..<pairs {
            let peerSeconds = try peer()
            ratios.append(peerSeconds / (try ours()))
        }
        ratios.sort()
        let median = ratios[ratios.count / 2]
        print(
            "figure \(name) \(median.rounded2) x bound >=\(bound) \(median >= bound ? "ok" : "short")"
                + " min \(ratios[0].rounded2) max \(ratios[ratios.count - 1].rounded2) pairs \(pairs)")
    }

    /// Prints a figure that has an upper bound.
    static func value(_ name: String, _ value: Double, _ unit: String, atMost bound: Double) {
        print("figure \(name) \(value.rounded2) \(unit) bound <=\(bound) \(value <= bound ? "ok" : "short")")
    }

    /// Says that a peer is not installed, in place of the figure.
    static func absent(_ name: String, _ peer: String) {
        print("figure \(name) absent x bound none absent (\(peer) is not installed)")
    }

    /// The mean seconds of one call, over calls for about a tenth of a second.
    static func seconds(_ work: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        var calls = 0
        while true {
            try work()
            calls += 1
            let elapsed = (clock.now - start) / .seconds(1)
            if elapsed > 0.1 { return elapsed / Double(calls) }
        }
    }
}

extension Double {
    /// The value with two decimal places.
    var rounded2: String {
        let hundredths = Int((self * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
