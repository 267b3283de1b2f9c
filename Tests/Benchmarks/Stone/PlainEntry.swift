// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import Foundation

/// An entry of the page, which its tag identifies.
enum PlainEntry: Codable {
    case file(PlainFile)
    case folder(PlainFolder)

    private enum TagKey: String, CodingKey {
        case tag = ".tag"
    }

    init(from decoder: any Decoder) throws {
        switch try decoder.container(keyedBy: TagKey.self).decode(String.self, forKey: .tag) {
        case "file": self = .file(try PlainFile(from: decoder))
        default: self = .folder(try PlainFolder(from: decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: TagKey.self)
        switch self {
        case .file(let file):
            try container.encode("file", forKey: .tag)
            try file.encode(to: encoder)
        case .folder(let folder):
            try container.encode("folder", forKey: .tag)
            try folder.encode(to: encoder)
        }
    }

    func isLike(_ entry: Files.Metadata) -> Bool {
        switch (self, entry) {
        case (.file(let ours), .file(let theirs)):
            ours.id == theirs.id && ours.name == theirs.name && ours.size == theirs.size
                && ours.clientModified == theirs.clientModified && ours.contentHash == theirs.contentHash
                && ours.sharingInfo?.modifiedBy == theirs.sharingInfo?.modifiedBy
        case (.folder(let ours), .folder(let theirs)): ours.id == theirs.id && ours.pathDisplay == theirs.pathDisplay
        default: false
        }
    }
}

/// A file, with the fields that the generated type has.
struct PlainFile: Codable {
    struct Sharing: Codable {
        let readOnly: Bool
        let parentSharedFolderID: String
        let modifiedBy: String?

        enum CodingKeys: String, CodingKey {
            case readOnly = "read_only"
            case parentSharedFolderID = "parent_shared_folder_id"
            case modifiedBy = "modified_by"
        }
    }

    let name: String
    let id: String
    let clientModified: Date
    let serverModified: Date
    let rev: String
    let size: UInt64
    let pathLower: String?
    let pathDisplay: String?
    let parentSharedFolderID: String?
    let previewURL: String?
    let sharingInfo: Sharing?
    let isDownloadable: Bool?
    let hasExplicitSharedMembers: Bool?
    let contentHash: String?

    enum CodingKeys: String, CodingKey {
        case name, id, rev, size
        case clientModified = "client_modified"
        case serverModified = "server_modified"
        case pathLower = "path_lower"
        case pathDisplay = "path_display"
        case parentSharedFolderID = "parent_shared_folder_id"
        case previewURL = "preview_url"
        case sharingInfo = "sharing_info"
        case isDownloadable = "is_downloadable"
        case hasExplicitSharedMembers = "has_explicit_shared_members"
        case contentHash = "content_hash"
    }
}

struct PlainFolder: Codable {
    let name: String
    let id: String
    let pathLower: String?
    let pathDisplay: String?
    let parentSharedFolderID: String?
    let previewURL: String?
    let sharedFolderID: String?

    enum CodingKeys: String, CodingKey {
        case name, id
        case pathLower = "path_lower"
        case pathDisplay = "path_display"
        case parentSharedFolderID = "parent_shared_folder_id"
        case previewURL = "preview_url"
        case sharedFolderID = "shared_folder_id"
    }
}
