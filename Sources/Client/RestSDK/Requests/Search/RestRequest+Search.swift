// SPDX-License-Identifier: Apache-2.0

import RestJSON

extension RestRequest {
    /// Searches the org; the payload's `searchRecords` are what was found.
    ///
    /// A search that is too long for a URL is refused; use ``ParameterizedSearch``, which goes in a body.
    public static func search(_ sosl: SOSL) -> RestRequest {
        var request = RestRequest(
            name: "search", resource: .data(["search"]), query: [QueryItem("q", sosl.text)])
        request.problem = sosl.problem.map { InvalidArgument(argument: "sosl", reason: $0) }
        return request.requiring(sosl.text, "sosl")
    }

    /// Searches the org for a plain text; the payload's `searchRecords` are what was found.
    public static func search(_ search: ParameterizedSearch) -> RestRequest {
        var request = RestRequest(
            name: "parameterizedSearch", method: .post, resource: .data(["parameterizedSearch"]), fields: jsonContent)
        request.body = .bytes(search.json.bytes())
        request.problem = search.problem
        request.effect = .reads
        return request
    }

    /// The objects that the user searches by default, in their order; the payload is an array.
    public static let searchScopeOrder = RestRequest(
        name: "searchScopeOrder", resource: .data(["search", "scopeOrder"]))

    /// The columns in which an app shows records of these objects that a search found; the payload is an array.
    public static func searchLayout(of types: [String]) -> RestRequest {
        RestRequest(
            name: "searchLayout", resource: .data(["search", "layout"]),
            query: [QueryItem("q", types.joined(separator: ","))]
        ).requiring(types.joined(), "types")
    }

    /// The records of an object whose names resemble what was typed so far.
    public static func searchSuggestions(_ text: String, of type: String) -> RestRequest {
        RestRequest(
            name: "searchSuggestions", resource: .data(["search", "suggestions"]),
            query: [QueryItem("q", text), QueryItem("sobject", type)]
        ).requiring(text, "text").requiring(type, "type")
    }
}

extension RestClient {
    /// Searches the org and gives the records that were found, of all objects, in the server's order.
    ///
    /// ``Record/type`` tells which object a record is of.
    public func search(_ sosl: SOSL) async throws(RestError) -> [Record] {
        try await content(of: .search(sosl)) { (response) throws(RestError) in try Self.found(response) }
    }

    /// Searches the org for a plain text and gives the records that were found, of all objects, in the server's order.
    public func search(_ search: ParameterizedSearch) async throws(RestError) -> [Record] {
        try await content(of: .search(search)) { (response) throws(RestError) in try Self.found(response) }
    }

    /// The records in an answer; versions before 37 give them without an object around.
    private static func found(_ response: RestResponse) throws(RestError) -> [Record] {
        guard let list = response.payload.array ?? response.payload["searchRecords"]?.array else {
            throw RestError(notAnAnswerTo: "search", response)
        }
        var records: [Record] = []
        for (index, value) in list.enumerated() { records.append(try Record(reading: value, at: index)) }
        return records
    }
}
