// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Makes the store's errors of the system's.
enum DiskError {
    static func insecure(_ message: String) -> CredentialStoreError {
        CredentialStoreError(.insecurePermissions, message)
    }

    /// Reading failed, which says nothing about whether there is a credential.
    static func unreadable(_ what: String, _ code: Int32) -> CredentialStoreError {
        CredentialStoreError(.temporarilyUnavailable, "\(what) (\(name(of: code)))")
    }

    static func notWritable(_ what: String, _ code: Int32) -> CredentialStoreError {
        CredentialStoreError(.notWritable, "\(what) (\(name(of: code)))")
    }

    private static func name(of code: Int32) -> String {
        switch code {
        case ENOSPC: "no space left on the disk"
        case EDQUOT: "the disk quota is used up"
        case EROFS: "the file system is read-only"
        case EACCES:
            "permission denied; run 'chmod 700' on the store's directory and 'chmod 600' on the files in it"
        case EPERM: "the operation is not permitted"
        case EIO: "the disk reports an error"
        case EMFILE, ENFILE: "too many open files"
        default: "system error \(code)"
        }
    }
}

/// The steps of writing a record durably, in order, and the removal of a file, so that a test can break each of them.
enum DiskStep: Sendable, Hashable, CaseIterable {
    case create, write, sync, keepPrevious, replace, syncDirectory, remove
}

/// The system error that a step shall fail with, or `nil` to let it happen.
typealias DiskFault = @Sendable (DiskStep) -> Int32?
