// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

import StoneRuntime

extension Async.LaunchEmptyResult {
    /// The state of the job.
    func jobState() -> JobState<Void> {
        switch self {
        case .asyncJobID(let id): .running(id: id)
        case .complete: .finished(())
        }
    }
}

extension Async.LaunchResultBase {
    /// The state of the job.
    func jobState<Output>() -> JobState<Output> {
        switch self {
        case .asyncJobID(let id): .running(id: id)
        }
    }
}
