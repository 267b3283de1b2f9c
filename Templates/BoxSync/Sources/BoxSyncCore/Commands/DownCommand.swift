// SPDX-License-Identifier: Apache-2.0

import Dropbox

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Fetches what a folder does not have of one at Dropbox.
struct DownCommand {
    let context: Context

    private var root: RemotePath { RemotePath(context.words[0]) }
    private var folder: String { context.words[1] }

    func run() async throws -> ExitStatus {
        let box = try await Connection.open(context).box
        let exclusions = Exclusions(context.options.excludes)
        context.terminal.status("Comparing both sides …")
        guard let remote = try await RemoteFolder.list(root, of: box, without: exclusions) else {
            throw Failure("\(root.text) is not at Dropbox")
        }
        let isThere = FileManager.default.fileExists(atPath: folder)
        let local =
            isThere ? try await LocalFolder.walk(folder, without: exclusions) : LocalFolder(root: folder)
        let plan = await DownPlan.make(remote, local, overwrites: context.options.overwrites)
        context.terminal.clear()
        try Task.checkCancellation()
        if context.options.isDryRun { return try rehearse(plan) }
        if !isThere { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
        return try await fetch(plan, from: box).tell("fetched", to: context.terminal)
    }

    private func rehearse(_ plan: DownPlan) throws -> ExitStatus {
        for (file, path) in plan.files { context.terminal.print("fetch  \(file.size.asBytes)  \(path)") }
        let report = Report(doneCount: plan.files.count, sameCount: plan.sameCount, problems: plan.problems)
        return try report.tell("would be fetched", to: context.terminal)
    }

    private func fetch(_ plan: DownPlan, from box: DropboxClient) async -> Report {
        var report = Report(sameCount: plan.sameCount, problems: plan.problems)
        let target = TargetFolder(root: folder)
        for path in plan.folders {
            do throws(Problem) { try target.makeFolder(path) } catch { report.problems.append(error) }
        }
        let tally = Tally(total: plan.size)
        let results = await ProgressBar(context.terminal).showing(tally.progress) {
            await concurrently(plan.files, atOnce: 8) { file, path in
                await FileDownload(box: box, target: target, tally: tally).fetch(file, path)
            }
        }
        for ((_, path), result) in zip(plan.files, results) {
            switch result {
            case .fetched: report.doneCount += 1
            case .impossible(let problem): report.problems.append(problem)
            case .failed(let error): report.add(path, error)
            }
        }
        return report
    }
}
