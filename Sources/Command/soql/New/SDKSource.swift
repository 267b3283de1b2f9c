// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import RestTransport
import SwiftSource

/// Where a new package gets RestSDK from.
enum SDKSource: Equatable {
    /// A checkout, by its absolute path.
    case folder(String)
    /// A repository, and what of it: the arguments of `.package` behind the address.
    case repository(String, requirement: String)

    /// Reads what `--sdk` takes: a folder, `URL`, `URL#BRANCH` or `URL#COMMIT`.
    init(_ text: String) throws(UsageError) {
        guard text.hasBytes("://") || text.prefix(before: "/").hasBytes("@") else {
            self = .folder(try Self.checkout(at: text))
            return
        }
        let parts = text.split(byte: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isPlain = text.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        guard isPlain, !Self.name(of: parts[0]).isEmpty, parts.last != "" else {
            throw UsageError("--sdk takes a folder, URL, URL#BRANCH or URL#COMMIT, not '\(text)'")
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
        else {
            throw UsageError("'\(path)' is not the folder of a RestSDK")
        }
        return folder
    }

    /// The last part of an address, which SwiftPM knows the package by.
    private static func name(of address: String) -> String {
        let last = address.split(anyOf: "/:").last ?? ""
        return String(last.removing(suffix: ".git") ?? last)
    }

    /// What SwiftPM knows it by: the folder's name, or the repository's.
    var identity: String {
        switch self {
        case .folder(let path), .repository(let path, _): Self.name(of: path)
        }
    }

    /// The name that products of it are asked for by.
    var package: String {
        if case .folder = self { "RestSDK" } else { identity }
    }

    /// The dependency as a manifest has it.
    var dependency: String {
        switch self {
        case .folder(let path): ".package(name: \"RestSDK\", path: \(path.swiftLiteral))"
        case .repository(let url, let requirement): ".package(url: \"\(url)\", \(requirement))"
        }
    }
}
