// SPDX-License-Identifier: Apache-2.0

import Dropbox
import EmbeddedOrg
import Foundation
import RestBulk
import RestTransport
import Synchronization

/// The work of a process with a failure.
struct FaultWorker: Codable {
    enum Work: String, Codable {
        case export, download, content, upload, org
    }

    let work: Work
    /// The server's port and token.
    var port = 0
    var token = ""
    let path: String
    /// The source: an id, a path or a directory.
    var source = ""

    private static let variable = "RESTSDK_FAULT_WORKER"
    static let area = "files.full"

    static var ofProcess: FaultWorker? {
        ProcessInfo.processInfo.environment[variable].flatMap {
            try? JSONDecoder().decode(FaultWorker.self, from: Data($0.utf8))
        }
    }

    func attempt(_ trial: FaultTrial, _ point: FaultPoint?) async throws -> Bool {
        let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        return await trial.launch(CommandLine.arguments[0], [Self.area], [Self.variable: text], point)
    }

    func run() async throws {
        switch work {
        case .export: _ = try await Self.query(client()).export(to: path)
        case .download: try await download()
        case .content: _ = try await box.download(source, to: path, DownloadOptions(keepsPart: true)).value
        case .upload: try await upload()
        case .org: try await keepRecords()
        }
    }

    static let patience = BulkPatience(firstInterval: .milliseconds(5), longestInterval: .milliseconds(50))

    static func query(_ client: RestClient) -> BulkQuery {
        client.bulk.query(
            "SELECT Id, Name FROM Account ORDER BY Id", options: BulkQuery.Options(pageRows: 300, patience: patience))
    }

    private func client() throws -> RestClient {
        try RestClient(instanceURL: "http://127.0.0.1:\(port)", accessToken: Secret(token))
    }

    private var box: DropboxClient {
        DropboxBox.client(at: Origin(scheme: .http, host: "127.0.0.1", port: port), token: token)
    }

    /// Downloads a file with an app that frees disk space twice and retries.
    private func download() async throws {
        let client = try client()
        let room = Mutex(2)
        let handler = client.onError(of: RestError.self) { error, _ in
            let isRoom = room.withLock { room in
                defer { room -= 1 }
                return room > 0
            }
            return error.code == .file && isRoom ? .retry(after: .zero) : .propagate
        }
        defer { handler.remove() }
        try await client.download(.blob("ContentVersion", id: source, field: "VersionData"), to: path)
    }

    private func upload() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: source).sorted()
        let target = "/\(URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent)"
        let files = names.map { UploadFile(.file(path: "\(source)/\($0)"), to: "\(target)/\($0)") }
        for result in await box.upload(files, journal: try UploadJournal(path: path)).results {
            _ = try result.value.get()
        }
    }

    /// Writes records to an org with a file, and records those that were reported as written.
    private func keepRecords() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.storage = .file(path)
        let org = try await LocalOrg.start(configuration)
        let client = try RestClient(
            instanceURL: org.instanceURL, accessToken: Secret(org.issueCredential().accessToken),
            configuration: RestClient.Configuration(retryPolicy: .never))
        guard let notes = FileHandle(forWritingAtPath: source) else { throw CommandFailed(command: source, status: 1) }
        try notes.seekToEnd()
        for number in 1...12 {
            let name = "kept \(UUID().uuidString) \(number)"
            guard (try? await client.send(.create("Account", ["Name": JSONValue(name)]))) != nil else { continue }
            try notes.write(contentsOf: Data("\(name)\n".utf8))
        }
        await org.stop()
    }
}
