// SPDX-License-Identifier: Apache-2.0

@testable import StoneCore

/// Damages specs, the same way for the same seed.
struct SpecMutator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A number below a bound (SplitMix64).
    private mutating func number(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, bound)))
    }

    /// The files, or one that has a few of their definitions, with changes.
    mutating func mutate(_ sources: [StoneSource], isWhole: Bool) -> [StoneSource] {
        let place = number(below: sources.count)
        let source = sources[place]
        if isWhole {
            var mutated = sources
            mutated[place] = StoneSource(path: source.path, bytes: mutate(source.bytes))
            return mutated
        }
        let definitions = String(decoding: source.bytes, as: UTF8.self).split(separator: "\n\n")
        let first = number(below: definitions.count)
        let few = definitions[first..<min(first + 2, definitions.count)].joined(separator: "\n\n")
        let bytes = Array("namespace notes\nimport common\n\(few)\n".utf8)
        let common = "namespace common\nalias Id = String\nalias MaybeId = Id?\nunion Style\n    rpc\n"
        return [
            StoneSource(path: "common", text: common), StoneSource(path: source.path, bytes: mutate(bytes)),
        ]
    }

    /// The spec with up to three changes: tokens dropped, doubled or swapped, or bytes changed.
    mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...number(below: 3) {
            var lexer = Lexer(StoneSource(path: "", bytes: bytes), file: 0)
            let tokens = lexer.lex().filter { $0.end > $0.start && $0.end <= bytes.count }
            guard !tokens.isEmpty else { return bytes }
            let one = tokens[number(below: tokens.count)]
            let other = tokens[number(below: tokens.count)]
            let word = Array(bytes[other.start..<other.end])
            switch number(below: 6) {
            case 0: bytes.removeSubrange(one.start..<one.end)
            case 1: bytes.insert(contentsOf: bytes[one.start..<one.end] + [32], at: one.start)
            case 2: bytes.replaceSubrange(one.start..<one.end, with: word)
            case 3: bytes.insert(contentsOf: word + [32], at: one.start)
            case 4: bytes[number(below: bytes.count)] = UInt8(truncatingIfNeeded: number(below: 256))
            default: bytes.remove(at: number(below: bytes.count))
            }
        }
        return bytes
    }
}
