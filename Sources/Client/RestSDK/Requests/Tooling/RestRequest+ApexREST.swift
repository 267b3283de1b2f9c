// SPDX-License-Identifier: Apache-2.0

public import RestJSON
public import RestTransport

extension RestRequest {
    /// A call of code of the org that answers REST requests itself (Apex REST).
    ///
    /// What such a call does is up to that code, so a POST or PATCH is sent once; say ``RestRequest/effect(_:)`` where
    /// it may be sent again.
    ///
    /// - Parameters:
    ///   - path: the segments below `/services/apexrest`, not encoded: `["orders", "17"]`.
    ///   - method: the method.
    ///   - query: the URL's query.
    ///   - body: what is sent as JSON; `nil` for nothing.
    /// - Returns: the request.
    public static func apex(
        _ path: [String], method: HTTPMethod = .get, query: [QueryItem] = [], body: JSONValue? = nil
    ) -> RestRequest {
        let encoded = path.map { "/" + PercentEncoding.pathSegment($0) }.joined()
        var request = RestRequest(
            name: "apex", method: method, resource: .serverPath("/services/apexrest" + encoded), query: query)
        if let body {
            request.body = .bytes(body.bytes())
            request.fields = jsonContent
        }
        return request.requiring(path.joined(), "path")
    }
}
