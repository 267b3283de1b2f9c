// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// A page of a list of the Connect API, counted from 0.
struct ConnectPage {
    let size: Int
    private let number: Int
    private let path: String
    /// The parameters that the next page has too.
    private let kept: String

    private static let sizes = 1...100
    private static let mostPages = 1_000_000

    init(_ call: RESTRouter.Call) throws(OrgFault) {
        guard let number = Int(outside: call.path.parameter("page") ?? "0", in: .count),
            let size = Int(outside: call.path.parameter("pageSize") ?? "25", in: .count), Self.sizes.contains(size),
            number <= Self.mostPages
        else { throw .badParameter("page must be between 0 and 1000000, and pageSize between 1 and 100") }
        (self.number, self.size) = (number, size)
        path = "\(call.version.path)/\(call.rest.map { PercentEncoding.pathSegment($0) }.joined(separator: "/"))"
        kept = call.path.parameter("q").map { "&q=\(PercentEncoding.queryComponent($0))" } ?? ""
    }

    var start: Int { number * size }

    private func url(_ page: Int) -> JSONValue { JSONValue("\(path)?page=\(page)&pageSize=\(size)\(kept)") }

    /// The page around its items.
    func answer(_ name: String, _ items: [JSONValue], hasMore: Bool) -> ServerResponse {
        .json(value: [
            "currentPageUrl": url(number), "nextPageUrl": hasMore ? url(number + 1) : .null,
            "previousPageUrl": number > 0 ? url(number - 1) : .null, name: JSONValue(JSONArray(items)),
        ])
    }
}
