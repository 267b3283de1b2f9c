// SPDX-License-Identifier: Apache-2.0

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
            .background, .detach, .orgName, .port, .data, .records, .schema, .seed, .users, .certificate,
            .rotate, .tls, .tlsName, .cors,
        ]
    ) { arguments in
        let options = try OrgOptions(arguments)
        guard arguments.has(.background) || arguments.has(.detach) else { return OrgCommand(options: options) }
        return OrgBackgroundCommand(name: options.name ?? "local", line: options.line(from: arguments))
    }
}

extension Option {
    static let background = Option("--background", "run it in a process of its own, and return when it answers")
    static let detach = Option("--detach", "the same")
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
    static let cors = Option("--cors", .text("ORIGIN"), "let pages of this origin call; may be repeated")
}

/// The options of `soql org start`.
struct OrgOptions {
    /// What others know it by; `nil` for one that only its own terminal knows.
    let name: String?
    /// `nil`: any free port.
    let port: Int?
    /// The database file; `nil` keeps the org in memory.
    let dataFile: String?
    /// The file that describes further objects and fields.
    let schemaFile: String?
    /// The files with further records.
    let treeFiles: [String]
    /// The file with further users.
    let usersFile: String?
    /// The files with certificates of assertions.
    let certificateFiles: [String]
    /// Where the certificate for https is written; `nil` for http.
    let tlsFile: String?
    /// Further names of the server, with https.
    let tlsNames: [String]
    /// Whether refresh tokens are rotated.
    let rotates: Bool
    /// The origins of pages that may call.
    let origins: [String]
    /// How many accounts to generate in addition to the sample data.
    let records: Int

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.checkNumberOfWords(atMost: 0)
        name = arguments[.orgName]
        port = arguments.number(.port).flatMap { $0 == 0 ? nil : $0 }
        dataFile = arguments[.data]
        schemaFile = arguments[.schema]
        treeFiles = arguments.all(.seed)
        usersFile = arguments[.users]
        certificateFiles = arguments.all(.certificate)
        tlsFile = arguments[.tls]
        tlsNames = arguments.all(.tlsName)
        rotates = arguments.has(.rotate)
        origins = arguments.all(.cors)
        records = arguments.number(.records) ?? 0
        guard tlsNames.isEmpty || tlsFile != nil else { throw UsageError("--tls-name needs --tls") }
    }

    /// The command line of a second process that runs the same org in its foreground.
    func line(from arguments: Arguments) -> [String] {
        let own = [Option.background, .detach, .orgName].map(\.name)
        let kept = Verb.orgStart.options.filter { !own.contains($0.name) }
        let words = kept.flatMap { option in
            arguments.all(option).map { option.value == nil ? option.name : "\(option.name)=\($0)" }
        }
        return Verb.orgStart.words + ["--name=\(name ?? "local")"] + words
    }
}
