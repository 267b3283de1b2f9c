// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// Streams the results of a query job page by page, and resumes after an interrupted response.
struct ResultReader: Sendable {
    enum Chunk: Sendable {
        /// The header row of a page, with its line ending.
        case header([UInt8])
        case payload(ArraySlice<UInt8>)
        /// The end of the page, and whether its last row has no line ending.
        case pageEnd(isOpen: Bool)
    }

    private enum Event: Sendable {
        case opened(HTTPResponse.Head)
        case bytes([UInt8])
        case end

        var isEnd: Bool { if case .end = self { true } else { false } }
    }

    private enum Body: Sendable {
        case stream(ResponseStream)
        case file(FileSource)
    }

    /// The maximum number of interrupted responses in a row without new bytes.
    private static let mostFailures = 8

    /// The time limit of one page's body, above Salesforce's own limit of 20 minutes.
    private static let pageTime = Duration.seconds(3_600)

    private let job: BulkJob
    private let calls: JobCalls
    private let pageRows: Int?
    private var trail: ResultTrail
    private var page: Body?
    private var ahead: ResultAhead?
    private var splitter = HeaderSplitter()
    private var isHeaderGiven = false
    private var failures = 0
    /// The chunks that were read but not returned, each with the position after it.
    private var ready: [(chunk: Chunk, end: BulkPosition)] = []
    /// The position after the last returned chunk, where another reader can continue.
    private(set) var position: BulkPosition

    init(_ job: BulkJob, from position: BulkPosition, _ calls: JobCalls, _ options: BulkQuery.Options) {
        (self.job, self.calls, pageRows) = (job, calls, options.pageRows)
        self.position = position
        trail = ResultTrail(from: position, total: job.recordsProcessed)
    }

    var isAtEnd: Bool { trail.isAtEnd }

    /// Returns the next chunk, or `nil` after the last page.
    mutating func next() async throws(BulkError) -> Chunk? {
        while true {
            if !ready.isEmpty {
                let (chunk, end) = ready.removeFirst()
                position = end
                return chunk
            }
            guard !trail.isAtEnd else { return nil }
            let event: Event
            do throws(RestError) { event = try await fetch() } catch {
                try await pause(after: error)
                continue
            }
            do throws(BulkError) { try take(event) } catch { throw error.at(position) }
            if event.isEnd, page != nil {
                try await pause(after: RestError(.transport, "a page of the results is incomplete"))
            }
        }
    }

    private mutating func fetch() async throws(RestError) -> Event {
        switch page {
        case .stream(let page):
            // Each iterator continues at the end of the previous one.
            var body = page.makeAsyncIterator()
            return try await body.next(isolation: nil).map { .bytes($0) } ?? .end
        case .file(let page):
            do throws(TransportError) { return try page.next().map { .bytes($0) } ?? .end } catch {
                throw RestError(.transport, "a downloaded page cannot be read: \(error.message)", underlying: error)
            }
        case nil: break
        }
        let (reader, locator) = (self, trail.position.locator)
        if let locator, let found = await ahead?.page(at: locator, { reader.request($0) }) {
            page = .file(found.bytes)
            return .opened(found.head)
        }
        let response = try await calls.client.stream(request(locator))
        page = .stream(response)
        return .opened(response.head)
    }

    /// The request for a page, in the version of the job.
    private func request(_ locator: String?) -> RestRequest {
        var request = calls.request("bulkResults", .get, [job.id, "results"])
        if let version = job.version, version != calls.client.apiVersion {
            request.resource = .serverPath("/services/data/\(version)/jobs/query/\(job.id)/results")
        }
        if let locator { request.query.append(RestRequest.QueryItem("locator", locator)) }
        if let rows = pageRows { request.query.append(RestRequest.QueryItem("maxRecords", "\(rows)")) }
        request.fields = ["Accept": "text/csv"]
        request.streamTimeout = Self.pageTime
        return request
    }

    private mutating func take(_ event: Event) throws(BulkError) {
        switch event {
        case .opened(let head):
            splitter = HeaderSplitter()
            try trail.begin(head)
            // The org lists the pages of its own size.
            if ahead == nil, pageRows == nil, trail.hasNext { ahead = ResultAhead(job, calls) }
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
            // An incomplete page is requested again.
            guard let isOpen = try trail.endPage() else { return }
            (page, isHeaderGiven, failures) = (nil, false, 0)
            ready.append((.pageEnd(isOpen: isOpen), trail.position))
        }
    }

    private mutating func giveHeader() throws(BulkError) {
        guard let header = splitter.header, !isHeaderGiven else { return }
        try trail.take(header: calls.names(in: header, job))
        isHeaderGiven = true
        ready.append((.header(header), trail.position))
    }

    private mutating func pause(after error: RestError) async throws(BulkError) {
        page = nil
        failures += 1
        guard error.mayPass, failures <= Self.mostFailures else {
            throw BulkError(error, job: position.jobID).at(position)
        }
        do { try await calls.pause(after: error, failures) } catch {
            throw BulkError(.cancelled, "cancelled between two pages", job: position.jobID).at(position)
        }
    }
}

extension JobCalls {
    func names(in header: [UInt8], _ job: BulkJob) throws(BulkError) -> [String] {
        do throws(CSVError) {
            return try CSVDocument(parsing: header, job.dialect).header?.names ?? []
        } catch {
            throw BulkError(error, row: nil, job: job.id)
        }
    }
}

/// Separates the header row from the rest of a page that arrives in chunks.
struct HeaderSplitter: Sendable {
    /// The maximum length of the header in bytes, ten times as long as any header of the platform.
    static let longest = 1 << 20

    /// The first row with its line ending, or `nil` until it is complete.
    private(set) var header: [UInt8]?
    private var held: [UInt8] = []
    private var isInQuotes = false

    /// Adds a chunk, and returns the part of it that follows the header.
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
            throw BulkError(.response, "the names of the columns have more than \(Self.longest) bytes")
        }
        return []
    }

    /// Ends the page, whose header may have no line ending if it has no rows.
    mutating func finish() {
        if header == nil, !held.isEmpty { header = held }
    }
}
