// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// A job of the org, as the org describes it.
public struct BulkJob: Sendable, Hashable {
    /// The direction in which a job moves records.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Out of the org.
        case query
        /// Into the org.
        case ingest
    }

    /// The state of a job.
    ///
    /// The platform may add states.
    public struct State: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The platform's name of the state.
        public let rawValue: String

        /// Creates a state with the platform's name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The platform's name of the state.
        public var description: String { rawValue }

        /// The job waits until all its records were uploaded.
        public static let open = State(rawValue: "Open")
        /// The job is queued.
        public static let uploadComplete = State(rawValue: "UploadComplete")
        /// The job is running.
        public static let inProgress = State(rawValue: "InProgress")
        /// The job has processed all records, some of which may have failed.
        public static let jobComplete = State(rawValue: "JobComplete")
        /// The job failed, perhaps after it had written records.
        public static let failed = State(rawValue: "Failed")
        /// A user aborted the job, perhaps after it had written records.
        public static let aborted = State(rawValue: "Aborted")

        /// Whether the job has ended.
        public var isFinal: Bool { [.jobComplete, .failed, .aborted].contains(self) }
    }

    /// The job's id.
    public let id: String
    /// The direction in which the job moves records.
    public let kind: Kind
    /// The operation, such as `query` or `insert`.
    public let operation: String
    /// The name of the object.
    public let object: String
    /// The state of the job.
    public let state: State
    /// The time of creation, in the platform's format.
    public let created: String
    /// The id of the user who created the job.
    public let createdBy: String
    /// The API version of the job.
    public let version: APIVersion?
    /// The CSV format of the job's rows.
    public let dialect: CSVDialect
    /// The number of records that were processed.
    public let recordsProcessed: Int
    /// The number of processed records that failed.
    public let recordsFailed: Int
    /// The platform's error message, if there is one.
    public let errorMessage: String?
}

extension BulkJob {
    init(_ response: JSONValue, _ kind: Kind) throws(BulkError) {
        guard let id = response["id"]?.string, id.isRecordID, let state = response["state"]?.string else {
            throw BulkError(.response, "the server described a job without an id or a state")
        }
        func count(_ name: String) throws(BulkError) -> Int {
            guard let value = response[name], !value.isNull else { return 0 }
            guard let count = value.int.flatMap({ Int(outside: $0, in: .count) }) else {
                throw BulkError(.response, "the server returned an invalid number as \(name)", job: id)
            }
            return count
        }
        (self.id, self.kind, self.state) = (id, kind, State(rawValue: state))
        operation = response["operation"]?.string ?? ""
        object = response["object"]?.string ?? ""
        created = response["createdDate"]?.string ?? ""
        createdBy = response["createdById"]?.string ?? ""
        version = response["apiVersion"].flatMap { $0.string ?? $0.numberText }.flatMap { APIVersion($0) }
        let ending = response["lineEnding"]?.string.flatMap { CSVDialect.LineEnding(rawValue: $0) }
        let delimiter = CSVDialect.Delimiter.platformNames[response["columnDelimiter"]?.string ?? "COMMA"]
        guard let delimiter else { throw BulkError(.response, "the job has an unknown delimiter", job: id) }
        dialect = .platform(delimiter: delimiter, lineEnding: ending ?? .lf)
        recordsProcessed = try count("numberRecordsProcessed")
        recordsFailed = try count("numberRecordsFailed")
        errorMessage = response["errorMessage"]?.string
    }

    /// The error of a job that ended early, or `nil` for other jobs.
    static func failure(_ state: State, _ message: String?, job id: String?) -> BulkError? {
        switch state {
        case .failed: BulkError(.jobFailed, message ?? "the org failed the job without a reason", job: id)
        case .aborted: BulkError(.jobAborted, "the job was aborted", job: id)
        default: nil
        }
    }
}

extension CSVDialect.Delimiter {
    /// The name in a job's description, or `nil` for a delimiter that the platform does not support.
    var platformName: String? { Self.platformNames.first { $0.value == self }?.key }
}

/// The intervals and the time limit of waiting for a job.
///
/// The client asks for the job's status at growing intervals, and respects `Retry-After`. It retries a status request
/// that fails. A wait that ends early does not change the job.
public struct BulkPatience: Sendable, Hashable {
    /// The first interval, from which each further one is 1.5 times as long.
    public var firstInterval: Duration
    /// The maximum interval.
    public var longestInterval: Duration
    /// The maximum time to wait for a job, after which the wait throws ``BulkError/Code/timedOut``.
    public var limit: Duration

    /// Creates a value, by default with intervals from 1 to 30 seconds and a time limit of one day.
    public init(
        firstInterval: Duration = .seconds(1), longestInterval: Duration = .seconds(30),
        limit: Duration = .seconds(86_400)
    ) {
        (self.firstInterval, self.longestInterval, self.limit) = (firstInterval, longestInterval, limit)
    }

    /// Returns the interval after this interval, or the first interval for `nil`.
    func interval(after interval: Duration?) -> Duration {
        let shortest = max(firstInterval, .milliseconds(1))
        return min(interval.map { $0 * 1.5 } ?? shortest, max(longestInterval, shortest))
    }
}

struct JobWatch: Sendable {
    let calls: JobCalls
    let patience: BulkPatience
    /// Draws a random number from 0..<1.
    var draw: @Sendable () -> Double = { .random(in: 0..<1) }

    private var clock: any MonotonicClock { calls.client.clock }

    /// Waits until a job has ended, and calls `report` with each status that the org returns.
    ///
    /// - Throws: ``BulkError/Code/timedOut``, ``BulkError/Code/jobGone``, and errors that are not temporary.
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

struct JobCalls: Sendable {
    /// The maximum number of pages of a list of jobs, each of which has 1,000 jobs.
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

    func look(_ id: String) async throws(RestError) -> JSONValue { try await value(request("bulkJob", .get, [id])) }

    /// Changes the state of a job, or throws without effect if it was changed before.
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

    func all() async throws(BulkError) -> [BulkJob] {
        var jobs: [BulkJob] = []
        var next: RestRequest? = request("bulkJobs", .get, [])
        if kind == .ingest { next?.query = [RestRequest.QueryItem("jobType", "V2Ingest")] }
        for _ in 0..<Self.mostPages {
            guard let page = next else { return jobs }
            do throws(RestError) {
                let response = try await value(page)
                for record in response["records"]?.array ?? [] { jobs.append(try BulkJob.reading(record, kind).get()) }
                let path = response["done"]?.bool == false ? response["nextRecordsUrl"]?.string : nil
                next = path.map { RestRequest(name: "bulkJobs", resource: .serverPath($0)) }
            } catch {
                throw BulkError(error, job: nil)
            }
        }
        throw BulkError(.response, "the list of jobs has too many pages")
    }

    /// Waits after a number of errors in a row.
    ///
    /// The wait is at most 0.1 seconds after the first error, and doubles with each further error. `Retry-After` can
    /// make it longer.
    ///
    /// - Throws: `CancellationError`.
    func pause(after error: RestError, _ failures: Int) async throws {
        let longest = Duration.milliseconds(100) * (1 << max(0, failures - 1))
        let pause = max(longest * Double.random(in: 0.5..<1), error.retryAfter ?? .zero)
        try await client.clock.sleep(until: client.clock.now + pause, tolerance: nil)
    }

    /// A request for a path below a job, or below the list of jobs.
    func request(_ name: String, _ method: HTTPMethod, _ rest: [String]) -> RestRequest {
        var request = RestRequest(name: name, method: method, resource: .data(["jobs", kind.rawValue] + rest))
        let first = Bulk.Estimate.firstVersion(of: kind)
        if client.apiVersion < first {
            request = request.refused("apiVersion", "must be at least \(first.number).0 for \(kind.rawValue) jobs")
        }
        guard let id = rest.first, !id.isRecordID else { return request }
        return request.refused("id", "must be the id of a job")
    }

    private func value(_ request: RestRequest) async throws(RestError) -> JSONValue {
        let payload = try await client.send(request).payload
        return payload.dictionary.map { JSONValue($0) } ?? .null
    }
}

extension BulkJob {
    /// Reads a response, and converts an error to the error of a request.
    static func reading(_ response: JSONValue, _ kind: Kind) -> Result<BulkJob, RestError> {
        do throws(BulkError) { return .success(try BulkJob(response, kind)) } catch {
            return .failure(RestError(.decoding, error.message, underlying: error))
        }
    }
}
