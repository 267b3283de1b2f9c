// SPDX-License-Identifier: Apache-2.0

import RestBase
import SwiftSource

/// The name of a new package, whose modules begin with it.
struct ModuleName {
    let text: String

    /// Checks a name.
    ///
    /// - Parameters:
    ///   - text: the name.
    ///   - template: whose sources must not use the name for something else.
    ///   - isChosen: whether the user named it, or only the folder.
    /// - Throws: ``UsageError``, or ``CommandFailure`` when the template cannot be read.
    init(_ text: String, for template: Template, isChosen: Bool = true) throws {
        self.text = text
        guard let reason = try Self.fault(of: text, template) else { return }
        throw UsageError(
            "'\(text)' cannot be the package's name: \(reason)" + (isChosen ? "" : "; give one with --name"))
    }

    private static func fault(of text: String, _ template: Template) throws -> String? {
        guard let first = text.utf8.first, !first.isDigit, text.utf8.allSatisfy(\.isIdentifierPart),
            text.utf8.count <= 100
        else { return "a module's name has letters, digits and _, begins with no digit and has 100 characters at most" }
        if SwiftIdentifiers.escaped(text) != text { return "it is a keyword of Swift" }
        if modules.contains(text) { return "there is a module of that name" }
        guard text != template.name else { return nil }
        let words = try template.files.filter { $0.path.hasBytes(suffix: ".swift") }.map { $0.text }
        let isUsed = words.contains { $0.utf8.split { !$0.isIdentifierPart }.contains { $0.elementsEqual(text.utf8) } }
        return isUsed ? "the template's sources have that name for something else" : nil
    }

    /// The modules that a package shares its names with: those of RestSDK, and of Swift and the systems.
    static let modules: Set = [
        "RestJSON", "RestCSV", "RestXML", "SOQLSyntax", "SOQLCheck", "RestTransport", "RestCrypto",
        "RestCurl",
        "RestURLSession", "RestAuth", "RestSDK", "RestModels", "RestBulk", "RestTesting", "LocalServer", "EmbeddedOrg",
        "SwiftSource", "StoneCompiler", "SOQLSwift", "StoneRuntime", "DropboxAPI", "EmbeddedBox", "Dropbox",
        "stonegen", "GenerateAPI", "soql", "RestBenchmarks", "CCurl", "COpenSSL", "CSQLite",
        "CZlib", "CEdit", "CMicroHTTPD", "CBytes", "LoginPeers", "Simulation", "QueryCorpus",
        "BuiltPrograms", "boxserver", "bulkworker", "NotesAPI", "Terminals", "soqlgen", "RestSDKQueries", "OrgModels",
        "SampleQueries", "MutatedPages",
        "AppKit", "Android", "Builtin", "Combine", "Cxx", "Darwin", "Dispatch", "Distributed", "Foundation",
        "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML", "Glibc",
        "Musl", "Observation", "PackageDescription", "PackagePlugin", "RegexBuilder", "Security", "Swift", "SwiftUI",
        "Synchronization", "Testing", "UIKit", "WinSDK", "XCTest", "os",
    ]
}

extension UInt8 {
    /// Whether it is a letter, a digit or `_` in ASCII.
    var isIdentifierPart: Bool {
        isDigit || self == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
    }

    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
