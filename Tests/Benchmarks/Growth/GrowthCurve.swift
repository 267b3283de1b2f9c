// SPDX-License-Identifier: Apache-2.0

/// What one thing costs when there are few and when there are many: whether the cost of each grows with their number.
struct GrowthCurve {
    private let name: String
    private let unit: String
    /// Each amount with the costs of one thing that were measured there, in seconds, the least amount first.
    private var costs: [(amount: Int, seconds: [Double])]

    /// Nothing measured yet.
    ///
    /// - Parameters:
    ///   - name: what leads the names of the figures.
    ///   - unit: what there are many of.
    ///   - amounts: how many, the least first.
    init(_ name: String, of unit: String, amounts: [Int]) {
        (self.name, self.unit) = (name, unit)
        costs = amounts.map { ($0, []) }
    }

    /// Adds what one of so many things cost.
    mutating func add(_ seconds: Double, at amount: Int) {
        guard let place = costs.firstIndex(where: { $0.amount == amount }) else { return }
        costs[place].seconds.append(seconds)
    }

    /// A figure for each amount but the least: the cost of one beside the cheapest cost at any smaller amount.
    ///
    /// Fewer at a time may cost more each, since nothing hides the way to the server and back; that is no growth.
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

    /// A number with its thousands or millions as a letter: `20k`, `2M`.
    private static func short(_ number: Int) -> String {
        if number.isMultiple(of: 1_000_000) { return "\(number / 1_000_000)M" }
        return number.isMultiple(of: 1_000) ? "\(number / 1_000)k" : "\(number)"
    }
}
