// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestTesting
import Testing

@testable import soql

@Suite("soql: output files that are also input files", .timeLimit(.minutes(2)))
struct OutputFileCollisionTests {
    /// A verb with an output option, and another option that names a file.
    struct Pair: Sendable, CustomTestStringConvertible {
        let verb: Verb
        let output: Option
        let other: Option

        var testDescription: String { "\(verb.name) \(output.name) \(other.name)" }
    }

    private static let pairs = Verb.all.flatMap { verb in
        verb.options.filter(\.isOutput).flatMap { output in
            verb.options.filter { $0.name != output.name && $0.usesFile }.map {
                Pair(verb: verb, output: output, other: $0)
            }
        }
    }

    @Test("every output option of every verb is compared with every other option that names a file", arguments: pairs)
    func options(pair: Pair) throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "same")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: folder.path("same"))
        for (output, other) in [("same", "same"), ("link", "same"), ("same", "link"), ("new", "new")] {
            let words = [pair.output.name, folder.path(output), pair.other.name, pair.other.value(folder.path(other))]
            #expect(throws: UsageError.self, "\(words)") { try Arguments(words, for: pair.verb) }
        }
        let words = [pair.output.name, folder.path("new"), pair.other.name, pair.other.value(folder.path("same"))]
        #expect(throws: Never.self) { try Arguments(words, for: pair.verb) }
    }

    @Test("there are pairs of every kind")
    func kinds() {
        let names = Set(Self.pairs.map(\.testDescription))
        let wanted = [
            "create --failed --file", "create --output --file", " --output --param",
            "org start --tls --data", "org start --data --seed", "models --output --schema",
        ]
        #expect(names.isSuperset(of: wanted), "\(Set(wanted).subtracting(names))")
    }

    @Test("rows stay when they would be replaced by their failures or results, and nothing is sent")
    func rows() async throws {
        let session = try await OrgSession()
        let rows = "Name,Phone\n,1\nb,2\n"
        try session.folder.write(rows, to: "same.csv")
        let file = session.folder.path("same.csv")
        for option in ["--failed", "-o"] {
            let named = try await session.run("create", "Account", "--file", file, option, file)
            #expect(named.status == 2 && named.errors.contains(file), "\(named)")
            let piped = try await session.shell(
                #"cd "$folder" && "$soql" create Account \#(option) ./same.csv < same.csv"#)
            #expect(piped.status == 2 && piped.errors.contains("standard input"), "\(piped)")
        }
        let results = try await session.shell(
            #"cd "$folder" && printf 'Name\na\n' | "$soql" create Account --failed out.csv >> out.csv"#)
        #expect(results.status == 2 && results.errors.contains("standard output"), "\(results)")
        #expect(session.writes.isEmpty && session.folder.text(of: "same.csv") == rows)
        await session.org.stop()
    }

    @Test("files that are named by words, bodies, parameters and plans are inputs too")
    func inputs() async throws {
        let session = try await OrgSession()
        let folder = session.folder
        try folder.write("Name\na\n", to: "rows.csv.failed.csv")
        for (link, target) in [("rows.csv", "rows.csv.failed.csv"), ("x.csv.load", "rows.csv.failed.csv")] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path("x.csv"), withDestinationPath: "x.csv.load")
        try folder.write("{}", to: "body.json")
        try folder.write("a\nb\n", to: "names.txt")
        try folder.write(
            #"{"records":[{"attributes":{"type":"Account","referenceId":"a"},"Name":"t"}]}"#, to: "p-Account.json")
        try folder.write(#"[{"sobject":"Account","files":["p-Account.json"]}]"#, to: "p-plan.json")
        let before = folder.names
        let lines: [[String]] = [
            ["import", "Account", folder.path("rows.csv")], ["import", "Account", folder.path("x.csv"), "--restart"],
            [
                "SELECT Id FROM Account WHERE Name IN :n", "--param", "n:list=@" + folder.path("names.txt"), "-o",
                folder.path("names.txt"),
            ],
        ]
        for line in lines {
            let run = try await Command(line, environment: session.environment).finish()
            #expect(run.status == 2, "\(line) \(run)")
        }
        #expect(folder.names == before && session.writes.isEmpty)
        #expect(folder.text(of: "rows.csv.failed.csv") == "Name\na\n" && folder.text(of: "names.txt") == "a\nb\n")
        await session.org.stop()
    }
}

extension Option {
    /// Whether a value of the option can name a file.
    fileprivate var usesFile: Bool {
        switch value {
        case .input, .output, .folder, .textOrFile: true
        default: false
        }
    }

    /// A value that names a file.
    fileprivate func value(_ path: String) -> String {
        guard case .textOrFile = value else { return path }
        return name == Option.param.name ? "a:list=@\(path)" : "@\(path)"
    }
}
