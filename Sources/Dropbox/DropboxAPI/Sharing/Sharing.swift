// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

/// The namespace `sharing`.
public enum Sharing {
    /// The alias `DropboxId`.
    public typealias DropboxId = String

    /// The alias `GetSharedLinkFileArg`.
    public typealias GetSharedLinkFileArg = Sharing.GetSharedLinkMetadataArg

    /// The alias `Id`.
    public typealias Id = String

    /// The alias `Path`.
    public typealias Path = String

    /// The alias `PathOrId`.
    public typealias PathOrId = String

    /// The alias `ReadPath`.
    public typealias ReadPath = String

    /// The alias `Rev`.
    public typealias Rev = String

    /// The alias `TeamInfo`.
    public typealias TeamInfo = Users.Team_
}
