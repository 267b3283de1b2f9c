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
        let candidates = plan.possible(local.files)
        let results = await concurrently(candidates) { file -> Result<(RemoteFile?, Bool), Problem> in
            guard let other = there[file.path.lowercased()] else { return .success((nil, false)) }
            do throws(Problem) {
                return .success((other, try await Comparison.isSame(file, at: local.place(of: file.path), as: other)))
            } catch {
                return .failure(error)
            }
        }
        for (file, result) in zip(candidates, results) {
            switch result {
            case .success((nil, _)): plan.files.append((file, .add))
            case .success((_, true)): plan.sameCount += 1
            // Only what was compared is replaced: a revision that came since is a conflict.
            case .success((let other?, false)) where overwrites:
                plan.files.append((file, .update(other.metadata.rev)))
            case .success:
                plan.problems.append(Problem(file.path, "it differs at Dropbox; --overwrite replaces it there"))
            case .failure(let problem): plan.problems.append(problem)
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

    /// How many bytes there are to be sent.
    var size: Int64 { files.reduce(0) { $0 + $1.file.size } }
}

extension String {
    /// The path of the folder that a path is in; empty for the outermost.
    var parentPath: String { split(separator: "/").dropLast().joined(separator: "/") }
}
