// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Synchronization

/// Asks for the page after one that has arrived, while that one is parsed, as soon as somebody waits for it.
///
/// Who waits takes the page at once, so no more than one page is ever ahead. The path in the page's beginning is taken
/// for a hint: the parsed page decides, and a fetch of another path is thrown away.
final class PageRelay: Sendable {
    /// The two come in any order; the second of them begins the fetch.
    private struct State {
        /// Whether somebody waits for the page.
        var isExpected = false
        /// Where the next page is, once the page has arrived.
        var path: String?
        var isBegun = false
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
        begin { $0.isExpected = true }
    }

    /// The page, whose body is shown to the relay before it is parsed.
    func page() async throws(RestError) -> QueryPage {
        var options = Call.Options()
        if !isLast { options.onBody = { [weak self] in self?.relay($0) } }
        return try QueryPage(await client.response(to: request, options))
    }

    private func relay(_ body: [UInt8]) {
        guard !Task.isCancelled, let path = Self.nextPath(in: body), request.resource != .serverPath(path) else {
            return
        }
        begin { $0.path = path }
    }

    /// Notes what came, and begins the fetch if nothing else is waited for.
    private func begin(_ note: (inout State) -> Void) {
        let due = state.withLock { state -> String? in
            note(&state)
            guard state.isExpected, !state.isBegun, let path = state.path else { return nil }
            state.isBegun = true
            return path
        }
        guard let due else { return }
        let fetch = PageFetch(request.following(due), through: client, isLast: false)
        state.withLock { $0.fetch = fetch }
    }

    /// The fetch of the page at this path, if it was begun; any other is cancelled.
    ///
    /// Asked by who waited for the page, and has it: nothing begins a fetch any more.
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
        let bytes = body.prefix(512)
        guard let end = bytes.firstRange(of: records)?.upperBound else { return nil }
        let envelope = try? JSONValue(parsing: body[..<end] + Array("]}".utf8))
        return envelope?["done"]?.bool == false ? envelope?["nextRecordsUrl"]?.string : nil
    }
}
