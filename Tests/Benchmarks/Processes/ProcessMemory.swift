// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The memory of this process according to the kernel (proc(5)), or `nil` if it is unknown.
enum ProcessMemory {
    /// The resident size, in bytes.
    static var present: Int? { status("VmRSS") }
    /// The maximum resident size, in bytes, since the start or since ``resetPeak()``.
    static var peak: Int? { status("VmHWM") }

    /// Resets the peak to the present size, and returns `false` if the kernel does not support it.
    static func resetPeak() -> Bool {
        (try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))) != nil
    }

    private static func status(_ field: String) -> Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1_024 }
    }
}
