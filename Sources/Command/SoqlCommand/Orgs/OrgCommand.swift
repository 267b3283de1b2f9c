// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase

extension Verb {
    static let orgStart = Verb(
        "org start", "runs the embedded org, in the foreground or in the background",
        notes: [
            """
            With --background the org outlives this command and its shell, and 'soql org stop' ends it. Its login is \
            in a file that only you can read, below XDG_STATE_HOME or ~/.local/state; every verb finds it by \
            --account NAME. If an org of the name runs already, it stays as it is and its variables are printed.
            """
        ],
        [
            .background, .orgName, .port, .data, .records, .schema, .seed, .users, .certificate,
            .rotate, .tls, .tlsName,
        ]
    ) { arguments in
        try arguments.checkNumberOfWords(atMost: 0)
        guard !arguments.has(.tlsName) || arguments.has(.tls) else { throw UsageError("--tls-name needs --tls") }
        guard arguments.has(.background) else { return Command { try await OrgRun.foreground(arguments) } }
        let org = BackgroundOrg(arguments)
        return Command { try await org.start() }
    }
}

extension Option {
    static let background = Option("--background", "run it in a process of its own, and return when it answers")
    static let orgName = Option(
        "--name", .text("NAME"), "the name for --account, 'org env' and 'org stop': local by default")
    static let port = Option("--port", .number(0...65_535), "the port; by default, and with 0, any free one")
    static let data = Option("--data", .output, "keep the records in a file")
    static let records = Option("--records", .number(0...10_000_000), "make so many accounts more in a new org")
    static let schema = Option(
        "--schema", .input, "objects beside the standard ones, as the platform's describe has them")
    static let seed = Option(
        "--seed", .input,
        "records for a new org: as 'sf data export tree' writes them, or a table such as Account.csv; may be repeated")
    static let users = Option(
        "--users", .input, "users who can log in: a JSON list of objects with Username, Password and fields of User")
    static let certificate = Option(
        "--certificate", .input, "the certificate of a key that signs the org's app's assertions; may be repeated")
    static let rotate = Option(
        "--rotate", "give a new refresh token at every use, and end a login whose old one is used again")
    static let tls = Option("--tls", .output, "speak https, and write the certificate to be trusted to this file")
    static let tlsName = Option(
        "--tls-name", .text("NAME"), "a name of the server beside 127.0.0.1 and localhost; may be repeated")
}

/// The embedded org that runs in this process.
enum OrgRun {
    /// Runs the org until it is interrupted or stopped.
    static func foreground(_ arguments: Arguments) async throws {
        var place = try arguments[.orgName].map { try OrgPlace($0) }
        try place?.claim()
        var hasRun = false
        defer { place?.release(hasRun: hasRun) }
        let org = try await LocalOrg.start(try configuration(arguments))
        let running = RunningOrg(org, certificateFile: arguments[.tls].map(Settings.absolutePath))
        try place?.publish(running)
        hasRun = true
        StandardOutput.note("The embedded org listens on \(org.instanceURL). Connect with:")
        try StandardOutput.write(running.settings)
        StandardOutput.note("Press Control-C to stop it.")
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        await org.stop()
    }

    /// The configuration from the options, including the contents of their files.
    static func configuration(_ arguments: Arguments) throws -> LocalOrgConfiguration {
        var configuration = LocalOrgConfiguration()
        configuration.port = arguments.number(.port).flatMap { $0 == 0 ? nil : $0 }
        configuration.storage = arguments[.data].map { .file($0) } ?? .memory
        configuration.records = arguments.number(.records) ?? 0
        if let file = arguments[.schema] {
            configuration.schema = try OrgSchema(describe: try Self.bytes(file))
        }
        configuration.initialRecords = try arguments.all(.seed).map(Self.records)
        if let file = arguments[.users] {
            configuration.users = try OrgUser.list(json: try Self.bytes(file), name: "'\(file)'")
        }
        configuration.certificates = try arguments.all(.certificate).map { file in
            String(decoding: try Self.bytes(file), as: UTF8.self)
        }
        configuration.security = arguments[.tls].map {
            OrgSecurity(names: arguments.all(.tlsName), certificateFile: $0)
        }
        if arguments.has(.rotate) { configuration.refreshRotation = .strict }
        return configuration
    }

    /// Records from a JSON tree, or from a CSV table of the object in the file name: `Account.csv`, `Account-2.csv`.
    private static func records(_ file: String) throws -> InitialRecords {
        guard file.lowercased().hasBytes(suffix: ".csv") else {
            return try InitialRecords(json: try bytes(file), name: "'\(file)'")
        }
        let name = file.split(byte: "/").last?.utf8.dropLast(4) ?? ""[...].utf8
        return try InitialRecords(
            csv: try bytes(file), of: String(Substring(name).prefix(before: "-")), name: "'\(file)'")
    }

    private static func bytes(_ file: String) throws(UsageError) -> [UInt8] {
        Array(try StandardInput.read(file: file, most: 256 << 20).utf8)
    }
}
