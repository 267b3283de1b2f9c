// SPDX-License-Identifier: Apache-2.0

/// A regular expression as instructions for an automaton, which needs time in proportion to the text alone.
struct PatternProgram: Sendable {
    enum Instruction: Sendable {
        case set(ScalarSet)
        case start
        case end(beforeLineFeed: Bool)
        case wordBoundary(Bool)
        case split(Int, Int)
        case jump(Int)
        case match
    }

    private(set) var instructions: [Instruction] = []

    /// Nil if the pattern is too large or beyond automata.
    init?(_ node: PatternNode) {
        guard node.cost != nil else { return nil }
        add(node)
        instructions.append(.match)
    }

    private mutating func add(_ node: PatternNode) {
        switch node {
        case .empty, .beyond: break
        case .set(let set): instructions.append(.set(set))
        case .start: instructions.append(.start)
        case .end(let isBefore): instructions.append(.end(beforeLineFeed: isBefore))
        case .wordBoundary(let isWanted): instructions.append(.wordBoundary(isWanted))
        case .sequence(let parts): for part in parts { add(part) }
        case .choice(let parts): add(choice: parts)
        case .repetition(let part, let least, let most): add(part, least, most)
        }
    }

    private mutating func add(choice parts: [PatternNode]) {
        var jumps: [Int] = []
        for part in parts.dropLast() {
            let split = instructions.count
            instructions.append(.split(split + 1, split + 1))
            add(part)
            jumps.append(instructions.count)
            instructions.append(.jump(0))
            instructions[split] = .split(split + 1, instructions.count)
        }
        if let last = parts.last { add(last) }
        for jump in jumps { instructions[jump] = .jump(instructions.count) }
    }

    private mutating func add(_ part: PatternNode, _ least: Int, _ most: Int?) {
        for _ in 0..<least { add(part) }
        guard let most else {
            let split = instructions.count
            instructions.append(.split(split + 1, split + 1))
            add(part)
            instructions.append(.jump(split))
            instructions[split] = .split(split + 1, instructions.count)
            return
        }
        var splits: [Int] = []
        for _ in least..<max(least, most) {
            splits.append(instructions.count)
            instructions.append(.split(0, 0))
            add(part)
        }
        for split in splits { instructions[split] = .split(split + 1, instructions.count) }
    }
}

/// Runs a program over a text.
struct PatternRun {
    let program: PatternProgram
    let text: [Unicode.Scalar]
    /// How many instructions may still be looked at.
    var budget: Int
    private var seen: [Int]
    private var stack: [Int] = []

    init(_ program: PatternProgram, _ text: String, budget: Int) {
        self.program = program
        self.text = Array(text.unicodeScalars)
        self.budget = budget
        seen = Array(repeating: -1, count: program.instructions.count)
    }

    /// Whether the pattern is found at the beginning of the text; nil if the budget ends before that is known.
    mutating func matchesPrefix() -> Bool? {
        var states: [Int] = []
        if follow(0, at: 0, into: &states) { return true }
        for (place, scalar) in text.enumerated() where !states.isEmpty {
            var next: [Int] = []
            for state in states {
                guard case .set(let set) = program.instructions[state] else { continue }
                budget -= set.ranges.count / 16
                guard set.contains(scalar) else { continue }
                if follow(state + 1, at: place + 1, into: &next) { return true }
            }
            budget -= states.count
            if budget < 0 { return nil }
            states = next
        }
        return budget < 0 ? nil : false
    }

    /// Adds the states that are reached without a character; true if the end of the pattern is one of them.
    private mutating func follow(_ start: Int, at place: Int, into states: inout [Int]) -> Bool {
        stack.append(start)
        while let state = stack.popLast() {
            guard seen[state] != place else { continue }
            seen[state] = place
            budget -= 1
            switch program.instructions[state] {
            case .set: states.append(state)
            case .start: if place == 0 { stack.append(state + 1) }
            case .end(let isBefore): if isEnd(place, isBefore) { stack.append(state + 1) }
            case .wordBoundary(let isWanted): if isBoundary(place) == isWanted { stack.append(state + 1) }
            case .split(let one, let other):
                stack.append(one)
                stack.append(other)
            case .jump(let target): stack.append(target)
            case .match:
                stack = []
                return true
            }
        }
        return false
    }

    private func isEnd(_ place: Int, _ beforeLineFeed: Bool) -> Bool {
        place == text.count || beforeLineFeed && place == text.count - 1 && text[place] == "\n"
    }

    private func isBoundary(_ place: Int) -> Bool {
        let before = place > 0 && ScalarSet.contains(text[place - 1], .word)
        let after = place < text.count && ScalarSet.contains(text[place], .word)
        return before != after
    }
}
