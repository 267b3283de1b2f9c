// SPDX-License-Identifier: Apache-2.0

import StoneCore
import StoneSwift

/// Swift sources of an interface in a folder: written, or compared with what is there.
struct SwiftOutput {
    private let folder: OutputFolder
    private let files: [SwiftFile]
    /// Those of the files that are not in the folder as they should be.
    private var changed: [SwiftFile] = []
    /// What stands where a file should be written, and is none of ours.
    private var foreign: [String] = []
    /// Files that were written before and are none of these.
    private let old: [String]

    init(_ files: [SwiftFile], in folder: OutputFolder) throws(CommandFault) {
        self.folder = folder
        self.files = files
        for file in files {
            switch try folder.entry(file.path) {
            case .own(let text) where text == file.text: continue
            case .own, .nothing: break
            case .foreign(let what): foreign.append("\(folder.path)/\(file.path) \(what).")
            }
            changed.append(file)
        }
        old = try folder.ownFiles().subtracting(files.map(\.path)).sorted()
    }

    /// Fails with the names of the files that differ.
    func check() throws(CommandFault) {
        let stale = (changed.map(\.path) + old).sorted()
        guard !stale.isEmpty else { return }
        throw CommandFault("\(folder.path) is not what the specs give:\n" + stale.joined(separator: "\n"), status: 1)
    }

    /// Writes what has changed, and removes what was written before and is none of the files.
    ///
    /// - Returns: What was done, in one line.
    func write() throws(CommandFault) -> String {
        guard foreign.isEmpty else {
            throw CommandFault(foreign, advice: "Nothing was written; move this away, or choose another --output.")
        }
        for file in changed { try folder.write(file.text, to: file.path) }
        for path in old { try folder.remove(path) }
        let counts = "\(changed.count) written, \(old.count) removed, \(files.count - changed.count) unchanged"
        return "\(folder.path): \(files.count) files, \(counts)"
    }
}
