// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoneCompiler

/// No input ends the process, takes long or needs a deep stack.
@Suite struct HostileTests {
    @Test func deepNestingIsAFault() {
        let types = String(repeating: "List(", count: 10_000) + "String" + String(repeating: ")", count: 10_000)
        #expect(Specs.faults("alias A = \(types)\n").first?.message.contains("nested more than") == true)
        let inline = (0..<60).map { level in
            let indentation = String(repeating: "    ", count: 2 * level)
            return "\(indentation)struct\n\(indentation)    f T\(level)\n"
        }
        #expect(!Specs.faults("struct A\n    f T\n        " + inline.joined()).isEmpty)
        #expect(!Specs.faults("struct A\n" + String(repeating: "    ", count: 1_000) + "a String\n").isEmpty)
    }

    @Test func longRowsAreFaults() {
        let aliases = (0..<3_000).map { "alias A\($0)a = A\($0 + 1)a\n" }.joined() + "alias A3000a = String\n"
        #expect(!Specs.faults(aliases).isEmpty)
        let structs = (0..<3_000).map { "struct S\($0)a extends S\($0 + 1)a\n    f\($0) String\n" }.joined()
        #expect(!Specs.faults(structs + "struct S3000a\n    \"x\"\n").isEmpty)
        let ring = (0..<3_000).map { "struct S\($0)a extends S\(($0 + 1) % 3_000)a\n    f\($0) String\n" }.joined()
        #expect(!Specs.faults(ring).isEmpty)
        let aliasRing = (0..<3_000).map { "alias A\($0)a = A\(($0 + 1) % 3_000)a\n" }.joined()
        #expect(!Specs.faults(aliasRing).isEmpty)
    }

    @Test func bytesThatAreNoTextAreFaults() {
        let invalid = StoneSource(path: "a", bytes: Array("namespace a\n".utf8) + [0x22, 0xFF, 0x22])
        #expect(throws: StoneError.self) { try StoneAPI(compiling: [invalid]) }
        #expect(Specs.faults([("a", "\u{FEFF}namespace a\n")]).first?.message.contains("byte order mark") == true)
        #expect(Specs.faults([("a", "namespace a\0\n")]).first?.message.contains("U+0000") == true)
        #expect(Specs.faults([("a", String(repeating: "a", count: 200_000))]).first?.message.contains("longer") == true)
        #expect(Specs.faults([("a", "namespace a\r\nstruct B\r\n    \"x\r\n    y\"\r\n")]).isEmpty)
        #expect(throws: StoneError.self) {
            try StoneAPI(compiling: Array(repeating: StoneSource(path: "a", text: ""), count: 10_001))
        }
    }

    @Test func manyFaultsAreCutOff() {
        #expect(Specs.faults(String(repeating: "?\n", count: 5_000)).count == 1_000)
    }

    /// Were the cost to grow with the square of the length, each of these would take minutes.
    @Test(.timeLimit(.minutes(1)), arguments: ["defaults", "fields", "tags", "patches", "references"])
    func costsGrowWithTheLength(_ shape: String) {
        #expect(Specs.faults(Self.long(shape, 20_000)).isEmpty)
    }

    private static func long(_ shape: String, _ count: Int) -> String {
        func lines(_ line: (Int) -> String) -> String { (0..<count).map(line).joined() }
        switch shape {
        case "defaults":
            return "union U\n" + lines { "    t\($0)\n" } + "struct S\n" + lines { "    f\($0) U = t\(count - 1)\n" }
        case "fields":
            let examples = lines { "    example e\($0)\n        f\($0) = \"\"\n" }
            return "struct S\n" + lines { "    f\($0) String?\n" } + examples
        case "tags":
            let examples = lines { "    example e\($0)\n        t\($0) = \"\"\n" }
            return "union U\n" + lines { "    t\($0) String\n" } + examples
        case "patches":
            return "struct S\n    \"x\"\n" + lines { "patch struct S\n    f\($0) String?\n" }
        default: return "struct S\n    \"" + lines { _ in ":lin\\k:`ab c`\n" } + "\"\n"
        }
    }

    /// Most rounds take one definition, so that twenty thousand need seconds; some take the whole spec.
    @Test(arguments: 0..<4) func fiveThousandMutationsOfTheNotesSpecEnd(_ seed: UInt64) throws {
        let sources = try Specs.sources(in: Specs.notes)
        var mutator = SpecMutator(seed: seed, sources)
        var accepted = 0
        for round in 0..<5_000 {
            do throws(StoneError) {
                _ = try StoneAPI(compiling: mutator.next(isWhole: round % 250 == 0))
                accepted += 1
            } catch {
                #expect(error.diagnostics.allSatisfy { $0.line > 0 && $0.column > 0 && !$0.message.isEmpty })
            }
        }
        #expect(accepted > 20 && accepted < 4_900)
    }
}

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
