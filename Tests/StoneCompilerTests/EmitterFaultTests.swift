// SPDX-License-Identifier: Apache-2.0

import StoneCompiler
import Testing

@Suite("What has no form in Swift")
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

    @Test("All of it is told in one run, with line, column and caret, each once and in the order of the files")
    func all() throws {
        let lines = try faults([("b.stone", other), ("a.stone", times)])
        let heads = lines.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        #expect(
            heads.map { $0.prefix { $0 != " " } } == [
                "b.stone:5:5:", "a.stone:3:7:", "a.stone:6:5:", "a.stone:9:5:", "a.stone:12:5:", "a.stone:14:7:",
            ])
        let formats = ["%e", "%Y %U", "%q", "%c", "%Y %G", "%V"]
        #expect(zip(heads, formats).allSatisfy { $0.contains("The format '\($1)' has no form in Swift") })
        #expect(Array(lines[6...8].dropFirst()) == ["    one Timestamp(\"%q\")", "    ^"])
    }

    @Test("What is not written is not complained about")
    func selection() throws {
        var options = SwiftOptions(module: "M")
        options.namespaces = ["a"]
        let lines = try faults([("b.stone", other), ("a.stone", times)], options)
        #expect(!lines.isEmpty && !lines.contains { $0.hasPrefix("b.stone") })
        options.namespaces = nil
        options.routes = ["a/r"]
        #expect(try faults([("b.stone", other), ("a.stone", times)], options).count == 3)
    }

    @Test("A timestamp has no default")
    func defaults() throws {
        let field = "    day Timestamp(\"%Y-%m-%d\") = \"2020-01-01\"\n"
        let lines = try faults([("a.stone", "namespace a\nstruct S\n" + field)])
        #expect(lines.count == 3 && lines[0].hasPrefix("a.stone:3:5: error: The default of a timestamp"))
    }

    @Test("A thousand faults are told, no more")
    func many() throws {
        let fields = (0..<1_500).map { "    f\($0) Timestamp(\"%q\")\n" }.joined()
        #expect(try faults([("a.stone", "namespace a\nstruct S\n" + fields)]).count == 3_000)
    }
}
