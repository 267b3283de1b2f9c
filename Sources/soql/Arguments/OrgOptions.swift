// SPDX-License-Identifier: Apache-2.0

/// The options of `soql org start`.
struct OrgOptions {
    /// `nil`: any free port.
    var port: Int?
    /// The database file; `nil` keeps the org in memory.
    var dataFile: String?
    /// The file that describes further objects and fields.
    var schemaFile: String?
    /// The files with further records.
    var treeFiles: [String] = []
    /// The file with further users.
    var usersFile: String?
    /// The files with certificates of assertions.
    var certificateFiles: [String] = []
    /// Where the certificate for https is written; `nil` for http.
    var tlsFile: String?
    /// Further names of the server, with https.
    var tlsNames: [String] = []
    /// Whether refresh tokens are rotated.
    var rotates = false
    /// The origins of pages that may call.
    var origins: [String] = []
    /// The time zone of the org; `nil` keeps the one of its file.
    var timeZone: String?
    /// How many accounts to generate in addition to the sample data.
    var records = 0

    init(_ words: [String]) throws(UsageError) {
        var reader = WordReader(words)
        guard case .word("start")? = try reader.next() else { throw UsageError("use 'soql org start'") }
        while let item = try reader.next() {
            switch item {
            case .option("--port"): port = try reader.number(of: "--port", in: 1...65_535)
            case .option("--data"): dataFile = try reader.value(of: "--data")
            case .option("--schema"): schemaFile = try reader.value(of: "--schema")
            case .option("--seed"): treeFiles.append(try reader.value(of: "--seed"))
            case .option("--users"): usersFile = try reader.value(of: "--users")
            case .option("--certificate"): certificateFiles.append(try reader.value(of: "--certificate"))
            case .option("--tls"): tlsFile = try reader.value(of: "--tls")
            case .option("--tls-name"): tlsNames.append(try reader.value(of: "--tls-name"))
            case .option("--rotate"): rotates = true
            case .option("--cors"): origins.append(try reader.value(of: "--cors"))
            case .option("--time-zone"): timeZone = try reader.value(of: "--time-zone")
            case .option("--records"): records = try reader.number(of: "--records", in: 0...10_000_000)
            case .option(let option): throw UsageError("unknown option \(option)")
            case .word(let word): throw UsageError("unexpected argument '\(word)'")
            }
        }
        guard tlsNames.isEmpty || tlsFile != nil else { throw UsageError("--tls-name needs --tls") }
    }
}
