// SPDX-License-Identifier: Apache-2.0

/// What the key chain's result codes (`SecBase.h`) mean to a store.
enum KeychainStatus {
    static let success: Int32 = 0
    static let duplicateItem: Int32 = -25_299
    static let itemNotFound: Int32 = -25_300

    /// The error for a code that is neither success nor one the caller expects.
    ///
    /// What is not known to be final is temporary: a login must not be lost to a code that nobody thought of.
    static func error(_ status: Int32, isWriting: Bool) -> CredentialStoreError {
        switch status {
        // Interaction not allowed, authentication failed, not available, cancelled by the user.
        case -25_308, -25_293, -25_291, -128:
            CredentialStoreError(
                .temporarilyUnavailable, "the key chain is locked (\(status)); try again when the device is unlocked")
        // A missing entitlement.
        case -34_018:
            CredentialStoreError(
                .notWritable,
                "this program may not use the data protection key chain (-34018); sign it with a key chain access group, "
                    + "or choose the login key chain")
        default:
            CredentialStoreError(
                isWriting ? .notWritable : .temporarilyUnavailable, "the key chain failed with status \(status)")
        }
    }
}
