// SPDX-License-Identifier: Apache-2.0

/// What is to be fetched from Dropbox so that a folder of this machine has what Dropbox has.
struct DownPlan {
    /// A file, and where it is to be below the folder.
    private(set) var files: [(file: RemoteFile, path: String)] = []
    /// Folders that are not here.
    private(set) var folders: [String] = []
    private(set) var problems: [Problem]
    private(set) var sameCount = 0

    /// Compares both sides.
    ///
    /// - Parameters:
    ///   - remote: what is at Dropbox.
    ///   - local: what is here.
    ///   - overwrites: whether files that differ are to be replaced.
    /// - Returns: what is to be done.
    static func make(_ remote: RemoteFolder, _ local: LocalFolder, overwrites: Bool) async -> DownPlan {
        var plan = DownPlan(problems: remote.problems)
        // A name that is here already is not written in another case beside it.
        var names = Spelling()
        for path in local.folders + local.files.map(\.path) { names.learn(path) }
        let here = Dictionary(local.files.map { ($0.path, $0) }) { first, _ in first }
        let pairs = remote.files.map { ($0, names.spelled($0.path)) }
        let comparisons = await concurrently(pairs) { file, path in
            await Comparison(here[path], at: local.place(of: path), file)
        }
        for ((file, path), comparison) in zip(pairs, comparisons) {
            switch comparison {
            case .alone: plan.files.append((file, path))
            case .same: plan.sameCount += 1
            case .differs where overwrites: plan.files.append((file, path))
            case .differs: plan.problems.append(Problem(path, "it differs here; --overwrite replaces it"))
            case .impossible(let problem): plan.problems.append(problem)
            }
        }
        let folders = Set(local.folders)
        plan.folders = remote.folders.map(names.spelled).filter { !folders.contains($0) }
        return plan
    }

    private init(problems: [Problem]) {
        self.problems = problems
    }

    /// How many bytes there are to be fetched.
    var size: Int64 { files.reduce(0) { $0 + $1.file.size } }
}
