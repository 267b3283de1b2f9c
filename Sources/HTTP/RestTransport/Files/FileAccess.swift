// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The users who may read and write a new file.
package enum FileAccess: Sendable {
    /// Its owner alone.
    case owner
    /// The users of the file that it replaces; if there is none, those that the process's mask allows.
    case usual

    /// The rights of a new file at a path.
    func rights(at path: String) -> FileRights {
        var status = stat()
        let isThere = unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return switch self {
        case .owner: FileRights(mode: 0o600, replaced: nil)
        case .usual: FileRights(mode: isThere ? 0o600 : 0o666, replaced: isThere ? status : nil)
        }
    }
}

/// The rights that a new file gets.
struct FileRights {
    /// The mode to create it with.
    let mode: mode_t
    /// The file whose rights it gets then.
    fileprivate let replaced: stat?

    /// Gives an open file the rights of the file that it replaces; a group that cannot be kept loses its rights.
    func keep(_ descriptor: Int32) {
        guard let replaced else { return }
        var mode = replaced.st_mode & 0o777
        if fchown(descriptor, replaced.st_uid, replaced.st_gid) != 0,
            fchown(descriptor, uid_t.max, replaced.st_gid) != 0
        {
            mode &= ~0o070
        }
        fchmod(descriptor, mode)
    }
}
