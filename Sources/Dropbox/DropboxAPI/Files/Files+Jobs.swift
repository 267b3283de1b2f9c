// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

import StoneRuntime

extension Files.CreateFolderBatchJobStatus {
    /// The state of the job.
    func jobState() -> JobState<Files.CreateFolderBatchResult> {
        switch self {
        case .inProgress: .running(id: nil)
        case .complete(let value): .finished(value)
        case .failed(let value): .failed(value)
        case .other(let tag): .unknown(tag)
        }
    }
}

extension Files.CreateFolderBatchLaunch {
    /// The state of the job.
    func jobState() -> JobState<Files.CreateFolderBatchResult> {
        switch self {
        case .asyncJobID(let id): .running(id: id)
        case .complete(let value): .finished(value)
        case .other(let tag): .unknown(tag)
        }
    }
}

extension Files.DeleteBatchJobStatus {
    /// The state of the job.
    func jobState() -> JobState<Files.DeleteBatchResult> {
        switch self {
        case .inProgress: .running(id: nil)
        case .complete(let value): .finished(value)
        case .failed(let value): .failed(value)
        case .other(let tag): .unknown(tag)
        }
    }
}

extension Files.DeleteBatchLaunch {
    /// The state of the job.
    func jobState() -> JobState<Files.DeleteBatchResult> {
        switch self {
        case .asyncJobID(let id): .running(id: id)
        case .complete(let value): .finished(value)
        case .other(let tag): .unknown(tag)
        }
    }
}

extension Files.RelocationBatchJobStatus {
    /// The state of the job.
    func jobState() -> JobState<Files.RelocationBatchResult> {
        switch self {
        case .inProgress: .running(id: nil)
        case .complete(let value): .finished(value)
        case .failed(let value): .failed(value)
        }
    }
}

extension Files.RelocationBatchLaunch {
    /// The state of the job.
    func jobState() -> JobState<Files.RelocationBatchResult> {
        switch self {
        case .asyncJobID(let id): .running(id: id)
        case .complete(let value): .finished(value)
        case .other(let tag): .unknown(tag)
        }
    }
}

extension Files.RelocationBatchV2JobStatus {
    /// The state of the job.
    func jobState() -> JobState<Files.RelocationBatchV2Result> {
        switch self {
        case .inProgress: .running(id: nil)
        case .complete(let value): .finished(value)
        }
    }
}

extension Files.RelocationBatchV2Launch {
    /// The state of the job.
    func jobState() -> JobState<Files.RelocationBatchV2Result> {
        switch self {
        case .asyncJobID(let id): .running(id: id)
        case .complete(let value): .finished(value)
        }
    }
}

extension Files.SaveUrlJobStatus {
    /// The state of the job.
    func jobState() -> JobState<Files.FileMetadata> {
        switch self {
        case .inProgress: .running(id: nil)
        case .complete(let value): .finished(value)
        case .failed(let value): .failed(value)
        }
    }
}

extension Files.SaveUrlResult {
    /// The state of the job.
    func jobState() -> JobState<Files.FileMetadata> {
        switch self {
        case .asyncJobID(let id): .running(id: id)
        case .complete(let value): .finished(value)
        }
    }
}

extension Files.UploadSessionFinishBatchJobStatus {
    /// The state of the job.
    func jobState() -> JobState<Files.UploadSessionFinishBatchResult> {
        switch self {
        case .inProgress: .running(id: nil)
        case .complete(let value): .finished(value)
        }
    }
}

extension Files.UploadSessionFinishBatchLaunch {
    /// The state of the job.
    func jobState() -> JobState<Files.UploadSessionFinishBatchResult> {
        switch self {
        case .asyncJobID(let id): .running(id: id)
        case .complete(let value): .finished(value)
        case .other(let tag): .unknown(tag)
        }
    }
}
