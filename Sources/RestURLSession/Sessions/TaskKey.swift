// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What tells a task from all others: sessions number their tasks by themselves.
struct TaskKey: Hashable {
    private let session: ObjectIdentifier
    private let task: Int

    init(_ session: URLSession, _ task: URLSessionTask) {
        self.session = ObjectIdentifier(session)
        self.task = task.taskIdentifier
    }
}
