// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Sends the requests of a load, and says what each came to.
struct LoadCalls: Sendable {
    /// How long an upload may take; the platform ends it after ten minutes without a byte.
    private static let uploadTime = Duration.seconds(3_600)

    let client: RestClient
    let plan: LoadRecord.Plan
    let patience: BulkPatience

    var jobs: JobCalls { JobCalls(client: client, kind: .ingest) }

    /// What a request came to: an answer, and the failure behind it.
    struct Outcome: Sendable {
        let answer: LoadPart.Answer
        var failure: RestError?

        init(_ answer: LoadPart.Answer, _ failure: RestError? = nil) { (self.answer, self.failure) = (answer, failure) }
    }

    func create() async -> Outcome {
        do throws(RestError) {
            let job = try BulkJob.reading(await jobs.create(plan.job), .ingest).get()
            return Outcome(.made(job: job.id))
        } catch {
            return Outcome(error.outcome == .notApplied ? .notDone : .unclear, error)
        }
    }

    /// Sends the rows of a part.
    ///
    /// A job may get its rows once, so this is not sent again by itself when nobody knows what became of it.
    func upload(_ rows: PartRows, to job: String, progress: @escaping TransferProgress.Handler) async -> Outcome {
        var request = jobs.request("bulkUpload", .put, [job, "batches"]).reportingProgress(to: progress)
        request.body = rows.body
        request.fields = ["Content-Type": "text/csv"]
        request.effect = .writes(idempotent: false)
        request.expectation = .anything
        request.timeout = Self.uploadTime
        do throws(RestError) {
            _ = try await client.send(request)
            return Outcome(.uploaded)
        } catch {
            // A job that is refused may have rows all the same.
            return Outcome(error.outcome == .notApplied && error.mayPass ? .notDone : .unclear, error)
        }
    }

    func close(_ job: String) async -> Outcome {
        do throws(RestError) {
            _ = try await jobs.change(job, to: "UploadComplete")
            return Outcome(.closed)
        } catch {
            return Outcome(error.code == .notFound ? .gone : .unclear, error)
        }
    }

    func look(_ job: String) async -> Outcome {
        do throws(RestError) {
            return Outcome(.state(try BulkJob.reading(await jobs.look(job), .ingest).get()))
        } catch {
            return Outcome(error.code == .notFound ? .gone : .unclear, error)
        }
    }

    /// Gives a job up that has not been closed; where that fails it stays open, and is never worked on.
    func giveUp(_ job: String) async -> Outcome {
        do throws(RestError) { _ = try await jobs.change(job, to: "Aborted") } catch {
            return Outcome(.givenUp, error.code == .cancelled ? error : nil)
        }
        return Outcome(.givenUp)
    }

    func wait(for job: String, report: (BulkJob) -> Void) async throws(BulkError) -> Outcome {
        do throws(BulkError) {
            return Outcome(.state(try await JobWatch(calls: jobs, patience: patience).end(of: job, report: report)))
        } catch {
            guard error.code == .jobGone else { throw error }
            return Outcome(.gone, error.rest)
        }
    }
}
