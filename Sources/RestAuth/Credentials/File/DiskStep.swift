// SPDX-License-Identifier: Apache-2.0

/// The steps of writing a record durably, in order, so that a test can break each of them.
enum DiskStep: Sendable, Hashable, CaseIterable {
    case create, write, sync, keepPrevious, replace, syncDirectory
}

/// The system error that a step shall fail with, or `nil` to let it happen.
typealias DiskFault = @Sendable (DiskStep) -> Int32?
