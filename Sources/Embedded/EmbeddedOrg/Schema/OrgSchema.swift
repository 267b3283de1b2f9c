// SPDX-License-Identifier: Apache-2.0

/// The objects of an org: the standard ones, and what a description adds to them.
public struct OrgSchema: Sendable {
    package let schema: Schema

    package init(_ schema: Schema) {
        self.schema = schema
    }
}
