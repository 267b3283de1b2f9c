// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

/// The namespace `files`.
public enum Files {
    /// The alias `CopyBatchArg`.
    public typealias CopyBatchArg = Files.RelocationBatchArgBase

    /// The alias `FileId`.
    public typealias FileId = String

    /// The alias `Id`.
    public typealias Id = String

    /// The alias `ListFolderCursor`.
    public typealias ListFolderCursor = String

    /// The alias `MalformedPathError`.
    public typealias MalformedPathError = String?

    /// The alias `Path`.
    public typealias Path = String

    /// The alias `PathOrId`.
    public typealias PathOrId = String

    /// The alias `PathR`.
    public typealias PathR = String

    /// The alias `PathROrId`.
    public typealias PathROrId = String

    /// The alias `ReadPath`.
    public typealias ReadPath = String

    /// The alias `Rev`.
    public typealias Rev = String

    /// The alias `SearchV2Cursor`.
    public typealias SearchV2Cursor = String

    /// The alias `Sha256HexHash`.
    public typealias Sha256HexHash = String

    /// The alias `SharedLinkUrl`.
    public typealias SharedLinkUrl = String

    /// The alias `TagText`.
    public typealias TagText = String

    /// The alias `WritePath`.
    public typealias WritePath = String

    /// The alias `WritePathOrId`.
    public typealias WritePathOrId = String
}
