// SPDX-License-Identifier: Apache-2.0

/// The cost per item for several amounts, which shows whether the cost grows with the amount.
struct GrowthCurve {
    private let name: String
    private let unit: String
    /// The costs of one item for each amount, in seconds, from the smallest amount.
    private var costs: [(amount: Int, seconds: [Double])]

    /// Creates a curve without measurements.
    ///
    /// - Parameters:
    ///   - name: the prefix of the metrics' names.
    ///   - unit: the name of the items.
    ///   - amounts: the amounts, from the smallest.
    init(_ name: String, of unit: String, amounts: [Int]) {
        (self.name, self.unit) = (name, unit)
        costs = amounts.map { ($0, []) }
    }

    /// Adds the cost of one item.
    mutating func add(_ seconds: Double, at amount: Int) {
        guard let place = costs.firstIndex(where: { $0.amount == amount }) else { return }
        costs[place].seconds.append(seconds)
    }

    /// Returns a metric for each amount but the smallest: the cost divided by the lowest cost of any smaller amount.
    ///
    /// With fewer concurrent items, the latency is not hidden, so a higher cost there is not growth.
    func figures(atMost bound: Double) -> [Figure] {
        let medians = costs.map { (amount: $0.amount, seconds: $0.seconds.median, rounds: $0.seconds.count) }
        return medians.indices.dropFirst().compactMap { place in
            let (amount, seconds, rounds) = medians[place]
            guard let cheapest = medians[..<place].min(by: { $0.seconds < $1.seconds }) else { return nil }
            return Figure(
                name: "\(name).\(Self.short(amount))", value: seconds / cheapest.seconds, unit: "x",
                relation: .atMost, bound: bound,
                sides: FigureSides(ours: seconds, peer: cheapest.seconds, unit: "s"),
                note: "one of \(amount) \(unit) beside one of \(cheapest.amount), medians of \(rounds) and "
                    + "\(cheapest.rounds)")
        }
    }

    /// Formats a number with a suffix for thousands or millions: `20k`, `2M`.
    private static func short(_ number: Int) -> String {
        if number.isMultiple(of: 1_000_000) { return "\(number / 1_000_000)M" }
        return number.isMultiple(of: 1_000) ? "\(number / 1_000)k" : "\(number)"
    }
}
