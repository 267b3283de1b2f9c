// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

package struct SwiftFile: Sendable, Hashable {
    /// The path in the output directory.
    package let path: String
    package let text: String

    package init(path: String, text: String) { (self.path, self.text) = (path, text) }
}

/// Writes source files to a directory, or compares them with the existing files.
package struct SourceOutput {
    private let folder: SourceDirectory
    private let files: [SwiftFile]
    /// The origin of the source files for messages: `the specs give`.
    private let origin: String
    /// The files that are missing in the directory or differ.
    private var changed: [SwiftFile] = []
    /// Existing items at the output paths that this command did not generate.
    private var foreign: [String] = []
    /// The files that were generated before and are not part of the output.
    private let old: [String]

    package init(_ files: [SwiftFile], in folder: SourceDirectory, of origin: String) throws(SourceFault) {
        (self.folder, self.files, self.origin) = (folder, files, origin)
        for file in files {
            switch try folder.entry(file.path) {
            case .own(let text) where text == file.text: continue
            case .own, .nothing: break
            case .foreign(let what): foreign.append("\(folder.path)/\(file.path) \(what)")
            }
            changed.append(file)
        }
        old = try folder.ownFiles().subtracting(files.map(\.path)).sorted()
    }

    /// Throws an error with the names of the files that differ.
    package func check() throws(SourceFault) {
        let stale = (changed.map(\.path) + old).sorted()
        guard !stale.isEmpty else { return }
        throw SourceFault(
            "\(folder.path) is not up to date with \(origin); run again without --check:\n"
                + stale.joined(separator: "\n"), isStale: true)
    }

    /// Writes the changed files, and removes files that were generated before and are not part of the output.
    ///
    /// All files are complete before the first is renamed, so that a failed write leaves the directory unchanged.
    ///
    /// - Returns: a summary in one line.
    package func write() throws(SourceFault) -> String {
        guard foreign.isEmpty else {
            throw SourceFault(foreign, advice: "nothing was written; move these files, or choose another --output")
        }
        do throws(SourceFault) { for file in changed { try folder.stage(file) } } catch {
            for file in changed { folder.discard(file.path) }
            throw SourceFault("\(error.message); nothing was written")
        }
        // An error leaves files under their temporary names.
        defer { for file in changed { folder.discard(file.path) } }
        for file in changed { try folder.publish(file.path) }
        for path in old { try folder.remove(path) }
        let counts = "\(changed.count) written, \(old.count) removed, \(files.count - changed.count) unchanged"
        return "\(folder.path): \(files.count) file\(files.count == 1 ? "" : "s"), \(counts)"
    }
}

/// A hash (FNV-1a, 64 bits) in sixteen hexadecimal digits, which detects stale files but not forged ones.
package enum SourceHash {
    /// Returns the hash of files, which does not depend on their order.
    package static func hash(of files: [(name: String, bytes: [UInt8])]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for (name, bytes) in files.sorted(by: { $0.name < $1.name }) {
            for byte in name.utf8 { add(byte) }
            add(0)
            for byte in bytes { add(byte) }
            add(0)
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The error if source files cannot be written, or differ from the output.
package struct SourceFault: Error, Sendable {
    package let message: String
    /// Whether the source files exist and differ from the output.
    package let isStale: Bool

    package init(_ message: String, isStale: Bool = false) {
        (self.message, self.isStale) = (message, isStale)
    }

    /// Creates an error from a list of messages, of which at most 50 are shown, and advice.
    package init(_ faults: [String], advice: String? = nil) {
        let rest = faults.count - 50
        let more = rest > 0 ? "and \(rest) more errors" : nil
        self.init((faults.prefix(50) + [more, advice].compactMap(\.self)).joined(separator: "\n"))
    }

    /// Returns the system's reason for an error, such as `No space left on device`.
    package static func reason(_ error: any Error) -> String {
        let cause = (error as? CocoaError)?.underlying as? POSIXError
        return cause.map { unsafe String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
    }
}
