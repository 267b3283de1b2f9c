// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What this process holds, as the kernel counts it (proc(5)); `nil` where the kernel does not say.
enum ProcessFigures {
    /// What the open descriptors refer to, as the kernel names it.
    ///
    /// Timers are left out: Dispatch opens one for each clock when it is first waited for, and keeps it.
    static var descriptors: [String]? {
        let folder = "/proc/self/fd/"
        return names(in: folder)?
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0) }
            .filter { $0 != "anon_inode:[timerfd]" }
    }
    /// The numbers of the threads.
    static var threads: [String]? { names(in: "/proc/self/task") }
    /// The most bytes that were resident since ``resetPeak()``.
    static var peakBytes: Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(byte: "\n").first { $0.hasBytes(prefix: "VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1_024 }
    }

    /// Resets the peak to the current value; `false` where the kernel cannot.
    static func resetPeak() -> Bool {
        (try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))) != nil
    }

    private static func names(in folder: String) -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: folder)
    }
}
