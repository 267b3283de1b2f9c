// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

import StoneRuntime

extension Sharing.JobStatus {
    /// The state of the job.
    func jobState() -> JobState<Void> {
        switch self {
        case .inProgress: .running(id: nil)
        case .complete: .finished(())
        case .failed(let value): .failed(value)
        }
    }
}

extension Sharing.RemoveMemberJobStatus {
    /// The state of the job.
    func jobState() -> JobState<Sharing.MemberAccessLevelResult> {
        switch self {
        case .inProgress: .running(id: nil)
        case .complete(let value): .finished(value)
        case .failed(let value): .failed(value)
        }
    }
}

extension Sharing.ShareFolderJobStatus {
    /// The state of the job.
    func jobState() -> JobState<Sharing.SharedFolderMetadata> {
        switch self {
        case .inProgress: .running(id: nil)
        case .complete(let value): .finished(value)
        case .failed(let value): .failed(value)
        }
    }
}

extension Sharing.ShareFolderLaunch {
    /// The state of the job.
    func jobState() -> JobState<Sharing.SharedFolderMetadata> {
        switch self {
        case .asyncJobID(let id): .running(id: id)
        case .complete(let value): .finished(value)
        }
    }
}
