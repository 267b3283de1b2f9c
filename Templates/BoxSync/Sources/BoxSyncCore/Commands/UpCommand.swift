// SPDX-License-Identifier: Apache-2.0

import Dropbox

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends what Dropbox does not have of a folder.
struct UpCommand {
    let context: Context

    private var folder: String { context.words[0] }
    private var root: RemotePath { RemotePath(context.words[1]) }

    func run() async throws -> ExitStatus {
        let connection = try await Connection.open(context)
        let exclusions = Exclusions(context.options.excludes)
        context.terminal.status("Comparing both sides …")
        let local = try await LocalFolder.walk(folder, without: exclusions)
        let remote = try await RemoteFolder.list(root, of: connection.box, without: exclusions) ?? RemoteFolder()
        let plan = await UpPlan.make(local, remote, overwrites: context.options.overwrites)
        context.terminal.clear()
        try Task.checkCancellation()
        if context.options.isDryRun { return try rehearse(plan) }
        let upload = FolderUpload(
            box: connection.box, local: local, root: root, journalPath: try await journalPath(connection.owner),
            bar: ProgressBar(context.terminal))
        var report = Report(sameCount: plan.sameCount, problems: plan.problems)
        for path in plan.folders { await make(path, in: connection.box, &report) }
        for result in try await upload.send(plan.files) {
            switch result.value {
            case .success: report.doneCount += 1
            case .failure(let error): report.add(result.id, error)
            }
        }
        return try report.tell("sent", to: context.terminal)
    }

    private func rehearse(_ plan: UpPlan) throws -> ExitStatus {
        for (file, mode) in plan.files {
            context.terminal.print("\(mode == .add ? "new" : "replace")  \(file.size.asBytes)  \(file.path)")
        }
        let report = Report(doneCount: plan.files.count, sameCount: plan.sameCount, problems: plan.problems)
        return try report.tell("would be sent", to: context.terminal)
    }

    private func make(_ path: String, in box: DropboxClient, _ report: inout Report) async {
        do {
            _ = try await box.files.createFolderV2(path: root.appending(path)).value
        } catch .route(.path(.conflict(.folder)), _) {
            // It has been made meanwhile.
        } catch {
            report.add(path, error)
        }
    }

    /// One journal for each user, folder and place at Dropbox.
    private func journalPath(_ owner: String) throws -> String {
        let here = URL(filePath: folder).standardized.path
        let name = ContentHash(of: Array("\(owner)\n\(here)\n\(root.text.lowercased())".utf8)).text ?? ""
        return try context.settings.journalsFolder + "/\(name.prefix(32)).journal"
    }
}
