// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.


#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

public enum Common {
    public typealias Date_ = Date

    public typealias DisplayName = String

    public typealias DisplayNameLegacy = String

    public typealias DropboxTimestamp = Date

    public typealias EmailAddress = String

    public typealias LanguageCode = String

    public typealias NamePart = String

    public typealias NamespaceId = String

    public typealias OptionalNamePart = String

    public typealias SessionId = String

    public typealias SharedFolderId = String
}
