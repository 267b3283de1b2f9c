// SPDX-License-Identifier: Apache-2.0

/// Decides which exchange of a ``FaultProxy`` has which fault.
///
/// The fault depends only on the seed, the number of the connection and the number of the exchange on it. One seed
/// gives the same faults in every run and on every platform.
public struct FaultPlan: Sendable {
    /// The seed that the faults are drawn from.
    public var seed: UInt64
    /// How probable a fault is for an exchange that is not scripted, from 0 to 1.
    public var probability: Double
    /// The kinds drawn, each with the same probability.
    public var kinds: [NetworkFault.Kind]
    /// Faults by connection and by exchange on it, both from zero; `nil` lets an exchange pass.
    ///
    /// Exchanges beyond the lists are drawn.
    public var script: [[NetworkFault?]]

    /// Makes a plan that draws.
    public init(seed: UInt64, probability: Double, kinds: [NetworkFault.Kind] = NetworkFault.Kind.allCases) {
        self.seed = seed
        self.probability = probability
        self.kinds = kinds
        script = []
    }

    /// Makes a plan that follows a list by connection and exchange, and lets everything beyond it pass.
    public init(script: [[NetworkFault?]]) {
        seed = 0
        probability = 0
        kinds = []
        self.script = script
    }

    /// Decides the fault of an exchange.
    ///
    /// - Parameters:
    ///   - connection: the number of the connection, from zero in the order accepted.
    ///   - exchange: the number of the exchange on its connection, from zero.
    /// - Returns: the fault, or `nil` for an exchange that passes untouched.
    public func fault(connection: Int, exchange: Int) -> NetworkFault? {
        if script.indices.contains(connection), script[connection].indices.contains(exchange) {
            return script[connection][exchange]
        }
        var random = generator(connection: connection, exchange: exchange)
        guard random.unit() < probability, let kind = kinds.randomElement(using: &random) else { return nil }
        return NetworkFault(kind, using: &random)
    }

    /// The numbers for everything that is drawn about an exchange.
    func generator(connection: Int, exchange: Int) -> SeededGenerator {
        SeededGenerator(seed: seed, path: [connection, exchange])
    }
}
