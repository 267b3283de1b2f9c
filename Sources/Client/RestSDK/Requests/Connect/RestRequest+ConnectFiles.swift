// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

/// Files of users, groups and communities (Connect REST API).
///
/// The `community` parameter is the id of a community that the user is a member of, or `nil` for the org itself.
extension Endpoint where Self == RestRequest {
    /// Lists one page of the files of a user.
    ///
    /// - Parameters:
    ///   - list: the kind of list.
    ///   - user: the user's id, or `nil` for the account's user.
    ///   - page: the page number, from 0.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func files(
        _ list: RestRequest.FileList = .owned, of user: String? = nil, page: Int = 0, community: String? = nil
    ) -> RestRequest {
        let filter = list == .owned ? [] : ["filter", list.rawValue]
        return RestRequest.connect(
            "files", ["files", "users", user ?? "me"] + filter, [("page", "\(page)")], community: community
        ).refused("page", page < 0 ? "must be 0 or greater" : nil).requiringID(user, "user")
    }

    /// Reads the details of a file in its latest version or in another version.
    public static func fileDetails(_ id: String, version: Int? = nil, community: String? = nil) -> RestRequest {
        RestRequest.connect(
            "fileDetails", ["files", id], [("versionNumber", version.map(String.init))], community: community
        ).requiringID(id)
    }

    /// Reads the details of several files, with one status for each file in `results` of the payload.
    public static func fileDetails(of ids: [String], community: String? = nil) -> RestRequest {
        let request = RestRequest.connect(
            "filesDetails", ["files", "batch", ids.joined(separator: ",")], community: community)
        guard !ids.isEmpty else { return request.refused("ids", "must not be empty") }
        return request.requiringIDs(ids, atMost: .max)
    }

    /// Reads a thumbnail or a PDF rendition of a file, with its bytes as the payload.
    ///
    /// - Parameters:
    ///   - id: the file's id.
    ///   - type: `THUMB120BY90`, `THUMB240BY180`, `THUMB720BY480` or `PDF`.
    ///   - page: the page of the file to render, from 0.
    ///   - version: the version number, or `nil` for the latest version.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func fileRendition(
        _ id: String, type: String, page: Int? = nil, version: Int? = nil, community: String? = nil
    ) -> RestRequest {
        RestRequest.connect(
            "fileRendition", ["files", id, "rendition"],
            [("type", type), ("page", page.map(String.init)), ("versionNumber", version.map(String.init))],
            community: community
        ).asBytes.requiringID(id).requiring(type, "type")
    }

    /// Reads the content of a file, which ``RestClient/download(_:to:range:)`` can write to disk.
    public static func fileContent(_ id: String, version: Int? = nil, community: String? = nil) -> RestRequest {
        RestRequest.connect(
            "fileContent", ["files", id, "content"], [("versionNumber", version.map(String.init))],
            community: community
        ).asBytes.requiringID(id)
    }

    /// Lists one page of the users, groups and records that a file is shared with.
    public static func fileShares(_ id: String, page: Int = 0, community: String? = nil) -> RestRequest {
        RestRequest.connect(
            "fileShares", ["files", id, "file-shares"], [("page", "\(page)")], community: community
        ).requiringID(id).refused("page", page < 0 ? "must be 0 or greater" : nil)
    }

    /// Shares a file with a user, a group or a record, with the share's id as `id` in the payload.
    public static func shareFile(_ id: String, with entity: String, as access: RestRequest.FileAccess) -> RestRequest {
        RestRequest.create(
            "ContentDocumentLink",
            [
                "ContentDocumentId": JSONValue(id), "LinkedEntityId": JSONValue(entity),
                "ShareType": JSONValue(access.rawValue),
            ]
        ).requiringID(id).requiringID(entity, "entity")
    }

    /// Stops sharing a file.
    ///
    /// - Parameter share: the id of the share, not of the file.
    /// - Returns: the request.
    public static func unshareFile(_ share: String) -> RestRequest {
        delete("ContentDocumentLink", id: share)
    }

    /// Uploads a file to the files of the account's user, with its details as the payload.
    ///
    /// - Parameters:
    ///   - content: the file. Its form part is renamed as the server requires.
    ///   - title: the file's title.
    ///   - description: the file's description.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func uploadFile(
        _ content: RestRequest.FormPart, title: String, description: String = "", community: String? = nil
    ) -> RestRequest {
        let about = RestRequest.FormPart.json("json", ["title": JSONValue(title), "desc": JSONValue(description)])
        return form(
            [about, content.named("fileData")],
            to: .data(RestRequest.connectPath(community) + ["files", "users", "me"]),
            name: "uploadFile"
        ).requiring(title, "title")
    }
}

extension RestRequest {
    /// A list of files of a user.
    public enum FileList: String, Sendable, Hashable, CaseIterable {
        /// The user's own files.
        case owned = ""
        /// The files of the user's groups.
        case groups = "groups"
        /// The files that other users share with the user.
        case shared = "sharedwithme"
    }

    /// The access of a user to a shared file.
    public enum FileAccess: String, Sendable, Hashable, CaseIterable {
        /// The user can view the file.
        case viewer = "V"
        /// The user can change the file.
        case collaborator = "C"
        /// The access is inferred from the record or group that the file is shared with.
        case inferred = "I"
    }
}

extension RestRequest {
    static func connectPath(_ community: String?) -> [String] {
        ["connect"] + (community.map { ["communities", $0] } ?? [])
    }

    /// Makes a call of the Connect API without the parameters that have no value.
    static func connect(
        _ name: String, _ path: [String], _ query: [(String, String?)] = [], method: HTTPMethod = .get,
        community: String? = nil
    ) -> RestRequest {
        RestRequest(
            name: name, method: method, resource: .data(connectPath(community) + path),
            query: query.compactMap { name, value in value.map { QueryItem(name, $0) } }
        ).requiringID(community, "community")
    }

    fileprivate var asBytes: RestRequest { field("Accept", "*/*").with { $0.expectation = .anything } }
}

/// Changes to files and photos of users (Connect REST API).
extension Endpoint where Self == RestRequest {
    /// Uploads a new version of a file, with its details as the payload.
    ///
    /// - Parameters:
    ///   - content: the version. Its form part is renamed as the server requires.
    ///   - id: the file's id.
    ///   - title: a new title, or `nil` to keep the title.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func uploadFileVersion(
        _ content: RestRequest.FormPart, of id: String, title: String? = nil, community: String? = nil
    ) -> RestRequest {
        let about = title.map { RestRequest.FormPart.json("json", ["title": JSONValue($0)]) }
        return form(
            [about, content.named("fileData")].compactMap(\.self),
            to: .data(RestRequest.connectPath(community) + ["files", id]),
            name: "uploadFileVersion"
        ).requiringID(id)
    }

    /// Changes the title of a file, with the file's details as the payload.
    ///
    /// - Parameters:
    ///   - id: the file's id.
    ///   - title: the title.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func renameFile(_ id: String, title: String, community: String? = nil) -> RestRequest {
        RestRequest.connect("renameFile", ["files", id], method: .patch, community: community)
            .effect(.writes(idempotent: true))  // a title is set, not added to
            .json(["title": JSONValue(title)]).requiringID(id).requiring(title, "title")
    }

    /// Deletes a file with all of its versions, with an empty response.
    ///
    /// - Parameters:
    ///   - id: the file's id.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func deleteFile(_ id: String, community: String? = nil) -> RestRequest {
        RestRequest.connect("deleteFile", ["files", id], method: .delete, community: community).requiringID(id)
    }

    /// Reads the URLs of a user's photo.
    ///
    /// - Parameters:
    ///   - user: the user's id, or `nil` for the account's user.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func profilePhoto(of user: String? = nil, community: String? = nil) -> RestRequest {
        photo("profilePhoto", .get, user, community)
    }

    /// Uploads a new photo of a user, with its URLs in the payload.
    ///
    /// - Parameters:
    ///   - content: the image. Its form part is renamed as the server requires.
    ///   - user: the user's id, or `nil` for the account's user.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func uploadProfilePhoto(
        _ content: RestRequest.FormPart, of user: String? = nil, community: String? = nil
    ) -> RestRequest {
        form([content.named("fileUpload")], to: photo("", .post, user, community).resource, name: "uploadProfilePhoto")
            .requiringID(user, "user")
    }

    /// Deletes the photo of a user, with an empty response.
    ///
    /// - Parameters:
    ///   - user: the user's id, or `nil` for the account's user.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func deleteProfilePhoto(of user: String? = nil, community: String? = nil) -> RestRequest {
        photo("deleteProfilePhoto", .delete, user, community)
    }

    private static func photo(
        _ name: String, _ method: HTTPMethod, _ user: String?, _ community: String?
    ) -> RestRequest {
        RestRequest.connect(
            name, ["user-profiles", user ?? "me", "photo"], method: method, community: community
        ).requiringID(user, "user")
    }
}
