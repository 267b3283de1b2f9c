// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// The store of the user's logins: the Keychain, or a directory that other users cannot read.
enum UserStore {
    static var standard: any CredentialStore {
        #if canImport(Security)
        SystemCredentialStore.keychain(service: "BrowserLogin", usesDataProtection: false)
        #else
        FileCredentialStore(directory: data.appending(path: "BrowserLogin/accounts").path)
        #endif
    }

    #if !canImport(Security)
    /// The directory for application data: `XDG_DATA_HOME`, or else `~/.local/share`.
    private static var data: URL {
        let chosen = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return chosen.map { URL(filePath: $0) } ?? .homeDirectory.appending(path: ".local/share")
    }
    #endif
}
