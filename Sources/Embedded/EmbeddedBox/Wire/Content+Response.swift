// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport

extension Content {
    /// The bytes, of which a request may ask for a part (RFC 9110 §14).
    func response(to request: ServerRequest) -> ServerResponse {
        let asked = request.fields["Range"].flatMap { ByteRange($0) }
        let part = asked?.resolved(in: size)
        if asked != nil && part == nil {
            return ServerResponse(status: 416, fields: [("Content-Range", "bytes */\(size)")])
        }
        let range = part ?? 0..<size
        guard let slice = slice(range) else {
            return BoxRefusal.broken.response
        }
        var response = ServerResponse(
            status: part == nil ? 200 : 206,
            fields: [("Content-Type", "application/octet-stream"), ("Accept-Ranges", "bytes")])
        if part != nil {
            let end = range.upperBound - 1
            response.fields.append(("Content-Range", "bytes \(range.lowerBound)-\(end)/\(size)"))
        }
        response.file = slice
        return response
    }
}
