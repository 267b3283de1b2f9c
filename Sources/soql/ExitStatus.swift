// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the process ends with.
enum ExitStatus: Int32 {
    /// Everything was printed.
    case success = 0
    /// The server refused or failed, or something went wrong at run time.
    case failure = 1
    /// The command line makes no sense.
    case usage = 2
    /// Nobody is logged in, or the login was refused or could not be made; a login server that does not answer, or has
    /// trouble, is a ``failure``.
    case authentication = 3
    /// Interrupted (Control-C).
    case interrupted = 130
}

/// Ends the process with a status.
func exitProcess(_ status: ExitStatus) -> Never {
    exit(status.rawValue)
}
