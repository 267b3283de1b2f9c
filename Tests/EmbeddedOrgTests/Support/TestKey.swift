// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestBase
import RestTransport

/// A key and its certificate made by openssl, which also signs: a peer of the org's own checks.
struct TestKey {
    let certificate: String
    private let folder: String

    /// Makes a key in a folder: `rsa:2048`, `rsa:1024` or `ec`.
    init(_ kind: String = "rsa:2048", in folder: String) throws {
        self.folder = folder
        let curve = kind == "ec" ? ["-pkeyopt", "ec_paramgen_curve:prime256v1"] : []
        try Self.openssl(
            ["req", "-x509", "-newkey", kind] + curve + [
                "-nodes", "-keyout", folder + "/key.pem", "-out", folder + "/certificate.pem", "-days", "2", "-subj",
                "/CN=test",
            ])
        certificate = try String(contentsOfFile: folder + "/certificate.pem", encoding: .utf8)
    }

    /// A signed statement of this header and these claims.
    func assertion(_ claims: String, header: String = #"{"alg":"RS256","typ":"JWT"}"#) throws -> String {
        let text = [header, claims].map { Base64.encodeForURL(Array($0.utf8)) }.joined(separator: ".")
        try text.write(toFile: folder + "/text", atomically: true, encoding: .utf8)
        try Self.openssl([
            "dgst", "-sha256", "-sign", folder + "/key.pem", "-out", folder + "/signature", folder + "/text",
        ])
        let signature = try Data(contentsOf: URL(filePath: folder + "/signature"))
        return "\(text).\(Base64.encodeForURL(Array(signature)))"
    }

    private struct Failed: Error {
        let arguments: [String]
    }

    private static func openssl(_ arguments: [String]) throws {
        let process = Process.tool()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(arguments: arguments) }
    }
}
