// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// A version of a file with its document, as the Connect API tells it.
struct ConnectFile: Sendable {
    let id: String
    let version: String
    let title: String
    let description: String?
    let owner: ConnectUser
    let number: String
    let size: Int
    let type: String
    let ending: String?
    let created: String
    let modified: String
    let versionModified: String
    let sharingOption: String
    let sharingPrivacy: String
    let publishStatus: String
    /// The pixels of an image, as its first bytes tell.
    var pixels: ImageSize?

    /// The sizes of thumbnails by the name of their rendition.
    static let thumbnails = [
        "THUMB120BY90": ImageSize(width: 120, height: 90), "THUMB240BY180": ImageSize(width: 240, height: 180),
        "THUMB720BY480": ImageSize(width: 720, height: 480),
    ]

    private static let mediaTypes = [
        "csv": "text/csv", "gif": "image/gif", "htm": "text/html", "html": "text/html", "jpeg": "image/jpeg",
        "jpg": "image/jpeg", "json": "application/json", "mp3": "audio/mpeg", "mp4": "video/mp4",
        "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain", "xml": "text/xml",
        "zip": "application/zip",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ]

    var mediaType: String { Self.mediaTypes[ending?.lowercased() ?? ""] ?? "application/octet-stream" }

    /// Whether the file is a rendition of itself: a PDF, or an image that is no larger than the thumbnail.
    ///
    /// The org has no means to draw others.
    func has(rendition: String) -> Bool {
        if rendition == "PDF" { return type == "PDF" }
        guard let frame = Self.thumbnails[rendition], let pixels else { return false }
        return pixels.width <= frame.width && pixels.height <= frame.height
    }

    func json(_ api: APIVersion) -> JSONValue {
        let url = "\(api.path)/connect/files/\(id)"
        var members: JSONObject = [
            "id": JSONValue(id), "title": JSONValue(title), "name": JSONValue(title),
            "description": description.map { JSONValue($0) } ?? .null, "owner": owner.json(api),
            "contentSize": JSONValue(size), "fileExtension": ending.map { JSONValue($0) } ?? .null,
            "fileType": JSONValue(type), "mimeType": JSONValue(mediaType), "versionNumber": JSONValue(number),
            "createdDate": JSONValue(created), "modifiedDate": JSONValue(modified),
            "contentModifiedDate": JSONValue(versionModified), "systemModstamp": JSONValue(modified),
            "url": JSONValue(url), "downloadUrl": JSONValue("\(url)/content?versionNumber=\(number)"),
            "contentUrl": nil, "externalDocumentUrl": nil, "textPreview": nil, "origin": "Content",
            "sharingOption": sharingOption == "R" ? "Restricted" : "Allowed",
            "sharingPrivacy": sharingPrivacy == "P" ? "Private" : "None",
            "publishStatus": publishStatus == "P" ? "Published" : "Private",
            "isInMyFileSync": false, "isMajorVersion": true, "isFileAsset": false,
            "sharingRole": "Owner",
        ]
        addRenditions(to: &members, url)
        return JSONValue(members)
    }

    private func addRenditions(to members: inout JSONObject, _ url: String) {
        func place(_ name: String) -> JSONValue {
            has(rendition: name) ? JSONValue("\(url)/rendition?type=\(name)&versionNumber=\(number)") : .null
        }
        func status(_ name: String) -> JSONValue { has(rendition: name) ? "Success" : "Na" }
        members["renditionUrl"] = place("THUMB120BY90")
        members["renditionUrl240By180"] = place("THUMB240BY180")
        members["renditionUrl720By480"] = place("THUMB720BY480")
        members["pdfRenditionStatus"] = status("PDF")
        members["thumb120By90RenditionStatus"] = status("THUMB120BY90")
        members["thumb240By180RenditionStatus"] = status("THUMB240BY180")
        members["thumb720By480RenditionStatus"] = status("THUMB720BY480")
        members["flashRenditionStatus"] = "Na"
    }
}

/// A user as the Connect API tells who owns a file.
struct ConnectUser: Sendable {
    let id: String
    let name: String
    let isActive: Bool

    func json(_ api: APIVersion) -> JSONValue {
        [
            "id": JSONValue(id), "name": JSONValue(name), "type": "User", "isActive": JSONValue(isActive),
            "url": JSONValue("\(api.path)/chatter/users/\(id)"), "mySubscription": nil,
        ]
    }
}
