// SPDX-License-Identifier: Apache-2.0

import Dropbox
import EmbeddedBox
import EmbeddedOrg
import Foundation
import RestBulk
import RestTransport

/// The journal of an upload to Dropbox: every file must exist after its process, or the next one, succeeds.
struct UploadFaults: FaultKind {
    let name = "upload journals"
    let points: Int
    let stage: FaultStage
    let source: String

    func prepare(_ trial: FaultTrial) {}

    func attempt(_ trial: FaultTrial, _ point: FaultPoint?) async throws -> Bool {
        try await FaultWorker(
            work: .upload, port: stage.box.port, token: stage.box.accessToken, path: trial.path("journal"),
            source: source
        ).attempt(trial, point)
    }

    func inspect(_ trial: FaultTrial, isDone: Bool, isLast: Bool) async throws {
        guard isDone else { return }
        let folder = "/\(URL(fileURLWithPath: trial.folder).lastPathComponent)"
        var there: [String: String] = [:]
        for try await entry in stage.boxClient.files.listFolder(path: folder).elements {
            if case .file(let file) = entry { there[file.name] = file.contentHash }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: source)
        for name in names {
            guard try await there[name] == ContentHash.ofFile(at: "\(source)/\(name)").text else {
                throw FaultDamage.falseSuccess("\(name) is not at Dropbox")
            }
        }
        if there.count > names.count { throw FaultDamage.extra("there are \(there.count) files at Dropbox") }
        if isLast, trial.names != ["journal"] { throw FaultDamage.extra("there are \(trial.names)") }
    }
}

/// The journal of an import, the org's results, and the result files.
struct ImportFaults: FaultKind {
    let name = "imports"
    let points: Int
    let stage: FaultStage
    private static let rows = 40

    init(points: Int, stage: FaultStage) { (self.points, self.stage) = (points, stage) }

    private func source(_ trial: FaultTrial) -> [UInt8] {
        Array(("Name\n" + (1...Self.rows).map { "import \(trial.number) \($0)\n" }.joined()).utf8)
    }

    func prepare(_ trial: FaultTrial) throws {
        try trial.write(source(trial), "rows.csv")
        if trial.replaces { try trial.write(Array("sf__Id,sf__Error,Name\n".utf8), "rows.csv.failed.csv") }
    }

    func attempt(_ trial: FaultTrial, _ point: FaultPoint?) async -> Bool {
        // A complete import is not repeated.
        if point == nil, trial.number > 0, FileManager.default.fileExists(atPath: "\(trial.side)/done") { return true }
        let isBegun = FileManager.default.fileExists(atPath: trial.path("rows.csv.load"))
        let isDone = await trial.launch(
            soqlProgram, ["import", "Account", trial.path("rows.csv")] + (isBegun ? ["--resume"] : []), stage.settings,
            point)
        if isDone { _ = FileManager.default.createFile(atPath: "\(trial.side)/done", contents: nil) }
        return isDone
    }

    func inspect(_ trial: FaultTrial, isDone: Bool, isLast: Bool) async throws {
        guard trial.bytes("rows.csv") == source(trial) else { throw FaultDamage.lost("the rows that were given") }
        guard isDone else { return }
        var ids: [String] = []
        let query: SOQL = "SELECT Id, Name FROM Account WHERE Name LIKE \("import \(trial.number) %")"
        for try await record in try stage.client.records(query) { ids.append(record["Id"]?.string ?? "") }
        if ids.count < Self.rows { throw FaultDamage.falseSuccess("\(ids.count) of \(Self.rows) rows are at the org") }
        if ids.count > Self.rows { throw FaultDamage.extra("\(ids.count) of \(Self.rows) rows are at the org") }
        let told = try CSVDocument(parsing: trial.bytes("rows.csv.successful.csv") ?? []).rows.compactMap {
            $0["sf__Id"]
        }
        guard told.sorted() == ids.sorted() else {
            throw FaultDamage.falseSuccess("the results tell of \(told.count) of \(ids.count) rows")
        }
        guard trial.names == ["rows.csv", "rows.csv.successful.csv"] else {
            throw FaultDamage.extra("there are \(trial.names)")
        }
    }
}
