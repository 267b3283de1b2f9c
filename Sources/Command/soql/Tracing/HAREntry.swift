// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestText
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request and its answer as an entry of HTTP Archive 1.2, without secrets.
///
/// Bodies are kept as far as they are text of which it is known where secrets stand in it; the size is always there.
struct HAREntry {
    /// No longer body is kept.
    static let mostBody = 1 << 20

    let json: JSONValue
    /// The bytes of bodies in it.
    let bodySize: Int

    init(
        _ exchange: RequestTrace.Exchange, _ result: Result<(HTTPResponse.Head, [UInt8]?), TransportError>,
        _ duration: Duration, room: Int
    ) {
        let sent = Self.text(exchange.request.body.inMemory, exchange.request.fields, room)
        let time = JSONValue((duration / .milliseconds(1) * 1_000).rounded() / 1_000) ?? 0
        var members: [(key: String, value: JSONValue)] = [
            ("startedDateTime", JSONValue(Self.text(exchange.date))), ("time", time),
            ("request", Self.request(exchange.request, sent)),
        ]
        var received: String?
        switch result {
        case .success((let head, let body)):
            received = Self.text(body, head.fields, room - (sent?.utf8.count ?? 0))
            members.append(("response", Self.response(head, body, received)))
        case .failure(let error):
            members.append(("response", Self.response(HTTPResponse.Head(status: 0), nil, nil)))
            members.append(("comment", JSONValue("\(error.code): \(error.message)")))
        }
        members += [("cache", [:]), ("timings", ["send": 0, "wait": time, "receive": 0])]
        json = JSONValue(JSONObject(members: members))
        bodySize = (sent?.utf8.count ?? 0) + (received?.utf8.count ?? 0)
    }

    private static func text(_ bytes: [UInt8]?, _ fields: HTTPFields, _ room: Int) -> String? {
        guard let bytes, !bytes.isEmpty else { return nil }
        return ShownBody.text(bytes, type: fields["Content-Type"], atMost: room)
    }

    /// The instant with its milliseconds, in UTC.
    private static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func request(_ request: HTTPRequest, _ text: String?) -> JSONValue {
        let url = request.url.redacted
        var members: [(key: String, value: JSONValue)] = [
            ("method", JSONValue(request.method.rawValue)), ("url", JSONValue(url)), ("httpVersion", "HTTP/1.1"),
            ("cookies", []), ("headers", headers(request.fields)), ("queryString", query(of: url)),
            ("headersSize", -1), ("bodySize", JSONValue(request.body.inMemory?.count ?? -1)),
        ]
        if request.body != .empty {
            let type = request.fields["Content-Type"] ?? "application/octet-stream"
            members.append(("postData", ["mimeType": JSONValue(type), "text": JSONValue(text ?? "")]))
        }
        return JSONValue(JSONObject(members: members))
    }

    private static func response(_ head: HTTPResponse.Head, _ body: [UInt8]?, _ text: String?) -> JSONValue {
        var content: [(key: String, value: JSONValue)] = [
            ("size", JSONValue(body?.count ?? -1)), ("mimeType", JSONValue(head.fields["Content-Type"] ?? "")),
        ]
        if let text { content.append(("text", JSONValue(text))) }
        return [
            "status": JSONValue(head.status), "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": headers(head.fields), "content": JSONValue(JSONObject(members: content)), "redirectURL": "",
            "headersSize": -1, "bodySize": JSONValue(body?.count ?? -1),
        ]
    }

    private static func headers(_ fields: HTTPFields) -> JSONValue {
        JSONValue(
            JSONArray(
                fields.map { field -> JSONValue in
                    ["name": JSONValue(field.name), "value": JSONValue(ShownBody.value(field))]
                }))
    }

    private static func query(of url: String) -> JSONValue {
        guard let query = url.cut(byte: "?")?.after else { return [] }
        let items = query.split(byte: "&").map { item -> JSONValue in
            let sides = item.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let decoded = sides.map { (try? PercentEncoding.decodeForm($0)) ?? $0 }
            return ["name": JSONValue(decoded[0]), "value": JSONValue(decoded.count > 1 ? decoded[1] : "")]
        }
        return JSONValue(JSONArray(items))
    }
}
