// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Synchronization

/// Asks for the page after one that has just arrived, before that one is parsed, when somebody waits for it.
///
/// Who waits takes the page at once, so no more than one page is ever ahead. The path in the page's beginning is taken
/// for a hint: the parsed page decides, and a fetch of another path is thrown away.
final class PageRelay: Sendable {
    private struct State {
        var isExpected = false
        var path: String?
        var fetch: PageFetch?
    }

    private let state = Mutex(State())
    private let request: RestRequest
    private let client: RestClient
    private let isLast: Bool

    init(_ request: RestRequest, _ client: RestClient, isLast: Bool) {
        self.request = request
        self.client = client
        self.isLast = isLast
    }

    /// Says that somebody waits for the page.
    func expect() {
        state.withLock { $0.isExpected = true }
    }

    /// The page, whose body is shown to the relay before it is parsed.
    func page() async throws(RestError) -> QueryPage {
        var options = Call.Options()
        if !isLast { options.onBody = { [weak self] in self?.relay($0) } }
        return try QueryPage(await client.response(to: request, options))
    }

    private func relay(_ body: [UInt8]) {
        guard !Task.isCancelled, state.withLock({ $0.isExpected }), let path = Self.nextPath(in: body),
            request.resource != .serverPath(path)
        else { return }
        let fetch = PageFetch(request.following(path), through: client, isLast: false)
        state.withLock { ($0.path, $0.fetch) = (path, fetch) }
    }

    /// The fetch of the page at this path, if it was begun; any other is cancelled.
    func takeFetch(of path: String?) -> PageFetch? {
        let begun = state.withLock { state in
            defer { state.fetch = nil }
            return (path: state.path, fetch: state.fetch)
        }
        return begun.path == path ? begun.fetch : nil
    }

    /// The next page's path where it stands before the records; it is short, and so is what is before it.
    private static func nextPath(in body: [UInt8]) -> String? {
        let records = Array(#""records":["#.utf8)
        let head = body.prefix(512)
        guard let end = head.firstRange(of: records)?.upperBound else { return nil }
        let envelope = try? JSONValue(parsing: body[..<end] + Array("]}".utf8))
        return envelope?["done"]?.bool == false ? envelope?["nextRecordsUrl"]?.string : nil
    }
}
