// SPDX-License-Identifier: Apache-2.0

import Dropbox
import EmbeddedBox
import EmbeddedOrg
import Foundation
import RestBase
import RestBulk
import RestTransport

/// The servers for the programs, and the expected files.
struct FaultStage: Sendable {
    let org: LocalOrg
    let box: LocalBox
    let logins: LocalOrg
    private let root: String
    private let token: String

    init(_ root: String) async throws {
        self.root = root
        var configuration = LocalOrgConfiguration(records: 1_200)
        configuration.accessTokenLifetime = .seconds(24 * 60 * 60)
        org = try await LocalOrg.start(configuration)
        box = try await LocalBox.start()
        logins = try await LocalOrg.start(LocalOrgConfiguration(refreshRotation: .grace))
        token = org.issueCredential().accessToken
    }

    func close() async {
        await org.stop()
        await box.stop()
        await logins.stop()
    }

    var client: RestClient {
        get throws { try RestClient(instanceURL: org.instanceURL, accessToken: Secret(token)) }
    }

    var boxClient: DropboxClient {
        DropboxBox.client(at: Origin(scheme: .http, host: "127.0.0.1", port: box.port), token: box.accessToken)
    }

    /// The environment variables that refer the command to the org.
    var settings: [String: String] { ["SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": token] }

    /// Returns the kinds of files, with a total of a thousand points.
    func kinds(_ shim: FaultShim) async throws -> [any FaultKind] {
        let bytes = Self.bytes(400_000)
        let source = try Self.files(in: root)
        let content = try await upload(bytes)
        let version = try await version(bytes)
        var text: [UInt8] = []
        for try await chunk in FaultWorker.query(try client).chunks { text += chunk }
        func server(_ work: FaultWorker.Work, _ port: Int, _ token: String, _ source: String) -> FaultWorker {
            FaultWorker(work: work, port: port, token: token, path: "", source: source)
        }
        return [
            WorkerFile(
                name: "bulk exports", points: 110, file: "all.csv", expected: text, left: nil,
                worker: server(.export, org.port, token, "")),
            WorkerFile(
                name: "downloads", points: 100, file: "down", expected: bytes, left: nil,
                worker: server(.download, org.port, token, version)),
            WorkerFile(
                name: "Dropbox downloads", points: 100, file: "down", expected: bytes,
                left: ".down.\(content.rev).part", worker: server(.content, box.port, box.accessToken, "/content")),
            UploadFaults(points: 80, stage: self, source: source),
            OrgFaults(points: 100),
            LoginFaults(points: 60, org: logins),
            ImportFaults(points: 90, stage: self),
            HistoryFaults(points: 80, stage: self),
        ] + (try await commands())
    }

    private func upload(_ bytes: [UInt8]) async throws -> Files.FileMetadata {
        let path = "\(root)/content"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try await boxClient.upload(.file(path: path), to: "/content").value
    }

    private func version(_ bytes: [UInt8]) async throws -> String {
        let made = try await client.send(
            .create(
                "ContentVersion",
                ["PathOnClient": "content.bin", "VersionData": JSONValue(Data(bytes).base64EncodedString())]))
        return made.payload["id"]?.string ?? ""
    }

    private static func files(in root: String) throws -> String {
        let folder = "\(root)/sources"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for number in 1...8 {
            try Data(bytes(3_000 * number)).write(to: URL(fileURLWithPath: "\(folder)/file-\(number)"))
        }
        return folder
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(count))
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    /// Returns the kinds of files that `soql` writes.
    private func commands() async throws -> [any FaultKind] {
        let query = "SELECT Id, Name, Phone FROM Contact ORDER BY Id"
        func printed(_ words: [String]) throws -> [UInt8] {
            Array(try output(soqlProgram, words, environment: settings).utf8)
        }
        let schema = try printed(["schema", "pull", "Account", "Contact"])
        try Data(schema).write(to: URL(fileURLWithPath: "\(root)/schema.json"))
        let made = "\(root)/made"
        for words in [
            ["models", "--schema", "\(root)/schema.json", "--output", "\(made)/Models"],
            ["new", "FieldService", "\(made)/Rounds", "--sdk", "https://sdk.example/RestSDK"],
        ] {
            try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
            try run(soqlProgram, words, environment: settings)
        }
        return [
            CommandFiles(
                name: "soql -o", points: 80, words: ["-o", "FOLDER/a.csv", query],
                expected: ["a.csv": try printed(["--format", "csv", query])], settings: settings),
            CommandFiles(
                name: "soql schema pull", points: 70,
                words: ["schema", "pull", "Account", "Contact", "-o", "FOLDER/schema.json"],
                expected: ["schema.json": schema], settings: settings),
            CommandFiles(
                name: "soql models", points: 70,
                words: ["models", "--schema", "\(root)/schema.json", "--output", "FOLDER/Models"],
                expected: Self.contents(of: made, "Models"), settings: settings),
            CommandFiles(
                name: "soql new", points: 60,
                words: ["new", "FieldService", "FOLDER/Rounds", "--sdk", "https://sdk.example/RestSDK"],
                expected: Self.contents(of: made, "Rounds"), settings: settings, replaces: false),
        ]
    }

    /// Returns the files in a directory by their relative paths.
    private static func contents(of root: String, _ folder: String) -> [String: [UInt8]] {
        let names = FaultTrial.names(below: "\(root)/\(folder)").map { "\(folder)/\($0)" }
        return Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, FileManager.default.contents(atPath: "\(root)/\(name)").map(Array.init) ?? [])
            })
    }
}
