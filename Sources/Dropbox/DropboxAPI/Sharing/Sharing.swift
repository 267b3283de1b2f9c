// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public enum Sharing {
    public typealias DropboxId = String

    public typealias GetSharedLinkFileArg = Sharing.GetSharedLinkMetadataArg

    public typealias Id = String

    public typealias Path = String

    public typealias PathOrId = String

    public typealias ReadPath = String

    public typealias Rev = String

    public typealias TeamInfo = Users.Team_
}
