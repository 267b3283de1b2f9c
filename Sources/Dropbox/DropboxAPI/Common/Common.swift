// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.


#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The namespace `common`.
public enum Common {
    /// The alias `Date`.
    public typealias Date_ = Date

    /// The alias `DisplayName`.
    public typealias DisplayName = String

    /// The alias `DisplayNameLegacy`.
    public typealias DisplayNameLegacy = String

    /// The alias `DropboxTimestamp`.
    public typealias DropboxTimestamp = Date

    /// The alias `EmailAddress`.
    public typealias EmailAddress = String

    /// The alias `LanguageCode`.
    public typealias LanguageCode = String

    /// The alias `NamePart`.
    public typealias NamePart = String

    /// The alias `NamespaceId`.
    public typealias NamespaceId = String

    /// The alias `OptionalNamePart`.
    public typealias OptionalNamePart = String

    /// The alias `SessionId`.
    public typealias SessionId = String

    /// The alias `SharedFolderId`.
    public typealias SharedFolderId = String
}
