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
enum BoxSync {
    static func main() async {
        let status = await Command.run(Array(CommandLine.arguments.dropFirst()))
        guard fflush(nil) == 0 else { exit(ExitStatus.failure.rawValue) }
        exit(status.rawValue)
    }
}
