// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// Reads the results of a query job as they come, page after page; an answer that breaks off is gone on with.
struct ResultReader: Sendable {
    /// What comes next of the results.
    enum Piece: Sendable {
        /// The names of the columns with their line ending; each page that is begun has them.
        case header([UInt8])
        /// Bytes of the page.
        case payload(ArraySlice<UInt8>)
        /// The page is over; whether its last row has no line ending.
        case pageEnd(isOpen: Bool)
    }

    private enum Event: Sendable {
        case opened(HTTPResponse.Head)
        case bytes([UInt8])
        case end

        var isEnd: Bool { if case .end = self { true } else { false } }
    }

    /// How often in a row an answer may break off without bringing anything.
    private static let mostFailures = 8
    private static let shortestPause = Duration.milliseconds(100)

    private let calls: JobCalls
    private let pageRows: Int?
    private var trail: ResultTrail
    private var answers: PageAnswers
    private var page: PageAnswer?
    private var splitter = HeaderSplitter()
    private var isHeaderGiven = false
    private var failures = 0
    /// Pieces that were read and not given yet, each with the position after it.
    private var ready: [(piece: Piece, end: BulkPosition)] = []
    /// The position after the last piece that was given, where another reader continues.
    private(set) var position: BulkPosition

    /// Reads the results of a job that has ended.
    init(_ job: BulkJob, from position: BulkPosition, _ calls: JobCalls, _ options: BulkQuery.Options) {
        (self.calls, pageRows) = (calls, options.pageRows)
        self.position = position
        trail = ResultTrail(from: position, total: job.recordsProcessed)
        answers = PageAnswers(job, calls, options)
    }

    /// Whether the last page was read.
    var isAtEnd: Bool { trail.isAtEnd }

    /// What comes next; `nil` behind the last page.
    mutating func next() async throws(BulkError) -> Piece? {
        while true {
            if !ready.isEmpty {
                let (piece, end) = ready.removeFirst()
                position = end
                return piece
            }
            guard !trail.isAtEnd else { return nil }
            let event: Event
            do throws(RestError) { event = try await fetch() } catch {
                try await pause(after: error)
                continue
            }
            do throws(BulkError) { try take(event) } catch { throw error.at(position) }
            if event.isEnd, page != nil {
                try await pause(after: RestError(.transport, "a page of the results is not whole"))
            }
        }
    }

    private mutating func fetch() async throws(RestError) -> Event {
        if let page { return try await page.next().map { .bytes($0) } ?? .end }
        let answer = try await answers.open(trail.position.locator)
        page = answer
        return .opened(answer.head)
    }

    private mutating func take(_ event: Event) throws(BulkError) {
        switch event {
        case .opened(let head):
            splitter = HeaderSplitter()
            try trail.begin(head)
        case .bytes(let bytes):
            let rest = try splitter.push(bytes)
            try giveHeader()
            let new = try trail.take(rest)
            guard !new.isEmpty else { return }
            failures = 0
            ready.append((.payload(new), trail.position))
        case .end:
            splitter.finish()
            try giveHeader()
            // A page that is not whole is begun again.
            guard let isOpen = try trail.endPage() else { return }
            (page, isHeaderGiven, failures) = (nil, false, 0)
            ready.append((.pageEnd(isOpen: isOpen), trail.position))
        }
    }

    private mutating func giveHeader() throws(BulkError) {
        guard let header = splitter.header, !isHeaderGiven else { return }
        try trail.take(header: calls.names(in: header, answers.job))
        isHeaderGiven = true
        ready.append((.header(header), trail.position))
    }

    private mutating func pause(after error: RestError) async throws(BulkError) {
        page = nil
        failures += 1
        guard error.mayPass, failures <= Self.mostFailures else {
            throw BulkError(error, job: position.jobID).at(position)
        }
        let longest = Self.shortestPause * (1 << (failures - 1))
        let pause = max(longest * Double.random(in: 0.5..<1), error.retryAfter ?? .zero)
        do {
            try await calls.client.clock.sleep(until: calls.client.clock.now + pause, tolerance: nil)
        } catch {
            throw BulkError(.cancelled, "cancelled between two pages", job: position.jobID).at(position)
        }
    }
}

extension JobCalls {
    /// The names of the columns in the first row of a page.
    func names(in header: [UInt8], _ job: BulkJob) throws(BulkError) -> [String] {
        do throws(CSVError) {
            return try CSVDocument(parsing: header, job.dialect).header?.names ?? []
        } catch {
            throw BulkError(error, row: nil, job: job.id)
        }
    }
}

/// Cuts the names of the columns off the beginning of a page, which arrives in pieces.
struct HeaderSplitter: Sendable {
    /// The longest header in bytes; the platform makes none beyond a tenth of it.
    static let longest = 1 << 20

    /// The first row with its line ending, once it is complete.
    private(set) var header: [UInt8]?
    private var held: [UInt8] = []
    private var isInQuotes = false

    /// Takes a piece; gives what of it is behind the header.
    mutating func push(_ bytes: [UInt8]) throws(BulkError) -> ArraySlice<UInt8> {
        guard header == nil else { return bytes[...] }
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\"") { isInQuotes.toggle() }
            guard byte == UInt8(ascii: "\n"), !isInQuotes else { continue }
            header = held + bytes[...index]
            held = []
            return bytes[(index + 1)...]
        }
        held += bytes
        guard held.count <= Self.longest else {
            throw BulkError(.answer, "the names of the columns do not end within \(Self.longest) bytes")
        }
        return []
    }

    /// Ends the page: a header without a line ending is one too, of a page without rows.
    mutating func finish() {
        if header == nil, !held.isEmpty { header = held }
    }
}

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
