// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What memory this process holds, as the kernel counts it (proc(5)); `nil` where it does not tell.
enum ProcessMemory {
    /// The bytes resident now.
    static var present: Int? { status("VmRSS") }
    /// The most bytes that were ever resident, or were since ``resetPeak()``.
    static var peak: Int? { status("VmHWM") }

    /// Sets the peak back to the present; `false` where the kernel cannot.
    static func resetPeak() -> Bool {
        (try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))) != nil
    }

    private static func status(_ field: String) -> Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1_024 }
    }
}
