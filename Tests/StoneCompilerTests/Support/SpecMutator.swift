// SPDX-License-Identifier: Apache-2.0

@testable import StoneCompiler

/// Damages specs, the same way for the same seed.
struct SpecMutator {
    /// A definition as tokens and what stands between them.
    private typealias Definition = [[UInt8]]

    private var state: UInt64
    private let sources: [[Definition]]

    init(seed: UInt64, _ sources: [StoneSource]) {
        state = seed
        self.sources = sources.map { source in
            String(decoding: source.bytes, as: UTF8.self).split(separator: "\n\n").map { Self.pieces(Array($0.utf8)) }
        }
    }

    private static func pieces(_ bytes: [UInt8]) -> Definition {
        var lexer = Lexer(StoneSource(path: "", bytes: bytes), file: 0)
        var pieces: Definition = []
        var end = 0
        for token in lexer.lex() where token.end > token.start && token.start >= end && token.end <= bytes.count {
            pieces.append(Array(bytes[end..<token.start]))
            pieces.append(Array(bytes[token.start..<token.end]))
            end = token.end
        }
        return pieces + [Array(bytes[end...]), Array("\n\n".utf8)]
    }

    /// A number below a bound (SplitMix64).
    private mutating func number(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, bound)))
    }

    /// All files, one of them damaged, or one that has a damaged definition of theirs.
    mutating func next(isWhole: Bool) -> [StoneSource] {
        let place = number(below: sources.count)
        if isWhole {
            let damaged = damage(sources[place].flatMap { $0 })
            return sources.indices.map { index in
                let bytes = index == place ? damaged : sources[index].flatMap { $0.flatMap { $0 } }
                return StoneSource(path: "\(index).stone", bytes: bytes)
            }
        }
        let definition = sources[place][number(below: sources[place].count)]
        let start = "namespace notes\nimport common\n"
        let common = "namespace common\nalias Id = String\nalias MaybeId = Id?\nunion Style\n    rpc\n"
        return [
            StoneSource(path: "common", text: common),
            StoneSource(path: "notes", bytes: Array(start.utf8) + damage(definition)),
        ]
    }

    /// One to three pieces dropped, doubled or put elsewhere, or bytes changed.
    private mutating func damage(_ definition: Definition) -> [UInt8] {
        var pieces = definition
        for _ in 0...number(below: 3) {
            let one = number(below: pieces.count)
            let other = pieces[number(below: pieces.count)]
            switch number(below: 6) {
            case 0: pieces[one] = []
            case 1: pieces[one] += [32] + pieces[one]
            case 2: pieces[one] = other
            case 3: pieces[one] = other + [32] + pieces[one]
            case 4: if !pieces[one].isEmpty { pieces[one].removeLast() }
            default: pieces[one].append(UInt8(number(below: 256)))
            }
        }
        return pieces.flatMap { $0 }
    }
}
