// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

extension RequestBuilder {
    /// The body as it is sent: as given, or made of the request's parts.
    ///
    /// - Throws: ``RestError/Code/file`` for a file that cannot be read.
    func body(of request: RestRequest) throws(RestError) -> HTTPBody {
        switch request.parts {
        case .composite(let composite): return .bytes(json(of: composite).bytes())
        case .batch(let batch): return .bytes(json(of: batch).bytes())
        case .graphs(let graphs): return .bytes(json(of: graphs).bytes())
        case .form(let form):
            do throws(TransportError) { return try form.body() } catch {
                throw RestError(error, isWrite: request.isWrite)
            }
        case .soap(let call): return call.body
        case nil: return request.body
        }
    }

    private func json(of composite: Composite) -> JSONValue {
        var json: JSONObject = ["allOrNone": JSONValue(composite.isAllOrNone)]
        if !composite.isCollated { json["collateSubrequests"] = false }
        json["compositeRequest"] = JSONValue(JSONArray(parts(of: composite)))
        return JSONValue(json)
    }

    private func json(of graphs: Composite.Graphs) -> JSONValue {
        let list = graphs.graphs.map { graph -> JSONValue in
            [
                "graphId": JSONValue(graph.id),
                "compositeRequest": JSONValue(JSONArray(parts(of: graph.composite))),
            ]
        }
        return ["graphs": JSONValue(JSONArray(list))]
    }

    private func parts(of composite: Composite) -> [JSONValue] {
        composite.parts.map { part in
            var json: JSONObject = [
                "method": JSONValue(part.request.method.rawValue), "url": JSONValue(target(of: part.request)),
                "referenceId": JSONValue(part.reference),
            ]
            let fields = part.request.options.fields.overridden(by: part.request.fields).filter { !$0.isOfContent }
            if !fields.isEmpty {
                json["httpHeaders"] = JSONValue(
                    JSONObject(members: fields.map { (key: $0.name, value: JSONValue($0.value)) }))
            }
            if let body = part.request.jsonBody, !body.isNull { json["body"] = body }
            return JSONValue(json)
        }
    }

    private func json(of batch: Batch) -> JSONValue {
        let parts = batch.requests.map { request in
            // Without the path that every resource has in common; a target begins with it by construction.
            let url = String(target(of: request).dropFirst("/services/data/".count))
            var json: JSONObject = ["method": JSONValue(request.method.rawValue), "url": JSONValue(url)]
            if let body = request.jsonBody, !body.isNull { json["richInput"] = body }
            return JSONValue(json)
        }
        return ["batchRequests": JSONValue(JSONArray(parts)), "haltOnError": JSONValue(batch.haltsOnError)]
    }

    /// The address of a part, percent-encoded except for its references.
    private func target(of request: RestRequest) -> String {
        let path: String
        switch request.resource {
        case .data(let segments):
            path = dataPath(segments) { ReferencedText($0).encoded(PercentEncoding.pathSegment) }
        case .serverPath(let given): path = given
        }
        let query = query(request.query) { ReferencedText($0).encoded(PercentEncoding.queryComponent) }
        return query.map { "\(path)\(path.hasBytes("?") ? "&" : "?")\($0)" } ?? path
    }
}
