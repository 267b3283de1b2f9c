// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// What no server would accept, found before anything is sent.
extension RequestBuilder {
    /// Refuses an API version that does not exist, and a body that cannot be sent.
    func check(_ request: RestRequest, _ body: HTTPBody) throws(RestError) {
        guard APIVersion.numbers.contains(apiVersion.number) else {
            throw .invalidRequest("apiVersion", "there is no version \(apiVersion)", isWrite: request.isWrite)
        }
        guard !request.hasReferenceInPath else {
            throw .invalidRequest(
                "id", "a reference works inside a composite request only", isWrite: request.isWrite)
        }
        try checkPath(of: request, isWrite: request.isWrite)
        for part in request.partRequests { try checkPath(of: part, isWrite: request.isWrite) }
        switch body {
        case .bytes(let bytes) where bytes.count > services[request.service].maximumBodySize:
            let limit = services[request.service].maximumBodySize
            throw .invalidRequest(
                "body", "has \(bytes.count) bytes; the server accepts \(limit); send a file instead",
                isWrite: request.isWrite)
        case .stream(let source) where !source.isRestartable && (request.retryPolicy?.maximumAttempts ?? 1) > 1:
            throw .invalidRequest(
                "retryPolicy",
                "a stream made by .once can be sent only once; make it by .restartable, send bytes or a file, or do "
                    + "not retry",
                isWrite: request.isWrite)
        default: break
        }
    }

    /// Refuses a path with a segment `.` or `..`, which leads to another resource.
    private func checkPath(of request: RestRequest, isWrite: Bool) throws(RestError) {
        let hasDots =
            switch request.resource {
            // What is encoded for the path cannot be another spelling of a dot.
            case .data(let segments): segments.contains { $0 == "." || $0 == ".." }
            case .serverPath: PercentEncoding.hasDotSegment(summary(of: request).path)
            }
        guard hasDots else { return }
        throw .invalidRequest(
            "path",
            "'.' and '..' lead to another resource, however they are encoded; find the record by a query and "
                + "use its id",
            isWrite: isWrite)
    }

    /// Refuses a URL that is longer than the server accepts, unless the call is a query, which can go in a body
    /// instead.
    func check(_ url: HTTPURL, of request: RestRequest) throws(RestError) {
        let size = url.target.utf8.count
        guard size > Self.maximumTargetSize else { return }
        guard request.isQuery else {
            let isSearch = request.resource == .data(["search"])
            throw .invalidRequest(
                isSearch ? "sosl" : "query",
                "the URL has \(size) bytes; the server accepts \(Self.maximumTargetSize)"
                    + (isSearch ? "; use a ParameterizedSearch, which goes in the body" : ""),
                isWrite: request.isWrite)
        }
        guard apiVersion >= .firstWithComposite else {
            throw .invalidRequest(
                "soql",
                "the URL has \(size) bytes; the server accepts \(Self.maximumTargetSize), and takes longer queries in a "
                    + "body from version \(APIVersion.firstWithComposite) on; split the query")
        }
    }
}
