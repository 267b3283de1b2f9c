// SPDX-License-Identifier: Apache-2.0

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
