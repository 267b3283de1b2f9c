// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file to be written.
package struct SwiftFile: Sendable, Hashable {
    /// Its path below the output folder.
    package let path: String
    package let text: String

    package init(path: String, text: String) {
        (self.path, self.text) = (path, text)
    }
}

/// Sources in a folder: written, or compared with what is there.
package struct SourceOutput {
    private let folder: SourceFolder
    private let files: [SwiftFile]
    /// What the sources are made of, for messages: `the specs give`.
    private let origin: String
    /// Those of the files that are not in the folder as they should be.
    private var changed: [SwiftFile] = []
    /// What stands where a file should be written, and is none of ours.
    private var foreign: [String] = []
    /// Files that were written before and are none of these.
    private let old: [String]

    package init(_ files: [SwiftFile], in folder: SourceFolder, of origin: String) throws(SourceFault) {
        (self.folder, self.files, self.origin) = (folder, files, origin)
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
    package func check() throws(SourceFault) {
        let stale = (changed.map(\.path) + old).sorted()
        guard !stale.isEmpty else { return }
        throw SourceFault("\(folder.path) is not what \(origin):\n" + stale.joined(separator: "\n"), isStale: true)
    }

    /// Writes what has changed, and removes what was written before and is none of the files.
    ///
    /// All files are complete before the first gets its name, so that one that cannot be written leaves the folder as
    /// it was.
    ///
    /// - Returns: What was done, in one line.
    package func write() throws(SourceFault) -> String {
        guard foreign.isEmpty else {
            throw SourceFault(foreign, advice: "Nothing was written; move this away, or choose another --output.")
        }
        do throws(SourceFault) { for file in changed { try folder.stage(file) } } catch {
            for file in changed { folder.discard(file.path) }
            throw SourceFault("\(error.message) Nothing was written.")
        }
        do throws(SourceFault) { for file in changed { try folder.publish(file.path) } } catch {
            // Those that have their names stay. The rest must not lie beside them for ever.
            for file in changed { folder.discard(file.path) }
            throw error
        }
        for path in old { try folder.remove(path) }
        let counts = "\(changed.count) written, \(old.count) removed, \(files.count - changed.count) unchanged"
        return "\(folder.path): \(files.count) file\(files.count == 1 ? "" : "s"), \(counts)"
    }
}

/// A number that stands for the content of sources, in sixteen hexadecimal digits (FNV-1a, 64 bits).
///
/// It tells stale output; it keeps nobody from forging one.
package enum SourceHash {
    /// The number of files, whatever their order.
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

/// Why sources cannot be written, or are not as they should be.
package struct SourceFault: Error, Sendable {
    package let message: String
    /// Whether the sources are there and other than they should be.
    package let isStale: Bool

    package init(_ message: String, isStale: Bool = false) {
        (self.message, self.isStale) = (message, isStale)
    }

    /// A list of faults, cut off where nobody reads on, and what to do about them.
    package init(_ faults: [String], advice: String? = nil) {
        let rest = faults.count - 50
        let more = rest > 0 ? "There are \(rest) more of this kind." : nil
        self.init((faults.prefix(50) + [more, advice].compactMap(\.self)).joined(separator: "\n"))
    }

    /// What the system says about an error, such as `No space left on device`.
    package static func reason(_ error: any Error) -> String {
        let cause = (error as? CocoaError)?.underlying as? POSIXError
        return cause.map { unsafe String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
    }
}
