// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
import RestTransport

/// The photos of users: `/connect/user-profiles/ID/photo`, and `/profilephoto/…` for their bytes.
///
/// A photo is kept and given as it came; the org cannot draw it in other sizes.
struct ProfilePhotos {
    let resources: ConnectResources

    private static let field = "Photo"
    private static let prefix = "729"
    private static let mostBytes = 8 << 20
    private static let mediaTypes: [(start: [UInt8], type: String)] = [
        ([0x89, 0x50, 0x4E, 0x47], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
        (Array("GIF8".utf8), "image/gif"), (Array("BM".utf8), "image/bmp"),
    ]

    func answer(_ user: String) throws(OrgFault) -> ServerResponse {
        let call = resources.call
        try call.allow("GET", "POST", "DELETE")
        switch call.method {
        case "POST":
            try keep(user)
            return .json(201, value: try json(user))
        case "DELETE":
            try write { (connection) throws(DatabaseError) in try Blob.remove(of: user, connection) }
            return .empty(204)
        default: return .json(value: try json(user))
        }
    }

    private func keep(_ user: String) throws(OrgFault) {
        guard let part = try MultipartBody(resources.call.request)["fileUpload"] else {
            throw .invalidInput("The body must have a part fileUpload")
        }
        let bytes = Array(part.bytes)
        guard bytes.count <= Self.mostBytes, Self.type(of: bytes) != nil else {
            throw .invalidInput("A photo is a BMP, GIF, JPEG or PNG of at most 8 MB")
        }
        try write { (connection) throws(DatabaseError) in
            try Blob.remove(of: user, connection)
            try Blob.keep(bytes, user, Self.field, connection)
        }
    }

    private func write(
        _ body: (SQLiteConnection) throws(DatabaseError) -> Void
    ) throws(OrgFault) {
        try resources.store.database.write { (connection) throws(OrgFault) in
            do throws(DatabaseError) {
                try connection.transaction({ () throws(DatabaseError) in try body(connection) }, failure: { $0 })
            } catch {
                throw OrgFault(error)
            }
        }
    }

    private static func type(of bytes: [UInt8]) -> String? {
        mediaTypes.first { bytes.starts(with: $0.start) }?.type
    }

    private func json(_ user: String) throws(OrgFault) -> JSONValue {
        let blob = try Self.blob(of: user, resources.store.database)
        let id = blob.map { RecordID.make(prefix: Self.prefix, number: $0.content) }
        func url(_ size: String) -> JSONValue { JSONValue("/profilephoto/\(id ?? user)/\(size)") }
        return [
            "photoVersionId": id.map { JSONValue($0) } ?? .null, "largePhotoUrl": url("F"),
            "mediumPhotoUrl": url("M"), "smallPhotoUrl": url("T"), "fullEmailPhotoUrl": url("F"),
            "standardEmailPhotoUrl": url("T"),
            "url": JSONValue("\(resources.call.version.path)/connect/user-profiles/\(user)/photo"),
        ]
    }

    private static func blob(of user: String, _ database: Database) throws(OrgFault) -> Blob? {
        try database.read { (connection) throws(OrgFault) -> Blob? in
            do throws(DatabaseError) {
                return try Blob.find(user, field, connection)
            } catch {
                throw OrgFault(error)
            }
        }
    }

    /// The bytes of a photo, whatever size its address names.
    static func image(_ id: String, _ request: ServerRequest, _ database: Database) throws(OrgFault) -> ServerResponse {
        guard let known = RecordID.normalized(id), known.hasBytes(prefix: prefix),
            let number = RecordID.number(of: known.utf8.prefix(15).suffix(7))
        else { throw .notFound }
        let found = try database.read { (connection) throws(OrgFault) -> (blob: Blob, start: [UInt8])? in
            do throws(DatabaseError) {
                var user: String?
                try connection.rows(
                    "SELECT \"Record\" FROM \"org.File\" WHERE \"Content\" = ?1 AND \"Field\" = ?2",
                    [.integer(number), .text(field)]
                ) { user = $0.text(0) }
                guard let user, let blob = try Blob.find(user, field, connection) else { return nil }
                return (blob, try ContentStore.bytes(of: number, 0..<8, connection))
            } catch {
                throw OrgFault(error)
            }
        }
        guard let found, let type = type(of: found.start) else { throw .notFound }
        return try found.blob.response(to: request, type: type, database)
    }
}

extension RESTRouter {
    /// `/profilephoto/ID/SIZE`: the bytes of a photo, for who is logged in.
    func photo(_ request: ServerRequest, _ id: String) -> ServerAnswer {
        .later(.brief) { [self] in
            do throws(OrgFault) {
                _ = try authorize(request)
                guard ["GET", "HEAD"].contains(request.method) else {
                    throw .methodNotAllowed(request.method, ["GET", "HEAD"])
                }
                return .ready(ServerReply(try ProfilePhotos.image(id, request, Database(shared, .brief))))
            } catch {
                return .ready(ServerReply(error.response))
            }
        }
    }
}
