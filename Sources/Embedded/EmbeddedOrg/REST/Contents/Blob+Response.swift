// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport

extension Blob {
    /// The bytes as an answer, of which a request may ask for a part (RFC 9110 §14).
    func response(
        to request: ServerRequest, type: String, _ database: Database
    ) throws(OrgFault) -> ServerResponse {
        let tag = "\"\(content)\""
        let facts = RecordFacts(modifiedSeconds: nil, entityTag: tag)
        guard try Preconditions(request.fields).isWanted(facts) else { return facts.mark(.empty(304)) }
        // Several ranges at once are answered with everything, as if none had been asked for.
        let isFresh = request.fields["If-Range"].map { $0 == tag } ?? true
        let asked = isFresh && request.method == "GET" ? request.fields["Range"].flatMap { ByteRange($0) } : nil
        let part = asked?.resolved(in: size)
        guard asked == nil || part != nil else {
            return ServerResponse(status: 416, fields: [("Content-Range", "bytes */\(size)")])
        }
        var response = ServerResponse(
            status: part == nil ? 200 : 206,
            fields: [("Content-Type", type), ("Accept-Ranges", "bytes"), ("ETag", tag)])
        if let part {
            let place = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
            response.fields.append(("Content-Range", place))
        }
        return try fill(response, with: part ?? 0..<size, database)
    }

    /// Puts the bytes behind the header, a few pieces at a time.
    private func fill(
        _ response: ServerResponse, with range: Range<Int>, _ database: Database
    ) throws(OrgFault) -> ServerResponse {
        if range.count > ContentStore.piece { try database.beginLongWork() }
        let spool = Spool()
        let step = 16 * ContentStore.piece
        for start in stride(from: range.lowerBound, to: range.upperBound, by: step) {
            let part = start..<min(start + step, range.upperBound)
            let bytes = try database.read { (connection) throws(OrgFault) -> [UInt8] in
                do throws(DatabaseError) {
                    return try ContentStore.bytes(of: content, part, connection)
                } catch {
                    throw OrgFault(error)
                }
            }
            // The file was replaced by another one meanwhile.
            guard bytes.count == part.count else { throw .notFound }
            guard spool.append(bytes) else { throw .storage }
        }
        guard let filled = spool.fill(response) else { throw .storage }
        return filled
    }
}
