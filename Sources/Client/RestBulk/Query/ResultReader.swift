// SPDX-License-Identifier: Apache-2.0

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
