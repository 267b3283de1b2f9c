// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import RestTransport
import SwiftSource

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A package from which new packages are created.
struct Template {
    let name: String
    let folder: String

    /// The beginning of its README, up to a colon or the end of the sentence.
    var summary: String {
        let lines = (try? Self.text(of: "\(folder)/README.md"))?.split(byte: "\n") ?? []
        let sentence = lines.first { !$0.hasBytes(prefix: "#") }?.prefix(beforeAny: ".:") ?? ""
        return String(sentence).singleLine
    }

    /// The files in the order of their paths, without build products.
    var files: [TemplateFile] {
        get throws {
            try Self.paths(in: folder).map { TemplateFile(path: $0, text: try Self.text(of: "\(folder)/\($0)")) }
        }
    }

    private static func paths(in folder: String) throws -> [String] {
        var paths: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            guard !name.hasBytes(prefix: ".") || name == ".gitignore", name != "Package.resolved" else { continue }
            if FileFacts.isFolder("\(folder)/\(name)") {
                paths += try self.paths(in: "\(folder)/\(name)").map { "\(name)/\($0)" }
            } else {
                paths.append(name)
            }
        }
        return paths
    }

    private static func text(of path: String) throws(CommandFailure) -> String {
        do { return try String(contentsOfFile: path, encoding: .utf8) } catch {
            throw CommandFailure("the template's file '\(path)' cannot be read: \(error)")
        }
    }
}

/// The directory of the templates, installed next to the program or in the checkout in which the program was built.
struct TemplateShelf {
    let folder: String
    /// The RestSDK that matches the templates, or `nil` if its location is unknown.
    let sdk: SDKSource?

    /// Searches for `../share/soql/templates` relative to the program, then for a checkout that contains the program.
    static func find(program: String = ProgramFile.path) throws -> TemplateShelf {
        let folders = sequence(first: program.parentDirectory) { $0 == "/" ? nil : $0.parentDirectory }
        let share = "\(program.parentDirectory.parentDirectory)/share/soql"
        if FileFacts.isFolder("\(share)/templates") {
            let address = try? String(contentsOfFile: "\(share)/sdk", encoding: .utf8)
            return TemplateShelf(
                folder: "\(share)/templates", sdk: try address.map { try SDKSource($0.trimmingBlanks) })
        }
        guard let checkout = folders.first(where: { FileFacts.isFolder("\($0)/Sources/Client/RestSDK") }) else {
            throw CommandFailure("templates not found in '\(share)/templates' or a checkout of RestSDK; reinstall soql")
        }
        return TemplateShelf(folder: "\(checkout)/Templates", sdk: .folder(checkout))
    }

    /// All templates, sorted by name.
    var templates: [Template] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                .filter { FileFacts.exists("\(folder)/\($0)/Package.swift") }
                .map { Template(name: $0, folder: "\(folder)/\($0)") }
        }
    }

    /// The template with a name, in any case.
    func template(_ name: String) throws -> Template {
        let all = try templates
        guard let found = all.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw UsageError("unknown template '\(name)'; run 'soql new' to list them", near: name, all.map(\.name))
        }
        return found
    }
}

struct TemplateFile {
    /// The dependency on RestSDK in a template's manifest, inside the checkout.
    static let dependency = #".package(name: "RestSDK", path: "../..")"#
    /// The package argument of the products that its targets use.
    static let product = #"package: "RestSDK""#

    /// The path relative to the package.
    let path: String
    let text: String

    /// Returns a copy with another package name (also in lower and upper case) and another dependency.
    func renamed(from old: String, to new: String, _ sdk: SDKSource) -> TemplateFile {
        let names = [(old, new), (old.lowercased(), new.lowercased()), (old.uppercased(), new.uppercased())]
        var text = Self.withoutLicenceLine(text).replacingEach(names)
        if path == "Package.swift" {
            text = text.replacing(bytes: Self.dependency, with: sdk.dependency)
                .replacing(bytes: Self.product, with: "package: \"\(sdk.package)\"")
        }
        return TemplateFile(path: path.replacingEach(names), text: text)
    }

    /// Removes the license line, because a package created from a template belongs to its author.
    private static func withoutLicenceLine(_ text: String) -> String {
        var lines = text.split(byte: "\n", omittingEmptySubsequences: false)
        guard let line = lines.prefix(2).firstIndex(of: "// SPDX-License-Identifier: Apache-2.0") else { return text }
        lines.remove(at: line)
        if line < lines.count, lines[line].isEmpty, line == 0 { lines.remove(at: line) }
        return lines.joined(separator: "\n")
    }
}

extension String {
    func replacingEach(_ words: [(old: String, new: String)]) -> String {
        let words = words.map { (old: Array($0.old.utf8), new: Array($0.new.utf8)) }
        var rest = Array(utf8)[...]
        var result: [UInt8] = []
        while let byte = rest.first {
            if let word = words.first(where: { rest.starts(with: $0.old) }) {
                result += word.new
                rest = rest.dropFirst(word.old.count)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// The source of RestSDK for a new package.
enum SDKSource: Equatable {
    /// A checkout, by its absolute path.
    case folder(String)
    /// A repository, and the arguments of `.package` after its URL.
    case repository(String, requirement: String)

    /// Parses the value of `--sdk`: a directory, `URL`, `URL#BRANCH` or `URL#COMMIT`.
    init(_ text: String) throws(UsageError) {
        guard text.hasBytes("://") || text.prefix(before: "/").hasBytes("@") else {
            self = .folder(try Self.checkout(at: text))
            return
        }
        let parts = text.split(byte: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isPlain = text.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        guard isPlain, !Self.name(of: parts[0]).isEmpty, parts.last != "" else {
            throw UsageError("--sdk takes a directory, URL, URL#BRANCH or URL#COMMIT, not '\(text)'")
        }
        self = .repository(parts[0], requirement: Self.requirement(parts.count > 1 ? parts[1] : nil))
    }

    private static func requirement(_ reference: String?) -> String {
        guard let reference else { return "from: \"\(RestClient.version)\"" }
        let isCommit = reference.utf8.count == 40 && reference.utf8.allSatisfy { ASCII.hexValue($0) != nil }
        return "\(isCommit ? "revision" : "branch"): \"\(reference)\""
    }

    private static func checkout(at path: String) throws(UsageError) -> String {
        guard FileFacts.exists("\(path)/Package.swift"), FileFacts.isFolder("\(path)/Sources/Client/RestSDK"),
            let folder = FileFacts.resolved(path)
        else { throw UsageError("'\(path)' is not a RestSDK package") }
        return folder
    }

    /// The last component of a URL or path, by which SwiftPM identifies the package.
    private static func name(of address: String) -> String {
        let last = address.split(anyOf: "/:").last ?? ""
        return String(last.removing(suffix: ".git") ?? last)
    }

    /// The identity of the package in SwiftPM: the name of the directory or repository.
    var identity: String {
        switch self {
        case .folder(let path), .repository(let path, _): Self.name(of: path)
        }
    }

    /// The package name in the references to its products.
    var package: String {
        if case .folder = self { "RestSDK" } else { identity }
    }

    /// The dependency in the syntax of a manifest.
    var dependency: String {
        switch self {
        case .folder(let path): ".package(name: \"RestSDK\", path: \(path.swiftLiteral))"
        case .repository(let url, let requirement): ".package(url: \"\(url)\", \(requirement))"
        }
    }
}
