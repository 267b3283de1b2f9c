// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase

/// Runs the embedded org in the foreground until it is interrupted or asked to end.
struct OrgCommand: Command {
    let options: OrgOptions

    func run() async throws {
        if OrgProcess.isDetached { OrgProcess.leaveTerminal() }
        let place = try options.name.map { try OrgPlace.claim($0) }
        var hasRun = false
        defer { place?.release(hasRun: hasRun) }
        let org = try await LocalOrg.start(try configuration())
        let running = RunningOrg(org, certificateFile: options.tlsFile.map(Settings.absolutePath))
        try place?.publish(running)
        hasRun = true
        StandardOutput.note("The embedded org listens on \(org.instanceURL). Connect with:")
        try StandardOutput.write(running.settings)
        if !OrgProcess.isDetached { StandardOutput.note("Press Control-C to stop it.") }
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        await org.stop()
    }

    private func configuration() throws -> LocalOrgConfiguration {
        var configuration = LocalOrgConfiguration()
        configuration.port = options.port
        configuration.storage = options.dataFile.map { .file($0) } ?? .memory
        configuration.records = options.records
        if let file = options.schemaFile {
            configuration.schema = try OrgSchema(describe: try Self.bytes(file))
        }
        for file in options.treeFiles {
            configuration.initialRecords.append(try Self.records(file))
        }
        try logins(&configuration)
        return configuration
    }

    /// A tree, or a table of the object that the file is named after: `Account.csv`, `Account-2.csv`.
    private static func records(_ file: String) throws -> InitialRecords {
        guard file.lowercased().hasBytes(suffix: ".csv") else {
            return try InitialRecords(json: try bytes(file), name: "'\(file)'")
        }
        let name = file.split(byte: "/").last?.utf8.dropLast(4) ?? ""[...].utf8
        return try InitialRecords(
            csv: try bytes(file), of: String(Substring(name).prefix(before: "-")), name: "'\(file)'")
    }

    private func logins(_ configuration: inout LocalOrgConfiguration) throws {
        if let file = options.usersFile {
            configuration.users = try OrgUser.list(json: try Self.bytes(file), name: "'\(file)'")
        }
        for file in options.certificateFiles {
            configuration.certificates.append(String(decoding: try Self.bytes(file), as: UTF8.self))
        }
        configuration.security = options.tlsFile.map { OrgSecurity(names: options.tlsNames, certificateFile: $0) }
        configuration.corsOrigins = Set(options.origins)
        if options.rotates { configuration.refreshRotation = .strict }
    }

    private static func bytes(_ file: String) throws(UsageError) -> [UInt8] {
        Array(try StandardInput.read(file: file, most: 256 << 20).utf8)
    }
}
