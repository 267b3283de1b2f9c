// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
import MachO
#endif

/// The file that this program was started from.
enum ProgramFile {
    /// What starts it again.
    static var executable: String {
        #if canImport(Darwin)
        var size: UInt32 = 4_096
        var path = [CChar](repeating: 0, count: Int(size))
        guard unsafe _NSGetExecutablePath(&path, &size) == 0 else { return CommandLine.arguments[0] }
        return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #else
        // The same file, also when its name leads to another one by now.
        return "/proc/self/exe"
        #endif
    }

    /// Where it is.
    static var path: String { FileFacts.resolved(executable) ?? executable }
}
