// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
import Foundation
public import RestTransport
import Security

extension SystemCredentialStore {
    /// Stores credentials in the Keychain, as generic passwords that can be read after the first unlock of this device
    /// and never leave it.
    ///
    /// - Parameters:
    ///   - service: the service name that distinguishes the items from those of other programs, such as the bundle
    ///     identifier.
    ///   - accessGroup: the Keychain access group to share with extensions and other apps, or `nil` for the app's own.
    ///   - usesDataProtection: whether macOS uses the data protection Keychain, which requires a signed program with an
    ///     entitlement. Set it to `false` for a plain command-line tool, which uses the login Keychain. Other platforms
    ///     always use the data protection Keychain.
    ///   - lockDirectory: a directory that all processes with these items share, such as one in the app group's
    ///     container, or `nil` if only this process uses them.
    ///   - clock: the clock that measures the wait for locks.
    /// - Returns: the store.
    public static func keychain(
        service: String, accessGroup: String? = nil, usesDataProtection: Bool = true, lockDirectory: String? = nil,
        clock: any MonotonicClock = ContinuousClock()
    ) -> SystemCredentialStore {
        let vault = KeychainVault(
            service: service, accessGroup: accessGroup, usesDataProtection: usesDataProtection)
        return SystemCredentialStore(vault: vault, lockDirectory: lockDirectory, clock: clock)
    }
}

struct KeychainVault: SecretVault {
    let service: String
    let accessGroup: String?
    let usesDataProtection: Bool

    @concurrent
    func read(_ name: String) async throws(Credential.StoreError) -> [UInt8]? {
        var query = query(name)
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        guard let found = try find(query) else { return nil }
        guard let data = found as? Data else {
            throw Credential.StoreError(.corrupt, "the Keychain item \(name) has no data; log in again")
        }
        return [UInt8](data)
    }

    @concurrent
    func replace(
        _ name: String, with bytes: [UInt8], over _: ReplacedItem
    ) async throws(Credential.StoreError) -> Credential.StoreError? {
        let attributes: [CFString: Any] = [
            kSecValueData: Data(bytes), kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(query(name) as CFDictionary, attributes as CFDictionary)
        if status == KeychainStatus.itemNotFound {
            let item = query(name).merging(attributes) { $1 }
            status = SecItemAdd(item as CFDictionary, nil)
        }
        if status == KeychainStatus.duplicateItem {
            status = SecItemUpdate(query(name) as CFDictionary, attributes as CFDictionary)
        }
        guard status == KeychainStatus.success else { throw KeychainStatus.error(status, isWriting: true) }
        return nil
    }

    @concurrent
    func remove(_ name: String) async throws(Credential.StoreError) -> Credential.StoreError? {
        let status = SecItemDelete(query(name) as CFDictionary)
        guard status == KeychainStatus.success || status == KeychainStatus.itemNotFound else {
            throw KeychainStatus.error(status, isWriting: true)
        }
        return nil
    }

    @concurrent
    func names() async throws(Credential.StoreError) -> [String] {
        var query = query(nil)
        query[kSecReturnAttributes] = true
        query[kSecMatchLimit] = kSecMatchLimitAll
        let items = try find(query) as? [[String: Any]] ?? []
        return items.compactMap { $0[kSecAttrAccount as String] as? String }
    }

    private func find(_ query: [CFString: Any]) throws(Credential.StoreError) -> CFTypeRef? {
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
        if status == KeychainStatus.itemNotFound { return nil }
        guard status == KeychainStatus.success else { throw KeychainStatus.error(status, isWriting: false) }
        return result
    }

    private func query(_ name: String?) -> [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrSynchronizable: false,
            kSecUseDataProtectionKeychain: usesDataProtection,
        ]
        if let name { query[kSecAttrAccount] = name }
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        return query
    }
}
#endif
