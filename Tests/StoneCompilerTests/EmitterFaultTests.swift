// SPDX-License-Identifier: Apache-2.0

import Costs
import Foundation
import Testing

@testable import StoneCompiler

@Suite("Specs that cannot be expressed in Swift")
struct EmitterFaultTests {
    private func faults(_ files: [(String, String)], _ options: SwiftOptions = SwiftOptions(module: "M")) throws
        -> [String]
    {
        let api = try StoneAPI(compiling: files.map { StoneSource(path: $0.0, text: $0.1) })
        do throws(StoneError) {
            _ = try SwiftEmitter.files(of: api, options)
            return []
        } catch {
            return error.description.split(separator: "\n").map(String.init)
        }
    }

    private let other = """
        namespace b

        struct Other
            x String
            y Timestamp("%e")?

        """
    private let times = """
        namespace a

        alias Day = Timestamp("%Y %U")

        struct Base
            one Timestamp("%q")

        struct S extends Base
            two List(Map(String, Timestamp("%c")?))

        union U
            three Timestamp("%Y %G")

        route r (Timestamp("%V"), Void, Void)

        """

    @Test("All errors are reported in one run, once each, in file order, with line, column and caret")
    func all() throws {
        let lines = try faults([("b.stone", other), ("a.stone", times)])
        let heads = lines.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        #expect(
            heads.map { $0.prefix { $0 != " " } } == [
                "b.stone:5:5:", "a.stone:3:7:", "a.stone:6:5:", "a.stone:9:5:", "a.stone:12:5:", "a.stone:14:7:",
            ])
        let formats = ["%e", "%Y %U", "%q", "%c", "%Y %G", "%V"]
        #expect(zip(heads, formats).allSatisfy { $0.contains("unsupported timestamp format '\($1)'") })
        #expect(Array(lines[6...8].dropFirst()) == ["    one Timestamp(\"%q\")", "    ^"])
    }

    @Test("Errors in parts that are not generated are not reported")
    func selection() throws {
        var options = SwiftOptions(module: "M")
        options.namespaces = ["a"]
        let lines = try faults([("b.stone", other), ("a.stone", times)], options)
        #expect(!lines.isEmpty && !lines.contains { $0.hasPrefix("b.stone") })
        options.namespaces = nil
        options.routes = ["a/r"]
        #expect(try faults([("b.stone", other), ("a.stone", times)], options).count == 3)
    }

    @Test("A timestamp cannot have a default")
    func defaults() throws {
        let field = "    day Timestamp(\"%Y-%m-%d\") = \"2020-01-01\"\n"
        let lines = try faults([("a.stone", "namespace a\nstruct S\n" + field)])
        #expect(lines.count == 3 && lines[0].hasPrefix("a.stone:3:5: error: a timestamp cannot have a default"))
    }

    @Test("At most a thousand errors are reported")
    func many() throws {
        let fields = (0..<1_500).map { "    f\($0) Timestamp(\"%q\")\n" }.joined()
        #expect(try faults([("a.stone", "namespace a\nstruct S\n" + fields)]).count == 3_000)
    }
}

@Suite("The cost of generating Swift")
struct EmitterCostTests {
    /// Four times the spec takes four times as long if the cost is linear, and sixteen times if it is quadratic.
    @Test(arguments: LongSpec.allCases) func grows(_ shape: LongSpec) throws {
        let (small, large) = (try shape.api(600), try shape.api(2_400))
        func write(_ api: StoneAPI) throws { _ = try SwiftEmitter.files(of: api, SwiftOptions(module: "M")) }
        let ratio = try costRatio(below: 8, short: { try write(small) }, long: { try write(large) })
        #expect(ratio < 8, "\(shape)")
    }
}

/// Specs of any length with one kind of definition each.
enum LongSpec: String, CaseIterable {
    case defaults, references, likeRoutes, likeTags, pages, versions, jobs, ruledChain, subtypes

    func api(_ count: Int) throws -> StoneAPI {
        try StoneAPI(compiling: [StoneSource(path: "long.stone", text: text(count))])
    }

    private func text(_ count: Int) -> String {
        func lines(_ line: (Int) -> String) -> String { (0..<count).map(line).joined() }
        /// Returns one of several names that become the same Swift name.
        func like(_ number: Int) -> String {
            (0..<12).map { number >> $0 & 1 == 0 ? "a_" : "a__" }.joined() + "x"
        }
        switch self {
        case .defaults:
            return "namespace n\nunion U\n" + lines { "    t\($0)\n" } + "struct S\n"
                + lines { "    f\($0) U = t\(count - 1)\n" }
        case .references:
            return "namespace n\nstruct S\n    \"" + lines { ":field:`f\($0)`\n     " } + "\"\n"
                + lines { "    f\($0) String\n" }
        case .likeRoutes: return "namespace n\n" + lines { "route \(like($0)) (Void, Void, Void)\n" }
        case .likeTags: return "namespace n\nunion U\n" + lines { "    \(like($0))\n" }
        case .pages:
            return "namespace n\nstruct Arg\n    \"x\"\nstruct C\n    cursor String\n"
                + "struct P\n    cursor String\n    has_more Boolean\n    e List(String)\n"
                + lines { "    f\($0) String\n" }
                + lines { "route r\($0) (Arg, P, Void)\nroute r\($0)/continue (C, P, Void)\n" }
        case .versions:
            return "namespace n\nstruct C\n    cursor String\nstruct P\n    cursor String\n    has_more Boolean\n"
                + lines { "route r:\($0 + 1) (C, P, Void)\nroute r/continue:\($0 + 1) (C, P, Void)\n" }
        case .jobs:
            return "namespace async\nstruct PollArg\n    async_job_id String\nstruct Arg\n    \"x\"\n"
                + "union L\n    async_job_id String\n    complete\n" + lines { "    t\($0)\n" }
                + "union R\n    in_progress\n    complete\n" + lines { "    t\($0)\n" }
                + lines { "route r\($0) (Arg, L, Void)\nroute r\($0)/check (PollArg, R, Void)\n" }
        case .ruledChain:
            return "namespace n\n" + lines { "struct S\($0)\n    a S\($0 + 1)?\n" }
                + "struct S\(count)\n    a String(min_length=1)\nroute r (S0, Void, Void)\n"
        case .subtypes:
            return "namespace n\nstruct S\n    union\n" + lines { "        t\($0) T\($0)\n" } + "    x String\n"
                + lines { "struct T\($0) extends S\n    y String\n" }
        }
    }
}
