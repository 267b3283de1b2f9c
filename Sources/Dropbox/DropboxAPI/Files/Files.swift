// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public enum Files {
    public typealias CopyBatchArg = Files.RelocationBatchArgBase

    public typealias FileId = String

    public typealias Id = String

    public typealias ListFolderCursor = String

    public typealias MalformedPathError = String?

    public typealias Path = String

    public typealias PathOrId = String

    public typealias PathR = String

    public typealias PathROrId = String

    public typealias ReadPath = String

    public typealias Rev = String

    public typealias SearchV2Cursor = String

    public typealias Sha256HexHash = String

    public typealias SharedLinkUrl = String

    public typealias TagText = String

    public typealias WritePath = String

    public typealias WritePathOrId = String
}
