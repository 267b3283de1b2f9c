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

    /// Cuts the next part, or returns `nil` if there are no more rows.
    func next(_ number: Int, before: Int) async throws(BulkError) -> LoadRecord.Part? {
        var cutter = self.cutter
        defer { self.cutter = cutter }
        return try await cutter.next(number, before: before)
    }
}

/// Performs the steps of a load.
struct LoadCalls: Sendable {
    /// The time limit of an upload, which the platform also ends after ten minutes without a byte.
    private static let uploadTime = Duration.seconds(3_600)

    let load: BulkLoad
    let plan: LoadRecord.Plan
    let parts: PartSource
    let run: WorkRun<LoadPlan>

    /// The result of a step, and the error that led to it.
    struct Outcome: Sendable {
        let response: LoadPart.Response
        var failure: RestError?
    }

    func perform(_ step: LoadPlan.Step) async -> LoadPlan.Response {
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
        // After a job was lost, the next step needs no wait, because it is about another job.
        guard failure.error.code != .notFound else { return }
        do { try await load.calls.pause(after: failure.error, failure.count) } catch {
            throw BulkError(.cancelled, "the load was cancelled", job: step.job)
        }
    }

    private func perform(_ step: LoadPart.Step, _ part: Int) async throws(BulkError) -> Outcome {
        let jobs = load.calls
        if case .wait(let job) = step { return try await wait(for: job, part) }
        let upload = if case .upload(let job) = step { try upload(part, to: job) } else { RestRequest?.none }
        do throws(RestError) {
            switch step {
            case .create:
                let job = try BulkJob.reading(await jobs.create(plan.job), .ingest).get()
                return Outcome(response: .made(job: job.id))
            case .upload:
                if let upload { _ = try await load.client.send(upload) }
                return Outcome(response: .uploaded)
            case .close(let job):
                _ = try await jobs.change(job, to: "UploadComplete")
                return Outcome(response: .closed)
            case .look(let job), .wait(let job):
                return Outcome(response: .state(try BulkJob.reading(await jobs.look(job), .ingest).get()))
            case .giveUp(let job):
                _ = try await jobs.change(job, to: "Aborted")
                return Outcome(response: .givenUp)
            }
        } catch {
            return outcome(of: step, error)
        }
    }

    private func wait(for job: String, _ part: Int) async throws(BulkError) -> Outcome {
        do throws(BulkError) {
            let watch = JobWatch(calls: load.calls, patience: load.options.patience)
            let ended = try await watch.end(of: job) { job in run.update { $0.note(job, of: part) } }
            return Outcome(response: .state(ended))
        } catch {
            guard error.code == .jobGone else { throw error }
            return Outcome(response: .gone, failure: error.rest)
        }
    }

    private func outcome(of step: LoadPart.Step, _ error: RestError) -> Outcome {
        switch step {
        case .create where error.outcome == .notApplied: Outcome(response: .notDone, failure: error)
        // Even if an upload is rejected, the job may have rows.
        case .upload where error.outcome == .notApplied && error.mayPass: Outcome(response: .notDone, failure: error)
        case .close where error.code == .notFound, .look where error.code == .notFound:
            Outcome(response: .gone, failure: error)
        // A job that cannot be aborted stays open, and the org never processes it.
        case .giveUp: Outcome(response: .givenUp, failure: error.code == .cancelled ? error : nil)
        default: Outcome(response: .unclear, failure: error)
        }
    }

    /// The request that sends the rows of a part.
    ///
    /// A job accepts its rows once, so an upload with an unknown outcome is not retried automatically.
    private func upload(_ part: Int, to job: String) throws(BulkError) -> RestRequest {
        let rows = try PartRows(run.read { $0.state[part].cut }, of: plan, source: load.sourcePath, load.folder)
        var request = load.calls.request("bulkUpload", .put, [job, "batches"])
        request.body = rows.body
        request.fields = ["Content-Type": "text/csv"]
        request.effect = .writes(idempotent: false)
        request.expectation = .anything
        request.timeout = Self.uploadTime
        return request.reportingProgress { [weak run] progress in run?.update { $0.note(progress.sent, of: part) } }
    }
}
