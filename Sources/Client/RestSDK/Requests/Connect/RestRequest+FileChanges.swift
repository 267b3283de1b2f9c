// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

/// Changes to files and photos of users (Connect REST API).
extension RestRequest {
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
            [about, content.named("fileData")].compactMap(\.self), to: .data(connectPath(community) + ["files", id]),
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
        var request = connect("renameFile", ["files", id], community: community)
        request.method = .patch
        request.effect = .writes(idempotent: true)  // a title is set, not added to
        request.fields = jsonContent
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
        var request = connect("deleteFile", ["files", id], community: community)
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
        var request = connect(name, ["user-profiles", user ?? "me", "photo"], community: community)
        request.method = method
        return user.map { request.requiringID($0, "user") } ?? request
    }
}
