// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase

extension Verb {
    static let orgStart = Verb(
        "org start", "run the embedded org in the foreground or in the background",
        notes: [
            """
            With --background the org keeps running after this command and its shell exit, until 'soql org stop'. Its \
            login is in a file that only you can read, in XDG_STATE_HOME or ~/.local/state. Every command finds it with \
            --account NAME. If an org with this name is already running, it is left unchanged and its variables are \
            printed.
            """,
            """
            The console is a page with the requests that the org receives, its objects, a query editor and events. It \
            switches faults on, and resets the records. Its URL works once, in one browser.
            """,
        ],
        [
            .background, .orgName, .port, .data, .records, .schema, .seed, .users, .certificate, .rotate, .tls,
            .tlsName,
            .noConsole,
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
    static let background = Option("--background", "run the org in a separate process, and return when it responds")
    static let orgName = Option(
        "--name", .text("NAME"), "use this name for --account, 'org env' and 'org stop' (default: local)")
    static let port = Option("--port", .number(0...65_535), "listen on this port (default: 0, any free port)")
    static let data = Option("--data", .output, "store the records in a file (default: in memory)")
    static let records = Option("--records", .number(0...10_000_000), "add N accounts to a new org (default: 0)")
    static let schema = Option("--schema", .input, "add the objects of a file with describe results")
    static let seed = Option(
        "--seed", .input,
        "add records to a new org from a file of 'sf data export tree' or a table such as Account.csv; can be repeated")
    static let users = Option(
        "--users", .input, "add users from a JSON list of objects with Username, Password and fields of User")
    static let certificate = Option(
        "--certificate", .input, "accept JWT assertions signed with the key of this certificate; can be repeated")
    static let rotate = Option(
        "--rotate", "issue a new refresh token at each use, and revoke a login whose old token is reused")
    static let tls = Option("--tls", .output, "use https, and write the certificate that clients must trust to a file")
    static let noConsole = Option("--no-console", "start the org without its console")
    static let tlsName = Option(
        "--tls-name", .text("NAME"), "add a server name to the certificate (with --tls); can be repeated")
}

/// The embedded org that runs in this process.
enum OrgRun {
    /// Runs the org until it is interrupted or stopped.
    static func foreground(_ arguments: Arguments) async throws {
        var place = try arguments[.orgName].map { try OrgPlace($0) }
        try place?.claim()
        var hasRun = false
        defer { place?.release(hasRun: hasRun) }
        let org = try await LocalOrg.start(try configuration(arguments), console: !arguments.has(.noConsole))
        let running = RunningOrg(org, certificateFile: arguments[.tls].map(Settings.absolutePath))
        try place?.publish(running)
        hasRun = true
        StandardOutput.note("the embedded org listens on \(org.instanceURL); connect with:")
        try StandardOutput.write(running.settings)
        running.noteConsole()
        StandardOutput.note("press Control-C to stop the org")
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        await org.stop()
    }

    /// The configuration from the options, including the contents of their files.
    static func configuration(_ arguments: Arguments) throws -> LocalOrgConfiguration {
        var configuration = LocalOrgConfiguration()
        configuration.port = arguments.number(.port).flatMap { $0 == 0 ? nil : $0 }
        configuration.storage = arguments[.data].map { .file($0) } ?? .memory
        configuration.records = arguments.number(.records) ?? 0
        if let file = arguments[.schema] { configuration.schema = try OrgSchema(describe: try bytes(file)) }
        configuration.initialRecords = try arguments.all(.seed).map(Self.records)
        if let file = arguments[.users] {
            configuration.users = try OrgUser.list(json: try bytes(file), name: "'\(file)'")
        }
        configuration.certificates = try arguments.all(.certificate).map {
            try StandardInput.read(file: $0, most: most)
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
        Array(try StandardInput.read(file: file, most: most).utf8)
    }

    /// The maximum size of a file.
    private static let most = 256 << 20
}
