// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport

/// Cuts the parts of a load while its jobs run.
actor PartSource {
    private var cutter: any PartCutter

    init(_ cutter: sending any PartCutter) { self.cutter = cutter }

    func pass(_ parts: [LoadRecord.Part]) async throws(BulkError) {
        var cutter = self.cutter
        defer { self.cutter = cutter }
        for part in parts { try await cutter.pass(part) }
    }

    /// Cuts the next part; `nil` if there are no more rows.
    func next(_ number: Int, before: Int) async throws(BulkError) -> LoadRecord.Part? {
        var cutter = self.cutter
        defer { self.cutter = cutter }
        return try await cutter.next(number, before: before)
    }
}

struct LoadWork: Sendable {
    let run: WorkRun<LoadPlan>
    let parts: PartSource
    let calls: LoadCalls
    let folder: LoadFolder
    /// The path of the source file, if the rows come from a file.
    let source: String?

    func perform(_ step: LoadPlan.Step) async -> LoadPlan.Answer {
        do throws(BulkError) {
            switch step {
            case .pass(let known):
                try await parts.pass(known)
                return .passed
            case .cut(let number, let before): return .cut(try await parts.next(number, before: before))
            case .part(let part, let step, let failure):
                if let failure { try await wait(after: failure, at: step) }
                return .part(try await perform(step, part))
            }
        } catch {
            return .failed(error)
        }
    }

    private func wait(after failure: LoadPlan.Failure, at step: LoadPart.Step) async throws(BulkError) {
        // A job that is gone is not waited for: the next step is about another job, or there is none.
        guard failure.error.code != .notFound else { return }
        do { try await calls.jobs.pause(after: failure.error, failure.count) } catch {
            throw BulkError(.cancelled, "the load was cancelled", job: step.job)
        }
    }

    private func perform(_ step: LoadPart.Step, _ part: Int) async throws(BulkError) -> LoadCalls.Outcome {
        if case .wait(let job) = step {
            return try await calls.wait(for: job) { job in run.update { $0.note(job, of: part) } }
        }
        var rows: PartRows?
        if case .upload = step {
            rows = try PartRows(run.read { $0.state[part].cut }, of: calls.plan, source: source, folder)
        }
        return await calls.perform(step, rows) { [weak run] progress in
            run?.update { $0.note(progress.sent, of: part) }
        }
    }
}

struct LoadCalls: Sendable {
    /// The time limit of an upload; the platform ends it after ten minutes without a byte.
    private static let uploadTime = Duration.seconds(3_600)

    let client: RestClient
    let plan: LoadRecord.Plan
    let patience: BulkPatience

    var jobs: JobCalls { JobCalls(client: client, kind: .ingest) }

    /// The result of a step, and the error that led to it.
    struct Outcome: Sendable {
        let answer: LoadPart.Answer
        var failure: RestError?
    }

    /// Sends the request of a step, but does not wait for jobs.
    ///
    /// - Parameters:
    ///   - step: the step.
    ///   - rows: the rows of an upload.
    ///   - progress: receives the progress of an upload.
    /// - Returns: the result of the step.
    func perform(
        _ step: LoadPart.Step, _ rows: PartRows?, progress: @escaping TransferProgress.Handler
    ) async -> Outcome {
        do throws(RestError) {
            switch step {
            case .create:
                let job = try BulkJob.reading(await jobs.create(plan.job), .ingest).get()
                return Outcome(answer: .made(job: job.id))
            case .upload(let job):
                _ = try await client.send(upload(rows, to: job).reportingProgress(to: progress))
                return Outcome(answer: .uploaded)
            case .close(let job):
                _ = try await jobs.change(job, to: "UploadComplete")
                return Outcome(answer: .closed)
            case .look(let job), .wait(let job):
                return Outcome(answer: .state(try BulkJob.reading(await jobs.look(job), .ingest).get()))
            case .giveUp(let job):
                _ = try await jobs.change(job, to: "Aborted")
                return Outcome(answer: .givenUp)
            }
        } catch {
            return outcome(of: step, error)
        }
    }

    private func outcome(of step: LoadPart.Step, _ error: RestError) -> Outcome {
        switch step {
        case .create where error.outcome == .notApplied: Outcome(answer: .notDone, failure: error)
        // Even if an upload is rejected, the job may have rows.
        case .upload where error.outcome == .notApplied && error.mayPass: Outcome(answer: .notDone, failure: error)
        case .close where error.code == .notFound, .look where error.code == .notFound:
            Outcome(answer: .gone, failure: error)
        // A job that cannot be aborted stays open, and the org never processes it.
        case .giveUp: Outcome(answer: .givenUp, failure: error.code == .cancelled ? error : nil)
        default: Outcome(answer: .unclear, failure: error)
        }
    }

    /// The request that sends the rows of a part.
    ///
    /// A job accepts its rows once, so an upload with an unknown outcome is not retried automatically.
    private func upload(_ rows: PartRows?, to job: String) -> RestRequest {
        var request = jobs.request("bulkUpload", .put, [job, "batches"])
        request.body = rows?.body ?? .empty
        request.fields = ["Content-Type": "text/csv"]
        request.effect = .writes(idempotent: false)
        request.expectation = .anything
        request.timeout = Self.uploadTime
        return request
    }

    func wait(for job: String, report: (BulkJob) -> Void) async throws(BulkError) -> Outcome {
        do throws(BulkError) {
            let watch = JobWatch(calls: jobs, patience: patience)
            return Outcome(answer: .state(try await watch.end(of: job, report: report)))
        } catch {
            guard error.code == .jobGone else { throw error }
            return Outcome(answer: .gone, failure: error.rest)
        }
    }
}
