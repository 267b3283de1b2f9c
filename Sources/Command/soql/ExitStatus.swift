// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The exit code of the process.
enum ExitStatus: Int32 {
    /// Everything was printed.
    case success = 0
    /// The server refused or failed, or something went wrong at run time.
    case failure = 1
    /// The command line cannot be understood.
    case usage = 2
    /// There is no login, or it was refused. A login server that does not answer, or fails, is a ``failure``.
    case authentication = 3
    /// Some of the work was done, and some was not.
    case partial = 4
    /// Interrupted (Control-C).
    case interrupted = 130
}

/// Ends the process with a status.
func exitProcess(_ status: ExitStatus) -> Never {
    exit(status.rawValue)
}
