// SPDX-License-Identifier: Apache-2.0

import BoxSyncCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The `boxsync` command.
@main
enum Program {
    static func main() async {
        let status = await Command.run(Array(CommandLine.arguments.dropFirst()))
        // What was cancelled may have a request under way, under which nothing may be cleaned up: no `exit` here.
        _exit(fflush(nil) == 0 ? status.rawValue : ExitStatus.failure.rawValue)
    }
}
