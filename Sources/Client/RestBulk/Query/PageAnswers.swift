// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// The answer with one page, which comes at the reader's pace.
struct PageAnswer: Sendable {
    private let stream: ResponseStream

    init(_ stream: ResponseStream) { self.stream = stream }

    var head: HTTPResponse.Head { stream.head }

    func next() async throws(RestError) -> [UInt8]? {
        // Each iterator goes on where the one before stopped.
        var body = stream.makeAsyncIterator()
        return try await body.next(isolation: nil)
    }
}

/// Asks for pages: each when it is read, and some ahead where the org tells where they are (from version 58 on).
///
/// What is asked for ahead is held back by its connection until it is read, so it takes no memory.
struct PageAnswers: Sendable {
    /// How long the body of one page may take; the platform's own limit is 20 minutes.
    private static let pageTime = Duration.seconds(3_600)
    /// The first version whose jobs tell where their pages are.
    private static let firstWithPages = APIVersion(58)

    let job: BulkJob
    private let calls: JobCalls
    private let options: BulkQuery.Options
    /// The pages that the org told of and that were not asked for, in order.
    private var known: [String] = []
    private var begun: [String: PageOpening] = [:]
    /// The next part of the list of pages; `nil` behind its end.
    private var list: RestRequest?
    private var isListBegun = false
    /// The page that is read.
    private var current: String?
    /// Whether the first page of the list is the one that is read now.
    private var isFirstToGo = false

    init(_ job: BulkJob, _ calls: JobCalls, _ options: BulkQuery.Options) {
        (self.job, self.calls, self.options) = (job, calls, options)
    }

    /// Asks for a page, or takes the answer that was asked for before.
    mutating func open(_ locator: String?) async throws(RestError) -> PageAnswer {
        let opening = locator.flatMap { begun.removeValue(forKey: $0) }
        let answer: PageAnswer
        if let opening {
            answer = PageAnswer(try await opening.stream())
        } else {
            // A list that leads elsewhere is of no more use.
            if isListBegun, locator != current, !begun.isEmpty { (known, begun, list) = ([], [:], nil) }
            answer = PageAnswer(try await calls.client.stream(request(for: locator)))
        }
        current = locator
        try await askAhead(of: locator)
        return answer
    }

    private mutating func askAhead(of locator: String?) async throws(RestError) {
        if !isListBegun { beginList(at: locator) }
        // A list that cannot be had is done without.
        if known.count < options.pagesAhead, let list { try? await extend(list) }
        if let locator, let place = known.firstIndex(of: locator) { known.removeSubrange(...place) }
        while begun.count < options.pagesAhead, !known.isEmpty {
            let next = known.removeFirst()
            guard next != locator, begun[next] == nil else { continue }
            begun[next] = PageOpening(calls.client, request(for: next))
        }
    }

    /// The list begins with the page that is read now, which the org gives a locator also where we have none.
    private mutating func beginList(at locator: String?) {
        isListBegun = true
        guard options.pagesAhead > 0, job.version.map({ $0 >= Self.firstWithPages }) ?? false else { return }
        var list = request("bulkPages", "resultPages")
        if let locator { list.query = [RestRequest.QueryItem("locator", locator)] }
        self.list = list
        isFirstToGo = locator == nil
    }

    private mutating func extend(_ list: RestRequest) async throws(RestError) {
        self.list = nil
        let answer = try await calls.client.send(list).payload
        let pages = answer["resultPages"]?.array.map { Array($0.prefix(1_000)) } ?? []
        for page in pages {
            guard let locator = page["resultUrl"]?.string.flatMap({ Self.locator(in: $0) }) else { continue }
            known.append(locator)
        }
        if isFirstToGo, !known.isEmpty { known.removeFirst() }
        isFirstToGo = false
        guard answer["done"]?.bool == false,
            let path = answer["nextRecordsUrl"]?.string ?? answer["nextRecordUrl"]?.string
        else { return }
        self.list = RestRequest(name: "bulkPages", resource: .serverPath(path))
    }

    /// The place that the address of a page names.
    private static func locator(in address: String) -> String? {
        let items = address.split(byte: "?", maxSplits: 1).last?.split(byte: "&") ?? []
        let locator = items.lazy.compactMap { $0.removing(prefix: "locator=") }.first
        return locator.flatMap { try? PercentEncoding.decode(String($0)) }
    }

    private func request(for locator: String?) -> RestRequest {
        var request = request("bulkResults", "results")
        if let locator { request.query.append(RestRequest.QueryItem("locator", locator)) }
        if let rows = options.pageRows { request.query.append(RestRequest.QueryItem("maxRecords", "\(rows)")) }
        request.fields = ["Accept": "text/csv"]
        request.streamTimeout = Self.pageTime
        return request
    }

    /// A request for results: it has to be of the job's own version.
    private func request(_ name: String, _ last: String) -> RestRequest {
        var request = calls.request(name, .get, [job.id, last])
        if let version = job.version, version != calls.client.apiVersion {
            request.resource = .serverPath("/services/data/\(version)/jobs/query/\(job.id)/\(last)")
        }
        return request
    }
}

/// A page that was asked for ahead; when nobody wants it any more, it is let go of.
final class PageOpening: Sendable {
    private let task: Task<Result<ResponseStream, RestError>, Never>

    init(_ client: RestClient, _ request: RestRequest) {
        task = Task(name: request.name) {
            do throws(RestError) { return .success(try await client.stream(request)) } catch { return .failure(error) }
        }
    }

    deinit { task.cancel() }

    func stream() async throws(RestError) -> ResponseStream {
        try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }
}
