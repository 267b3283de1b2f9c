// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestBulk
import RestTesting
import RestTransport
import Synchronization
import Testing

/// The server's jobs in memory with injected errors, whose rows are applied when an ingest job is closed.
final class ModelPlatform: HTTPTransport {
    struct Job: Sendable {
        let id: String
        let body: JSONValue
        var state = "Open"
        var uploads: [[UInt8]] = []
        var processed = 0
        var failed = 0
        var polls = 0
    }

    struct State: Sendable {
        var jobs: [String: Job] = [:]
        var order: [String] = []
        var applied: [String] = []
        /// The requests so far, as `METHOD last-segment`.
        var requests: [String] = []
        /// The pages of every query: headers and text.
        var pages: [(fields: HTTPFields, text: String)] = []
        var total: Int?
    }

    /// The fate of a request that is not answered normally.
    enum Fault: Sendable {
        /// The request is lost.
        case lost
        /// The request is processed, and its response is lost.
        case responseLost
        /// The process dies before the request is sent.
        case diedBefore
        /// The request is processed, and the process dies before the response arrives.
        case diedAfter
        /// The request is not processed, and this is its response.
        case response(Int, String)
    }

    let state = Mutex(State())
    private let firstNumber: Int
    private let fault: @Sendable (Int, String) -> Fault?
    private let change: @Sendable (inout Job) -> Void

    /// Creates a server that calls `fault` for each request, with its number from 0 and its name.
    convenience init(
        firstNumber: Int = 1, fault: @escaping @Sendable (Int, String) -> Fault? = { _, _ in nil }
    ) {
        self.init(firstNumber: firstNumber, change: { _ in }, fault: fault)
    }

    /// Creates a server that calls `change` with a job before it returns the job's state.
    init(
        firstNumber: Int = 1, change: @escaping @Sendable (inout Job) -> Void,
        fault: @escaping @Sendable (Int, String) -> Fault? = { _, _ in nil }
    ) {
        (self.firstNumber, self.change, self.fault) = (firstNumber, change, fault)
    }

    func shutdown() async {}

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard !Task.isCancelled else { throw TransportError(.cancelled, "cancelled", mayHaveReachedServer: false) }
        let body = try await Self.bytes(of: request.body)
        let name = "\(request.method) \(request.url.path.split(separator: "/").dropFirst(3).joined(separator: "/"))"
        let number = state.withLock { state in
            state.requests.append(name)
            return state.requests.count - 1
        }
        switch fault(number, name) {
        case .lost: throw TransportError(.connectionLost, "lost", mayHaveReachedServer: true)
        case .responseLost:
            _ = response(request, body)
            throw TransportError(.connectionLost, "lost", mayHaveReachedServer: true)
        case .diedBefore: throw TransportError(.shutDown, "died", mayHaveReachedServer: false)
        case .diedAfter:
            _ = response(request, body)
            throw TransportError(.shutDown, "died", mayHaveReachedServer: true)
        case .response(let status, let text): return Self.response(status, text)
        case nil: return response(request, body)
        }
    }

    private static func bytes(of body: HTTPBody) async throws(TransportError) -> [UInt8] {
        var chunks: [UInt8] = []
        do {
            switch body {
            case .empty: break
            case .bytes(let bytes): chunks = bytes
            case .file(let file):
                let source = try FileSource(file)
                while let chunk = try source.next() { chunks += chunk }
            case .stream(let source):
                let next = try source.begin()
                while let chunk = try await next() { chunks += chunk }
            }
        } catch {
            throw (error as? TransportError) ?? .invalidRequest("\(error)")
        }
        return chunks
    }

    private static func response(_ status: Int, _ text: String, _ fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: status, fields: fields), body: Array(text.utf8))
    }

    /// Returns a page that arrives in chunks of five bytes.
    private static func streamed(_ text: String, _ fields: HTTPFields) -> HTTPResponse {
        let rest = Mutex(Array(text.utf8)[...])
        let stream = HTTPBody.Stream { () throws(TransportError) in
            rest.withLock { rest in
                defer { rest = rest.dropFirst(5) }
                return rest.isEmpty ? nil : Array(rest.prefix(5))
            }
        }
        return HTTPResponse(head: HTTPResponse.Head(status: 200, fields: fields), content: .stream(stream))
    }

    private static let gone = response(
        404, #"[{"errorCode":"NOT_FOUND","message":"The requested resource does not exist"}]"#)
    private static let refused = response(400, #"[{"errorCode":"INVALIDJOBSTATE","message":"not in this state"}]"#)

    private func response(_ request: HTTPRequest, _ body: [UInt8]) -> HTTPResponse {
        // services data v66.0 jobs KIND [ID [REST]]
        let path = request.url.path.split(separator: "/").map(String.init)
        let json = (try? JSONValue(parsing: body)) ?? .null
        return state.withLock { state in
            guard path.count > 5 else {
                if request.method == .get {
                    let jobs = state.order.compactMap { state.jobs[$0] }.map(Self.describe)
                    return Self.response(200, #"{"done":true,"records":["# + jobs.joined(separator: ",") + "]}")
                }
                let number = String(state.order.count + firstNumber)
                let id = "750" + String(repeating: "0", count: 12 - number.utf8.count) + number
                var job = Job(id: id, body: json)
                if path[4] == "query" { job.state = "JobComplete" }
                state.jobs[id] = job
                state.order.append(id)
                return Self.response(200, Self.describe(job))
            }
            guard var job = state.jobs[path[5]] else { return Self.gone }
            defer { if state.jobs[job.id] != nil { state.jobs[job.id] = job } }
            switch (request.method.rawValue, path.count > 6 ? path[6] : "") {
            case ("GET", ""):
                if path[4] == "query" {
                    job.processed = state.total ?? 0
                } else if job.state == "UploadComplete" {
                    job.state = "JobComplete"
                }
                job.polls += 1
                change(&job)
                return Self.response(200, Self.describe(job))
            case ("GET", "results"):
                let locator = request.url.query?.split(separator: "=").last.flatMap { Int($0) } ?? 0
                guard state.pages.indices.contains(locator) else {
                    return Self.response(
                        400, #"[{"errorCode":"INVALID_QUERY_LOCATOR","message":"invalid query locator"}]"#)
                }
                return Self.streamed(state.pages[locator].text, state.pages[locator].fields)
            case ("PUT", "batches"):
                guard job.state == "Open" else { return Self.refused }
                job.uploads.append(body)
                return Self.response(201, "")
            case ("PATCH", ""): return Self.change(&job, to: json["state"]?.string ?? "", &state.applied)
            default: return Self.gone
            }
        }
    }

    private static func change(_ job: inout Job, to wanted: String, _ applied: inout [String]) -> HTTPResponse {
        guard job.state == "Open" || wanted == "Aborted" && job.state != "JobComplete" else { return refused }
        guard wanted == "UploadComplete" else {
            job.state = "Aborted"
            return response(200, describe(job))
        }
        // The message is Salesforce's own.
        guard job.uploads.count == 1 else {
            return response(400, #"[{"errorCode":"CLIENTINPUTERROR","message":"Found multiple contents for job"}]"#)
        }
        let lines = String(decoding: job.uploads[0], as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
        applied += lines
        (job.state, job.processed) = ("UploadComplete", lines.count)
        return response(200, describe(job))
    }

    private static func describe(_ job: Job) -> String {
        let object = job.body["object"]?.string ?? "Account"
        let operation = job.body["operation"]?.string ?? ""
        return """
            {"id":"\(job.id)","state":"\(job.state)","object":"\(object)","operation":"\(operation)","apiVersion":66.0,\
            "createdById":"005000000000001","createdDate":"2026-01-01","numberRecordsProcessed":\(job.processed),\
            "numberRecordsFailed":\(job.failed),"lineEnding":"LF","columnDelimiter":"COMMA"}
            """
    }
}

/// Short intervals, because the embedded org is fast.
let quick = BulkPatience(firstInterval: .milliseconds(2), longestInterval: .milliseconds(50), limit: .seconds(60))

extension LocalOrg {
    func client(_ configuration: RestClient.Configuration = .init()) throws -> RestClient {
        try RestClient(
            loginURL: instanceURL, clientID: clientID, clientSecret: Secret(clientSecret), configuration: configuration)
    }
}

func withOrg(_ work: (LocalOrg, RestClient) async throws -> Void) async throws {
    let org = try await LocalOrg.start()
    do {
        try await work(org, try org.client())
    } catch {
        await org.stop()
        throw error
    }
    await org.stop()
}

/// Returns all elements of a sequence, and the error that ended it.
func all<Elements: AsyncSequence>(_ elements: Elements) async -> ([Elements.Element], (any Error)?) {
    var found: [Elements.Element] = []
    do {
        for try await element in elements { found.append(element) }
        return (found, nil)
    } catch {
        return (found, error)
    }
}

/// Returns the error of a bulk operation, and records an issue for an error of another type.
func failure<Result>(of work: () async throws -> Result) async -> BulkError? {
    do {
        _ = try await work()
        return nil
    } catch {
        let found = error as? BulkError
        if found == nil { Issue.record(error) }
        return found
    }
}

/// Returns a client whose requests go to a test's transport.
func client(of platform: some HTTPTransport, clock: any MonotonicClock = ManualClock(alarmsBeyond: .seconds(45))) throws
    -> RestClient
{
    var configuration = RestClient.Configuration(transport: platform, clock: clock)
    configuration.retryPolicy = .never
    return try RestClient(
        instanceURL: "https://example.my.salesforce.com", accessToken: "token", configuration: configuration)
}
