// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import SwiftSource

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Verb {
    static let new = Verb(
        "new", operands: ["", "TEMPLATE DIR"], "create a small app from a template, or list the templates",
        notes: [
            """
            DIR must be empty or not exist. The new package builds and passes its tests. If an error occurs, nothing \
            is written. The files are yours and have no licence lines.
            """,
            """
            The package depends on the RestSDK that this command was built from: the URL of its repository, or the \
            directory of its checkout. Use --sdk for another one: a directory, URL (the release of this version), \
            URL#BRANCH or URL#COMMIT.
            """,
        ],
        [.newName, .sdk]
    ) { arguments in
        let package = try NewPackage(arguments)
        return Command { try package.make() }
    }
}

extension Option {
    static let newName = Option("--name", .text("NAME"), "use this package name (default: the name of DIR)")
    static let sdk = Option(
        "--sdk", .text("SDK"), "depend on the RestSDK in this directory or at this URL (default: that of soql)")
}

/// Creates a package from a template, or lists the templates.
struct NewPackage: Sendable {
    private let words: [String]
    /// The package's name, or `nil` for the name of the directory.
    private let name: String?
    /// The chosen RestSDK, or `nil` for the one that this command was built from.
    private let sdk: SDKSource?

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.checkNumberOfWords(atMost: 2)
        (words, name) = (arguments.words, arguments[.newName])
        guard !words.isEmpty || (name == nil && !arguments.has(.sdk)) else {
            throw UsageError("no template; use 'soql new TEMPLATE DIR'")
        }
        guard words.count != 1 else { throw UsageError("no directory; use 'soql new TEMPLATE DIR'") }
        if let text = arguments[.sdk] { sdk = try SDKSource(text) } else { sdk = nil }
    }

    func make() throws {
        let shelf = try TemplateShelf.find()
        guard words.count == 2 else { return try list(shelf) }
        let template = try shelf.template(words[0])
        let folder = try NewDirectory(words[1])
        let module = try ModuleName(name ?? folder.name, for: template, isChosen: name != nil)
        guard let sdk = sdk ?? shelf.sdk else {
            throw UsageError("RestSDK not found; give its directory or URL with --sdk")
        }
        guard sdk.identity.lowercased() != folder.name.lowercased() else {
            throw UsageError(
                "the directory of RestSDK is also named '\(folder.name)', and SwiftPM cannot distinguish them; "
                    + "choose another name")
        }
        let files = try template.files.map { $0.renamed(from: template.name, to: module.text, sdk) }
        try folder.fill(with: files)
        StandardOutput.note("created '\(module.text)' in \(words[1]) (\(files.count) files); next, run:".singleLine)
        try StandardOutput.write(Self.next(words[1], files))
    }

    private func list(_ shelf: TemplateShelf) throws {
        try StandardOutput.write(Help.columns(try shelf.templates.map { ($0.name, $0.summary) }))
        StandardOutput.note("run 'soql new TEMPLATE DIR' to create a package")
    }

    /// The commands to run next: change the directory, run the tests, and the first command of the package's README.
    private static func next(_ folder: String, _ files: [TemplateFile]) -> String {
        let readme = files.first { $0.path == "README.md" }?.text ?? ""
        let lines = readme.split(byte: "\n").map { String($0.prefix(before: "#")).trimmingBlanks }
        let start =
            lines.filter { $0.hasBytes(prefix: "eval ") }.prefix(1)
            + lines.filter { $0.hasBytes(prefix: "swift run") }.prefix(1)
        return "cd \(folder.shellWord)\nswift test\n\(start.joined(separator: " && "))\n"
    }
}

/// The name of a new package, which is the prefix of its modules.
struct ModuleName {
    let text: String

    /// Checks a name, which the template's sources must not use for another purpose.
    ///
    /// `isChosen` tells whether the user chose the name itself, and not only the directory.
    init(_ text: String, for template: Template, isChosen: Bool = true) throws {
        self.text = text
        guard let reason = try Self.fault(of: text, template) else { return }
        throw UsageError(
            "'\(text)' cannot be the package's name: \(reason)" + (isChosen ? "" : "; choose one with --name"))
    }

    private static func fault(of text: String, _ template: Template) throws -> String? {
        let isPart = { (byte: UInt8) in ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "_") }
        guard let first = text.utf8.first, !ASCII.isDigit(first), text.utf8.allSatisfy(isPart),
            text.utf8.count <= 100
        else { return "use at most 100 letters, digits and _, not beginning with a digit" }
        if SwiftIdentifiers.escaped(text) != text { return "it is a Swift keyword" }
        if modules.contains(text) { return "another module has this name" }
        guard text != template.name else { return nil }
        let words = try template.files.filter { $0.path.hasBytes(suffix: ".swift") }.map { $0.text }
        let isUsed = words.contains { $0.utf8.split { !isPart($0) }.contains { $0.elementsEqual(text.utf8) } }
        return isUsed ? "the template's sources already use this name" : nil
    }

    /// The module names that are already in use: those of RestSDK, Swift and the operating systems.
    static let modules: Set = [
        "RestBase", "RestJSON", "RestCSV", "RestXML", "RestSQLite", "SOQLSyntax", "SOQLCheck", "SOQLStore",
        "RestTransport", "RestCurl", "RestHTTP2", "RestURLSession", "RestAuth", "RestSDK", "RestModels", "RestBulk",
        "EventWire", "RestEvents", "RestSync", "RestSyncLive", "eventworker", "syncworker", "CNGHTTP2", "RestTesting",
        "LocalServer", "EmbeddedOrg",
        "SwiftSource", "StoneCompiler", "SOQLSwift", "StoneRuntime", "DropboxAPI", "EmbeddedBox", "Dropbox",
        "stonegen", "GenerateAPI", "SoqlCommand", "soql", "RestBenchmarks", "CCurl", "COpenSSL", "CSQLite",
        "CZlib", "CEdit", "CMicroHTTPD", "CBytes", "LoginPeers", "Simulation", "SyncSimulation", "QueryCorpus", "Costs",
        "BuiltPrograms", "EventServers", "TestSupport", "boxserver", "bulkworker", "NotesAPI", "Terminals", "soqlgen",
        "RestSDKQueries", "OrgModels", "SampleQueries", "MutatedPages",
        "AppKit", "Android", "Builtin", "Combine", "Cxx", "Darwin", "Dispatch", "Distributed", "Foundation",
        "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML", "Glibc",
        "Musl", "Observation", "PackageDescription", "PackagePlugin", "RegexBuilder", "Security", "Swift", "SwiftUI",
        "Synchronization", "Testing", "UIKit", "WinSDK", "XCTest", "os",
    ]
}

/// A directory that receives all files at once or none.
struct NewDirectory {
    /// The path as the user wrote it.
    private let written: String
    private let path: String
    private let isThere: Bool

    /// Creates the directory from a path that does not exist, in an existing parent, or that is an empty directory.
    init(_ text: String) throws(UsageError) {
        written = text
        let absolute = Settings.absolutePath(text)
        isThere = FileFacts.exists(absolute)
        if isThere {
            guard FileFacts.isFolder(absolute), let path = FileFacts.resolved(absolute) else {
                throw UsageError("'\(text)' is not a directory")
            }
            guard (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == true else {
                throw UsageError("'\(text)' is not empty; choose another directory")
            }
            self.path = path
        } else {
            let plain = absolute.withoutSlashes
            guard let parent = FileFacts.resolved(plain.parentDirectory) else {
                throw UsageError("'\(plain.parentDirectory)' does not exist; create it first")
            }
            path = "\(parent == "/" ? "" : parent)/\(plain.lastPart)"
        }
    }

    var name: String { path.lastPart }

    /// Writes the files, or none of them after an error.
    ///
    /// They are written to a hidden directory next to the new directory or inside the empty one, and moved after all
    /// are complete.
    func fill(with files: [TemplateFile]) throws {
        let stage = (isThere ? path : path.parentDirectory) + "/.\(name).new-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: stage) }
        do {
            for file in files {
                try Task.checkCancellation()
                let place = "\(stage)/\(file.path)"
                try FileManager.default.createDirectory(
                    atPath: place.parentDirectory, withIntermediateDirectories: true)
                try FileWriter.write(Array(file.text.utf8), to: place, access: .usual, isKept: false)
            }
            try isThere ? moveParts(of: stage) : move(stage, to: path)
        } catch  where !(error is CancellationError || error is CommandFailure) {
            throw CommandFailure("'\(written)' cannot be written: \(error)")
        }
    }

    /// Moves the parts into an existing directory, the manifest last, so that it is a package only when it is complete.
    private func moveParts(of stage: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: stage).sorted { first, _ in
            first != "Package.swift"
        }
        var moved: [String] = []
        do {
            for name in names {
                try move("\(stage)/\(name)", to: "\(path)/\(name)")
                moved.append(name)
            }
        } catch {
            for name in moved { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
            throw error
        }
    }

    /// Moves a file or directory, without replacing a non-empty directory.
    private func move(_ old: String, to new: String) throws(CommandFailure) {
        guard unsafe rename(old, new) == 0 else {
            throw CommandFailure("'\(written)' cannot be written: \(systemMessage(errno))")
        }
    }
}

extension String {
    fileprivate var withoutSlashes: String {
        self[..<(utf8.lastIndex { $0 != UInt8(ascii: "/") }.map(utf8.index(after:)) ?? startIndex)].description
    }
}
