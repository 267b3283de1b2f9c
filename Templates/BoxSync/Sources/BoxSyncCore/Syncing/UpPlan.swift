// SPDX-License-Identifier: Apache-2.0

import Dropbox

/// What is to be sent to Dropbox so that it has what a folder of this machine has.
struct UpPlan {
    private(set) var files: [(file: LocalFile, mode: Files.WriteMode)] = []
    /// Folders with no files, which nobody else makes.
    private(set) var folders: [String] = []
    private(set) var problems: [Problem]
    private(set) var sameCount = 0

    /// Compares both sides.
    ///
    /// - Parameters:
    ///   - local: what is here.
    ///   - remote: what is at Dropbox.
    ///   - overwrites: whether files that differ are to be replaced.
    /// - Returns: what is to be done.
    static func make(_ local: LocalFolder, _ remote: RemoteFolder, overwrites: Bool) async -> UpPlan {
        var plan = UpPlan(problems: local.problems)
        let there = Dictionary(remote.files.map { ($0.path.lowercased(), $0) }) { first, _ in first }
        let pairs = plan.possible(local.files).map { ($0, there[$0.path.lowercased()]) }
        let comparisons = await concurrently(pairs) { file, other in
            await Comparison(file, at: local.place(of: file.path), other)
        }
        for ((file, other), comparison) in zip(pairs, comparisons) {
            switch comparison {
            case .alone: plan.files.append((file, .add))
            case .same: plan.sameCount += 1
            // Only what was compared is replaced: a revision that came since is a conflict.
            case .differs where overwrites:
                plan.files.append((file, other.map { .update($0.metadata.rev) } ?? .add))
            case .differs:
                plan.problems.append(Problem(file.path, "it differs at Dropbox; --overwrite replaces it there"))
            case .impossible(let problem): plan.problems.append(problem)
            }
        }
        plan.addFolders(local, remote)
        return plan
    }

    private init(problems: [Problem]) {
        self.problems = problems
    }

    /// The files that can be at Dropbox, of those whose names differ by case only the first.
    private mutating func possible(_ files: [LocalFile]) -> [LocalFile] {
        var seen: [String: String] = [:]
        return files.filter { file in
            if let reason = RemotePath.problem(of: file.path) {
                problems.append(Problem(file.path, reason))
                return false
            }
            let first = seen[file.path.lowercased()]
            seen[file.path.lowercased()] = first ?? file.path
            if let first { problems.append(Problem(file.path, "Dropbox has one file for this name and '\(first)'")) }
            return first == nil
        }
    }

    private mutating func addFolders(_ local: LocalFolder, _ remote: RemoteFolder) {
        let there = Set(remote.folders.map { $0.lowercased() })
        let parents = Set((local.files.map(\.path) + local.folders).map { $0.parentPath.lowercased() })
        folders = local.folders.filter { !there.contains($0.lowercased()) && !parents.contains($0.lowercased()) }
    }
}

extension String {
    /// The path of the folder that a path is in; empty for the outermost.
    var parentPath: String { split(separator: "/").dropLast().joined(separator: "/") }
}
