// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

/// The files of users, groups and communities (Connect REST API).
///
/// Each call takes the id of a community, for users who are members of one; `nil` is the org itself.
extension Endpoint where Self == RestRequest {
    /// One page of the files of a user.
    ///
    /// - Parameters:
    ///   - list: which files.
    ///   - user: the user's id; `nil` is the account's own.
    ///   - page: the number of the page, from 0.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func files(
        _ list: RestRequest.FileList = .owned, of user: String? = nil, page: Int = 0, community: String? = nil
    ) -> RestRequest {
        let filter = list == .owned ? [] : ["filter", list.rawValue]
        let request = RestRequest.connect(
            "files", ["files", "users", user ?? "me"] + filter, [("page", "\(page)")], community: community)
        guard page >= 0 else { return request.refused("page", "pages are counted from 0") }
        return user.map { request.requiringID($0, "user") } ?? request
    }

    /// What is known of a file; of its newest version unless another is given.
    public static func fileDetails(_ id: String, version: Int? = nil, community: String? = nil) -> RestRequest {
        RestRequest.connect("fileDetails", ["files", id], [("versionNumber", version.map(String.init))], community: community)
            .requiringID(id)
    }

    /// What is known of several files, each with its own status in the payload's `results`.
    public static func fileDetails(of ids: [String], community: String? = nil) -> RestRequest {
        let request = RestRequest.connect("filesDetails", ["files", "batch", ids.joined(separator: ",")], [], community: community)
        guard !ids.isEmpty else { return request.refused("ids", "there is none") }
        return ids.enumerated().reduce(request) { $0.requiringID($1.element, "ids[\($1.offset)]") }
    }

    /// A picture or a PDF of a file; the payload is its bytes.
    ///
    /// - Parameters:
    ///   - id: the file's id.
    ///   - type: `THUMB120BY90`, `THUMB240BY180`, `THUMB720BY480` or `PDF`.
    ///   - page: the page of the file that is shown, from 0.
    ///   - version: the version's number; `nil` is the newest.
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

    /// The content of a file; ``RestClient/download(_:to:range:)`` writes it to a file.
    public static func fileContent(_ id: String, version: Int? = nil, community: String? = nil) -> RestRequest {
        RestRequest.connect(
            "fileContent", ["files", id, "content"], [("versionNumber", version.map(String.init))],
            community: community
        ).asBytes.requiringID(id)
    }

    /// One page of those with whom a file is shared.
    public static func fileShares(_ id: String, page: Int = 0, community: String? = nil) -> RestRequest {
        let request = RestRequest.connect(
            "fileShares", ["files", id, "file-shares"], [("page", "\(page)")], community: community
        ).requiringID(id)
        return page < 0 ? request.refused("page", "pages are counted from 0") : request
    }

    /// Shares a file with a user, a group or a record; the payload's `id` names the share.
    public static func shareFile(_ id: String, with entity: String, as access: RestRequest.FileAccess) -> RestRequest {
        RestRequest.create(
            "ContentDocumentLink",
            [
                "ContentDocumentId": JSONValue(id), "LinkedEntityId": JSONValue(entity),
                "ShareType": JSONValue(access.rawValue),
            ]
        ).requiringID(id).requiringID(entity, "entity")
    }

    /// Ends the sharing of a file.
    ///
    /// - Parameter share: the id of the share, not of the file.
    /// - Returns: the request.
    public static func unshareFile(_ share: String) -> RestRequest {
        delete("ContentDocumentLink", id: share)
    }

    /// Uploads a file to the account's own; the payload is what is known of it.
    ///
    /// - Parameters:
    ///   - content: the file; its part of the form gets the name that the server wants.
    ///   - title: the file's title.
    ///   - description: what is said of it.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func uploadFile(
        _ content: RestRequest.FormPart, title: String, description: String = "", community: String? = nil
    ) -> RestRequest {
        let about = RestRequest.FormPart.json("json", ["title": JSONValue(title), "desc": JSONValue(description)])
        return form(
            [about, content.named("fileData")], to: .data(RestRequest.connectPath(community) + ["files", "users", "me"]),
            name: "uploadFile"
        ).requiring(title, "title")
    }
}

extension RestRequest {
    /// Which files of a user are listed.
    public enum FileList: String, Sendable, Hashable, CaseIterable {
        /// The user's own.
        case owned = ""
        /// Those of the user's groups.
        case groups = "groups"
        /// Those that others share with the user.
        case shared = "sharedwithme"
    }

    /// What a user may do with a file that is shared with him.
    public enum FileAccess: String, Sendable, Hashable, CaseIterable {
        /// Look at it.
        case viewer = "V"
        /// Change it.
        case collaborator = "C"
        /// What the record or group that it is shared with says.
        case inferred = "I"
    }
}

extension RestRequest {
    /// Where the Connect API of the org or of a community begins.
    static func connectPath(_ community: String?) -> [String] {
        ["connect"] + (community.map { ["communities", $0] } ?? [])
    }

    /// A call of the Connect API; parameters without a value are left out.
    static func connect(
        _ name: String, _ path: [String], _ query: [(String, String?)] = [], community: String? = nil
    ) -> RestRequest {
        let request = RestRequest(
            name: name, resource: .data(connectPath(community) + path),
            query: query.compactMap { name, value in value.map { QueryItem(name, $0) } })
        return community.map { request.requiringID($0, "community") } ?? request
    }

    /// The same call, whose answer is taken as it comes.
    fileprivate var asBytes: RestRequest {
        var copy = field("Accept", "*/*")
        copy.expectation = .anything
        return copy
    }
}

/// Changes to files and photos of users (Connect REST API).
extension Endpoint where Self == RestRequest {
    /// Uploads a further version of a file; the payload is what is known of it.
    ///
    /// - Parameters:
    ///   - content: the version; its part of the form gets the name that the server wants.
    ///   - id: the file's id.
    ///   - title: another title; `nil` leaves it.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func uploadFileVersion(
        _ content: RestRequest.FormPart, of id: String, title: String? = nil, community: String? = nil
    ) -> RestRequest {
        let about = title.map { RestRequest.FormPart.json("json", ["title": JSONValue($0)]) }
        return form(
            [about, content.named("fileData")].compactMap(\.self), to: .data(RestRequest.connectPath(community) + ["files", id]),
            name: "uploadFileVersion"
        ).requiringID(id)
    }

    /// Gives a file another title or owner's description; the payload is what is known of it.
    ///
    /// - Parameters:
    ///   - id: the file's id.
    ///   - title: the title.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func renameFile(_ id: String, title: String, community: String? = nil) -> RestRequest {
        var request = RestRequest.connect("renameFile", ["files", id], community: community)
        request.method = .patch
        request.effect = .writes(idempotent: true)  // a title is set, not added to
        request.fields = RestRequest.jsonContent
        request.body = .bytes(JSONValue(["title": JSONValue(title)]).bytes())
        return request.requiringID(id).requiring(title, "title")
    }

    /// Deletes a file with all of its versions; the answer is empty.
    ///
    /// - Parameters:
    ///   - id: the file's id.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func deleteFile(_ id: String, community: String? = nil) -> RestRequest {
        var request = RestRequest.connect("deleteFile", ["files", id], community: community)
        request.method = .delete
        return request.requiringID(id)
    }

    /// Where the photo of a user is.
    ///
    /// - Parameters:
    ///   - user: the user's id; `nil` is the account's own.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func profilePhoto(of user: String? = nil, community: String? = nil) -> RestRequest {
        photo("profilePhoto", .get, user, community)
    }

    /// Uploads another photo of a user; the payload says where it is.
    ///
    /// - Parameters:
    ///   - content: the picture; its part of the form gets the name that the server wants.
    ///   - user: the user's id; `nil` is the account's own.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func uploadProfilePhoto(
        _ content: RestRequest.FormPart, of user: String? = nil, community: String? = nil
    ) -> RestRequest {
        let request = form(
            [content.named("fileUpload")], to: photo("", .post, user, community).resource, name: "uploadProfilePhoto")
        return user.map { request.requiringID($0, "user") } ?? request
    }

    /// Removes the photo of a user; the answer is empty.
    ///
    /// - Parameters:
    ///   - user: the user's id; `nil` is the account's own.
    ///   - community: the id of a community.
    /// - Returns: the request.
    public static func deleteProfilePhoto(of user: String? = nil, community: String? = nil) -> RestRequest {
        photo("deleteProfilePhoto", .delete, user, community)
    }

    private static func photo(
        _ name: String, _ method: HTTPMethod, _ user: String?, _ community: String?
    ) -> RestRequest {
        var request = RestRequest.connect(name, ["user-profiles", user ?? "me", "photo"], community: community)
        request.method = method
        return user.map { request.requiringID($0, "user") } ?? request
    }
}
