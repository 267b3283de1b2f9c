// SPDX-License-Identifier: Apache-2.0

/// The assignment of faults to the exchanges of a ``FaultProxy``.
///
/// The fault depends only on the seed, the number of the connection and the number of the exchange on it. So the same
/// seed gives the same faults in every run and on every platform.
public struct FaultPlan: Sendable {
    /// The seed for random faults.
    public var seed: UInt64
    /// The probability of a fault for an exchange that is not in the script, from 0 to 1.
    public var probability: Double
    /// The kinds of random faults, each with the same probability.
    public var kinds: [NetworkFault.Kind]
    /// Faults by connection and by exchange, both counted from zero.
    ///
    /// `nil` is no fault.
    ///
    /// Other exchanges have random faults.
    public var script: [[NetworkFault?]]

    /// Creates a plan with random faults.
    public init(seed: UInt64, probability: Double, kinds: [NetworkFault.Kind] = NetworkFault.Kind.allCases) {
        self.seed = seed
        self.probability = probability
        self.kinds = kinds
        script = []
    }

    /// Creates a plan with a script, and without faults for other exchanges.
    public init(script: [[NetworkFault?]]) {
        seed = 0
        probability = 0
        kinds = []
        self.script = script
    }

    /// Returns the fault of an exchange.
    ///
    /// - Parameters:
    ///   - connection: the number of the connection, from zero in the order accepted.
    ///   - exchange: the number of the exchange on its connection, from zero.
    /// - Returns: the fault, or `nil` for no fault.
    public func fault(connection: Int, exchange: Int) -> NetworkFault? {
        if script.indices.contains(connection), script[connection].indices.contains(exchange) {
            return script[connection][exchange]
        }
        var random = generator(connection: connection, exchange: exchange)
        guard random.unit() < probability, let kind = kinds.randomElement(using: &random) else { return nil }
        return NetworkFault(kind, using: &random)
    }

    /// The random numbers for all decisions about an exchange.
    func generator(connection: Int, exchange: Int) -> SeededGenerator {
        SeededGenerator(seed: seed, path: [connection, exchange])
    }
}
