// SPDX-License-Identifier: Apache-2.0

import RestTransport

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
