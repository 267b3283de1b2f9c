// SPDX-License-Identifier: Apache-2.0

package import StoneCore

extension SwiftOptions {
    /// A number that stands for the content of specs, whatever the order of their files (FNV-1a, 64 bits).
    ///
    /// It tells stale output; it keeps nobody from forging one.
    package static func hash(of sources: [StoneSource]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let files = sources.map { ($0.path.split(separator: "/").last.map(String.init) ?? "", $0.bytes) }
        for (name, bytes) in files.sorted(by: { $0.0 < $1.0 }) {
            for byte in name.utf8 { add(byte) }
            add(0)
            for byte in bytes { add(byte) }
            add(0)
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
