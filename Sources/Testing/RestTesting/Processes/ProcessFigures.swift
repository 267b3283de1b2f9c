// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The resources of this process, as the kernel reports them (proc(5)), or `nil` if it does not.
enum ProcessFigures {
    /// The targets of the open descriptors, as the kernel names them.
    ///
    /// Timers are left out, because Dispatch opens one for each clock on first use and retains it.
    static var descriptors: [String]? {
        let folder = "/proc/self/fd/"
        return names(in: folder)?
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0) }
            .filter { $0 != "anon_inode:[timerfd]" }
    }
    static var threads: [String]? { names(in: "/proc/self/task") }
    /// The peak of resident memory in bytes since ``resetPeak()``.
    static var peakBytes: Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(byte: "\n").first { $0.hasBytes(prefix: "VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1_024 }
    }

    /// Resets the peak to the current value, or returns `false` if the kernel does not support it.
    static func resetPeak() -> Bool {
        (try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))) != nil
    }

    private static func names(in folder: String) -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: folder)
    }
}
