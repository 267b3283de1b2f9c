// SPDX-License-Identifier: Apache-2.0

/// The exit code of the process.
public enum ExitStatus: Int32, Sendable {
    /// All is done.
    case done = 0
    /// Something failed at run time.
    case failure = 1
    /// The command line cannot be understood.
    case usage = 2
    /// There is no login, or Dropbox refused it.
    case login = 3
    /// Some files could not be taken along; each was named.
    case partlyDone = 4
    /// Interrupted (Control-C).
    case interrupted = 130
}
