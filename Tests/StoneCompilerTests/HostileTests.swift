// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoneCompiler

/// No input can end the process, take long or need a deep stack.
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

    /// If the cost were quadratic, each of these specs would take minutes.
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
}
