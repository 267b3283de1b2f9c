// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// The file in which a named org says how it is reached, and whose lock says that it runs.
///
/// The process of the org holds the kernel's lock of its file for as long as it lives, however it ends, and nobody else
/// takes that lock of a file with something in it: who only looks takes the shared one. So a file whose lock is free is
/// of a process that has ended, and the process number in it may be another program's by now: nobody is ever stopped by
/// a number whose file is not locked.
struct OrgPlace: Sendable {
    let name: String
    let path: String
    /// The file while the org of this process has it.
    private let descriptor: Int32

    /// Takes the place of a name for the org of this process.
    ///
    /// - Throws: ``CommandFailure`` when an org of the name runs.
    static func claim(_ name: String) throws -> OrgPlace {
        let path = try OrgPlaces.path(of: name)
        for _ in 0..<1_000 {
            let opened = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            let code = errno
            guard opened >= 0 else {
                guard code == EEXIST else { throw CommandFailure("\(path) cannot be made: \(systemMessage(code))") }
                // The file of an org that has ended is taken away by looking at it, and never written anew.
                guard case .none = try OrgState(of: name) else {
                    throw CommandFailure("an org named '\(name)' runs already; see 'soql org list'")
                }
                continue
            }
            // Whoever looked before it was locked may have taken it away: then the lock is one of no file.
            if flock(opened, LOCK_EX | LOCK_NB) == 0, FileState.isOpen(opened, at: path) {
                return OrgPlace(name: name, path: path, descriptor: opened)
            }
            close(opened)
        }
        throw CommandFailure("\(path) does not stay where it is")
    }

    /// Says how the org is reached.
    func publish(_ org: RunningOrg) throws {
        let bytes = try org.json()
        guard ftruncate(descriptor, 0) == 0, FileBytes.write(bytes, to: descriptor, at: 0) else {
            throw CommandFailure("\(path) cannot be written: \(systemMessage(errno))")
        }
    }

    /// Gives the name up; the lock stays until the process has ended.
    ///
    /// Whoever started an org in the background reads in its log why it did not run, and removes the log.
    func release(hasRun: Bool) {
        if hasRun { FileFacts.remove(OrgPlaces.log(of: path)) }
        FileFacts.remove(path)
    }
}

/// Looks at the lock of an org's file from outside, also when the file has lost its name.
struct OrgLock {
    private let descriptor: Int32

    /// Opens the file of a name; `nil` when there is none.
    init?(_ name: String) throws {
        descriptor = unsafe open(try OrgPlaces.path(of: name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    /// Whether the process of the org has ended.
    var isFree: Bool { flock(descriptor, LOCK_SH | LOCK_NB) == 0 }

    /// Lets go of the file.
    func end() { close(descriptor) }
}

/// What the file of a name says.
enum OrgState {
    case running(RunningOrg)
    /// Its process lives and has not said yet how it is reached.
    case starting
    /// There is none; a file that was left behind is gone now.
    case none

    init(of name: String) throws {
        let path = try OrgPlaces.path(of: name)
        let opened = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else {
            self = .none
            return
        }
        defer { close(opened) }
        if flock(opened, LOCK_SH | LOCK_NB) == 0 {
            // Nobody has it any more. The lock is held while the file goes, so that no new org can be at it.
            if FileState.isOpen(opened, at: path) {
                unsafe unlink(path)
                FileFacts.remove(OrgPlaces.log(of: path))
            }
            self = .none
            return
        }
        let text = try? StandardInput.read(file: path)
        self = (text.flatMap { try? RunningOrg(json: Array($0.utf8)) }).map { .running($0) } ?? .starting
    }
}
