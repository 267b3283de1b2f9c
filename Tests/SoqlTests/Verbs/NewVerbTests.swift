// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTesting
import Testing

@testable import SoqlCommand

@Suite("soql new")
struct NewVerbTests {
    private let folder: TemporaryDirectory
    private static let checkout = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL.path
    private static let templates = [
        "BoxSync", "BrowserLogin", "ChangeFeed", "ClosureCommand", "ContactsForAccount", "DelegateHost", "FieldService",
    ]

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func run(_ words: String..., program: URL = Command.executable) async throws -> Command.Outcome {
        let line = "cd '\(folder.path)' && exec \"$0\" new \"$@\""
        return try await Command(["-c", line, program.path] + words, program: URL(filePath: "/bin/sh")).finish()
    }

    /// Returns all paths in the directory, including hidden files.
    private func paths() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: folder.path) }

    @Test("every template is listed with its description")
    func list() async throws {
        let outcome = try await run()
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.map { $0.prefix { $0 != " " } } == Self.templates.map { $0[...] })
        #expect(lines.allSatisfy { $0.count > 30 })
    }

    @Test("a package is created under another name, in its files and file names", arguments: templates)
    func making(template: String) async throws {
        let outcome = try await run(template, "Made")
        #expect(outcome.status == 0)
        let commands = outcome.output.split(separator: "\n")
        #expect(commands.prefix(2) == ["cd Made", "swift test"])
        #expect(commands.count == 3 && commands[2].contains("swift run"))
        let paths = try paths()
        #expect(paths.contains("Made/Package.swift") && paths.contains("Made/README.md"))
        #expect(!paths.contains { $0.localizedStandardContains(template) })
        for path in paths {
            guard let text = folder.text(of: path) else { continue }
            #expect(!text.localizedStandardContains(template) && !text.contains("SPDX"), "\(path)")
        }
        let manifest = try #require(folder.text(of: "Made/Package.swift"))
        #expect(manifest.contains("[.package(name: \"RestSDK\", path: \"\(Self.checkout)\")]"))
    }

    @Test("an empty directory is filled, even if it is the current directory")
    func emptyDirectory() async throws {
        #expect(try await run("DelegateHost", ".", "--name", "Here").status == 0)
        #expect(folder.names == [".gitignore", "Package.swift", "README.md", "Sources", "Tests"])
    }

    @Test(
        "invalid names are rejected",
        arguments: ["my-app", "9Lives", "", "Ünder", "class", "RestSDK", "Foundation", "Account"])
    func names(name: String) async throws {
        let outcome = try await run("DelegateHost", "Made", "--name", name)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("'\(name)' cannot be the package's name"))
        #expect(folder.names.isEmpty)
    }

    @Test("every module of RestSDK is rejected as a name")
    func modules() throws {
        let manifest = try String(contentsOfFile: "\(Self.checkout)/Package.swift", encoding: .utf8)
        let targets = manifest.matches(of: /(?:arget|ibrary|plugin|module|program)\(\s*(?:name: )?"([A-Za-z0-9]+)"/).map
        {
            String($0.1)
        }
        #expect(targets.count > 50)
        let missing = targets.filter { !$0.hasSuffix("Tests") && !ModuleName.modules.contains($0) }
        #expect(missing.isEmpty)
    }

    @Test("an invalid request is rejected, and nothing is left")
    func rejections() async throws {
        try folder.write("mine", to: "file")
        let rejections = [
            (["DelegatHost", "Made"], "did you mean 'DelegateHost'?"), (["DelegateHost"], "no directory; use"),
            (["DelegateHost", "."], "'.' is not empty"), (["DelegateHost", "file"], "'file' is not a directory"),
            (["DelegateHost", "no/Made"], "does not exist; create it first"),
            (["DelegateHost", "Made", "--sdk", "."], "'.' is not a RestSDK package"),
            (["DelegateHost", "Made", "--sdk", "https://example.com/a\"b"], "--sdk takes a directory, URL"),
            (["DelegateHost", "my-app"], "choose one with --name"), (["--name", "X"], "no template; use"),
            (
                ["DelegateHost", "restsdk", "--name", "X", "--sdk", "https://example.com/RestSDK"],
                "SwiftPM cannot distinguish them"
            ),
        ]
        for (words, reason) in rejections {
            let line = "cd '\(folder.path)' && exec \"$0\" new \"$@\""
            let command = [Command.executable.path] + words
            let outcome = try await Command(["-c", line] + command, program: URL(filePath: "/bin/sh")).finish()
            #expect(outcome.status == 2, "\(words)")
            #expect(outcome.errors.contains(reason), "\(words): \(outcome.errors)")
        }
        #expect(try paths() == ["file"])
    }

    @Test("nothing is left after a full disk")
    func fullDisk() async throws {
        let line = "cd '\(folder.path)' && mkdir Empty && trap '' XFSZ && ulimit -f 1 && \"$0\" new FieldService $1"
        for name in ["Made", "Empty"] {
            let words = ["-c", line.replacing("mkdir", with: "mkdir -p"), Command.executable.path, name]
            let outcome = try await Command(words, program: URL(filePath: "/bin/sh")).finish()
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("'\(name)' cannot be written"))
        }
        #expect(try paths() == ["Empty"])
    }

    @Test("nothing is left after an interrupt")
    func interrupt() async throws {
        let package = try NewPackage(Arguments(["FieldService", folder.path("Made")], for: Verb.new))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try package.make()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try paths().isEmpty)
    }

    @Test("an SDK can be given by URL, with a release, a branch or a commit")
    func addresses() async throws {
        let commit = String(repeating: "0a", count: 20)
        let forms = [
            ("https://example.com/team/Rest.git", "from: \"\(RestClient.version)\"", "Rest"),
            ("git@example.com:RestSDK.git#main", "branch: \"main\"", "RestSDK"),
            ("ssh://example.com/a/sdk#\(commit)", "revision: \"\(commit)\"", "sdk"),
        ]
        for (index, form) in forms.enumerated() {
            #expect(try await run("DelegateHost", "Made\(index)", "--sdk", form.0).status == 0)
            let manifest = try #require(folder.text(of: "Made\(index)/Package.swift"))
            let address = form.0.prefix { $0 != "#" }
            #expect(manifest.contains("[.package(url: \"\(address)\", \(form.1))]"))
            #expect(manifest.contains(".product(name: \"EmbeddedOrg\", package: \"\(form.2)\")"))
        }
    }

    @Test("an installed program finds its templates and the URL of RestSDK")
    func installed() async throws {
        let shelf = { try TemplateShelf.find(program: folder.path("root/bin/soql")) }
        #expect(throws: CommandFailure.self) { try shelf() }
        let share = folder.path("root/share/soql")
        try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "\(Self.checkout)/Templates", toPath: "\(share)/templates")
        #expect(try shelf().sdk == nil)
        try folder.write("https://example.com/RestSDK.git#main\n", to: "root/share/soql/sdk")
        #expect(try shelf().sdk == .repository("https://example.com/RestSDK.git", requirement: "branch: \"main\""))
        #expect(try shelf().templates.map(\.name) == Self.templates)
    }
}
