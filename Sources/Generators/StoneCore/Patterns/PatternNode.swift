// SPDX-License-Identifier: Apache-2.0

/// A regular expression in Python's notation, parsed.
indirect enum PatternNode: Sendable {
    case empty
    case set(ScalarSet)
    case start
    /// The end of the text, or also the place before a line feed that ends it.
    case end(beforeLineFeed: Bool)
    case wordBoundary(Bool)
    case sequence([PatternNode])
    case choice([PatternNode])
    case repetition(PatternNode, least: Int, most: Int?)
    /// Something that automata cannot do, such as looking ahead; such a pattern is not matched.
    case beyond

    /// How many instructions it takes, or nil if that is too many or it is beyond automata.
    var cost: Int? {
        let total: Int?
        switch self {
        case .empty: total = 0
        case .set, .start, .end, .wordBoundary: total = 1
        case .sequence(let parts): total = Self.sum(parts)
        case .choice(let parts): total = Self.sum(parts).map { $0 + 2 * parts.count }
        case .repetition(let part, let least, let most):
            guard let cost = part.cost else { return nil }
            let times = max(1, most ?? least + 1)
            guard times <= Self.limit else { return nil }
            total = (cost + 2) * times
        case .beyond: total = nil
        }
        return total.flatMap { $0 <= Self.limit ? $0 : nil }
    }

    private static let limit = 10_000

    private static func sum(_ parts: [PatternNode]) -> Int? {
        var total = 0
        for part in parts {
            guard let cost = part.cost, total <= limit else { return nil }
            total += cost
        }
        return total
    }
}

/// Characters that a pattern allows at a place.
struct ScalarSet: Sendable {
    enum Class: Sendable {
        case digit, word, space
    }

    var ranges: [ClosedRange<UInt32>] = []
    var classes: [(kind: Class, isNegated: Bool)] = []
    var isNegated = false

    /// Every character but a line feed.
    static let any = ScalarSet(ranges: [10...10], isNegated: true)

    init(ranges: [ClosedRange<UInt32>] = [], classes: [(kind: Class, isNegated: Bool)] = [], isNegated: Bool = false) {
        self.ranges = ranges
        self.classes = classes
        self.isNegated = isNegated
    }

    init(_ scalar: Unicode.Scalar) { self.init(ranges: [scalar.value...scalar.value]) }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let isListed =
            ranges.contains { $0.contains(scalar.value) }
            || classes.contains { Self.contains(scalar, $0.kind) != $0.isNegated }
        return isListed != isNegated
    }

    static func contains(_ scalar: Unicode.Scalar, _ kind: Class) -> Bool {
        switch kind {
        case .digit: scalar.properties.numericType == .decimal
        case .word: scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        case .space: scalar.properties.isWhitespace
        }
    }
}
