// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// A job of the org, as the org tells of it.
public struct BulkJob: Sendable, Hashable {
    /// Which way a job moves records.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Out of the org.
        case query
        /// Into the org.
        case ingest
    }

    /// How far a job is: an open set.
    public struct State: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The platform's word for it.
        public let rawValue: String

        /// Wraps a word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The platform's word for it.
        public var description: String { rawValue }

        /// It waits for its records; nothing is done before all of them are there.
        public static let open = State(rawValue: "Open")
        /// It waits for its turn.
        public static let uploadComplete = State(rawValue: "UploadComplete")
        /// It is worked on.
        public static let inProgress = State(rawValue: "InProgress")
        /// All of it was worked on; single records may have failed.
        public static let jobComplete = State(rawValue: "JobComplete")
        /// It ended early; records may have been written.
        public static let failed = State(rawValue: "Failed")
        /// Somebody ended it; records may have been written.
        public static let aborted = State(rawValue: "Aborted")

        /// Whether nothing changes any more.
        public var isFinal: Bool { [.jobComplete, .failed, .aborted].contains(self) }
    }

    /// The job's id.
    public let id: String
    /// Which way it moves records.
    public let kind: Kind
    /// What it does, such as `query` or `insert`.
    public let operation: String
    /// The object's name.
    public let object: String
    /// How far it is.
    public let state: State
    /// When it was made, as the platform writes it.
    public let created: String
    /// The id of the user who made it.
    public let createdBy: String
    /// The version of the API that it was made in.
    public let version: APIVersion?
    /// How its texts are put together.
    public let dialect: CSVDialect
    /// How many records it has worked on.
    public let recordsProcessed: Int
    /// How many of them failed.
    public let recordsFailed: Int
    /// Why it failed, if the platform says.
    public let errorMessage: String?
}

extension BulkJob {
    /// Reads an answer.
    init(_ answer: JSONValue, _ kind: Kind) throws(BulkError) {
        guard let id = answer["id"]?.string, id.isRecordID, let state = answer["state"]?.string else {
            throw BulkError(.answer, "the server described a job without id or state")
        }
        func count(_ name: String) throws(BulkError) -> Int {
            guard let value = answer[name], !value.isNull else { return 0 }
            guard let count = value.int.flatMap({ Int(outside: $0, in: .count) }) else {
                throw BulkError(.answer, "the server says a number as \(name) that no job has", job: id)
            }
            return count
        }
        (self.id, self.kind, self.state) = (id, kind, State(rawValue: state))
        operation = answer["operation"]?.string ?? ""
        object = answer["object"]?.string ?? ""
        created = answer["createdDate"]?.string ?? ""
        createdBy = answer["createdById"]?.string ?? ""
        version = answer["apiVersion"].flatMap { $0.string ?? $0.numberText }.flatMap { APIVersion($0) }
        let ending = answer["lineEnding"]?.string.flatMap { CSVDialect.LineEnding(rawValue: $0) }
        let delimiter = CSVDialect.Delimiter.platformNames[answer["columnDelimiter"]?.string ?? "COMMA"]
        guard let delimiter else { throw BulkError(.answer, "the job has a delimiter that is not known", job: id) }
        dialect = .platform(delimiter: delimiter, lineEnding: ending ?? .lf)
        recordsProcessed = try count("numberRecordsProcessed")
        recordsFailed = try count("numberRecordsFailed")
        errorMessage = answer["errorMessage"]?.string
    }

    /// Why a job that ended is of no more use; `nil` for one that was worked on as a whole.
    var failure: BulkError? {
        switch state {
        case .failed:
            BulkError(.jobFailed, errorMessage ?? "the org ended the job and does not say why", job: id)
        case .aborted: BulkError(.jobAborted, "somebody ended the job", job: id)
        default: nil
        }
    }
}

extension CSVDialect.Delimiter {
    /// The name that jobs use; `nil` for one that the platform does not know.
    var platformName: String? { Self.platformNames.first { $0.value == self }?.key }
}

/// How a job is waited for.
///
/// The org is asked at growing intervals, and later where it says so (`Retry-After`). A question that fails says
/// nothing of the job, so it is asked again. A wait that ends early leaves the job as it is.
public struct BulkPatience: Sendable, Hashable {
    /// How long the first interval is; each further one is half as long again.
    public var firstInterval: Duration
    /// The longest interval.
    public var longestInterval: Duration
    /// How long a job is waited for; then the wait ends with ``BulkError/Code/timedOut``.
    public var limit: Duration

    /// Makes patience: from one second to thirty, for a day.
    public init(
        firstInterval: Duration = .seconds(1), longestInterval: Duration = .seconds(30),
        limit: Duration = .seconds(86_400)
    ) {
        (self.firstInterval, self.longestInterval, self.limit) = (firstInterval, longestInterval, limit)
    }

    /// The interval after one of this length.
    func interval(after interval: Duration?) -> Duration {
        let shortest = max(firstInterval, .milliseconds(1))
        return min(interval.map { $0 * 1.5 } ?? shortest, max(longestInterval, shortest))
    }
}

/// Waits for jobs.
struct JobWatch: Sendable {
    let calls: JobCalls
    let patience: BulkPatience
    /// Draws evenly from 0..<1.
    var draw: @Sendable () -> Double = { .random(in: 0..<1) }

    private var clock: any MonotonicClock { calls.client.clock }

    /// Waits until a job has ended.
    ///
    /// - Parameters:
    ///   - id: the job's id.
    ///   - report: is told how the job stands each time it is known.
    /// - Returns: how the job ended.
    /// - Throws: ``BulkError/Code/timedOut``, ``BulkError/Code/jobGone``, and failures that do not pass.
    func end(of id: String, report: (BulkJob) -> Void = { _ in }) async throws(BulkError) -> BulkJob {
        let end = clock.now + patience.limit
        var interval: Duration?
        while true {
            var asked: Duration?
            do throws(RestError) {
                let job = try BulkJob.reading(await calls.look(id), calls.kind).get()
                report(job)
                if job.state.isFinal { return job }
            } catch {
                guard error.mayPass else { throw BulkError(error, job: id) }
                asked = error.retryAfter
            }
            let next = patience.interval(after: interval)
            interval = next
            let jittered = next * (0.8 + 0.4 * draw())
            try await sleep(max(jittered, asked ?? .zero), until: end, id)
        }
    }

    private func sleep(
        _ duration: Duration, until end: ContinuousClock.Instant, _ id: String
    ) async throws(BulkError) {
        let now = clock.now
        guard now < end else {
            throw BulkError(.timedOut, "the job did not finish in time; it is still running", job: id)
        }
        do {
            try await clock.sleep(until: min(now + duration, end), tolerance: nil)
        } catch {
            throw BulkError(.cancelled, "cancelled while waiting for the job; it is still running", job: id)
        }
    }
}

/// The requests about jobs of a kind.
struct JobCalls: Sendable {
    /// The most pages of a list of jobs that are read; each has a thousand.
    private static let mostPages = 1_000

    let client: RestClient
    let kind: BulkJob.Kind

    func create(_ body: JSONObject) async throws(RestError) -> JSONValue {
        var request = request("bulkCreate", .post, [])
        request.body = .bytes(JSONValue(body).bytes())
        request.fields = ["Content-Type": "application/json"]
        return try await value(request)
    }

    func job(_ id: String) async throws(BulkError) -> BulkJob {
        do throws(RestError) { return try BulkJob.reading(await look(id), kind).get() } catch {
            throw BulkError(error, job: id)
        }
    }

    /// The description of a job.
    func look(_ id: String) async throws(RestError) -> JSONValue { try await value(request("bulkJob", .get, [id])) }

    /// Moves a job on; a second time it is refused, and changes nothing.
    func set(_ state: String, of id: String) async throws(BulkError) -> BulkJob {
        do throws(RestError) { return try BulkJob.reading(await change(id, to: state), kind).get() } catch {
            throw BulkError(error, job: id)
        }
    }

    func change(_ id: String, to state: String) async throws(RestError) -> JSONValue {
        var request = request("bulkState", .patch, [id])
        request.body = .bytes(JSONValue(["state": JSONValue(state)] as JSONObject).bytes())
        request.fields = ["Content-Type": "application/json"]
        request.effect = .writes(idempotent: true)
        return try await value(request)
    }

    func delete(_ id: String) async throws(BulkError) {
        do throws(RestError) { _ = try await client.send(request("bulkDelete", .delete, [id])) } catch {
            throw BulkError(error, job: id)
        }
    }

    /// All jobs of the kind.
    func all() async throws(BulkError) -> [BulkJob] {
        var jobs: [BulkJob] = []
        var next: RestRequest? = request("bulkJobs", .get, [])
        if kind == .ingest { next?.query = [RestRequest.QueryItem("jobType", "V2Ingest")] }
        for _ in 0..<Self.mostPages {
            guard let page = next else { return jobs }
            do throws(RestError) {
                let answer = try await value(page)
                for record in answer["records"]?.array ?? [] { jobs.append(try BulkJob.reading(record, kind).get()) }
                let path = answer["done"]?.bool == false ? answer["nextRecordsUrl"]?.string : nil
                next = path.map { RestRequest(name: "bulkJobs", resource: .serverPath($0)) }
            } catch {
                throw BulkError(error, job: nil)
            }
        }
        throw BulkError(.answer, "the list of jobs does not end")
    }

    /// Waits after a number of failures in a row: 0.1 seconds, twice as long after each further one, or as long as the
    /// server says.
    ///
    /// - Throws: `CancellationError`.
    func pause(after error: RestError, _ failures: Int) async throws {
        let longest = Duration.milliseconds(100) * (1 << max(0, failures - 1))
        let pause = max(longest * Double.random(in: 0.5..<1), error.retryAfter ?? .zero)
        try await client.clock.sleep(until: client.clock.now + pause, tolerance: nil)
    }

    /// A request below a job, or below the list of them.
    func request(_ name: String, _ method: HTTPMethod, _ rest: [String]) -> RestRequest {
        let request = RestRequest(name: name, method: method, resource: .data(["jobs", kind.rawValue] + rest))
        guard let id = rest.first, !id.isRecordID else { return request }
        return request.refused("id", "must be the id of a job")
    }

    private func value(_ request: RestRequest) async throws(RestError) -> JSONValue {
        let payload = try await client.send(request).payload
        return payload.dictionary.map { JSONValue($0) } ?? .null
    }
}

extension BulkJob {
    /// Reads an answer; what is wrong with it is an error as of a request.
    static func reading(_ answer: JSONValue, _ kind: Kind) -> Result<BulkJob, RestError> {
        do throws(BulkError) { return .success(try BulkJob(answer, kind)) } catch {
            return .failure(RestError(.decoding, error.message, underlying: error))
        }
    }
}
