// SPDX-License-Identifier: Apache-2.0

/// What a query's meaning depends on beside its text and the schema.
package struct QueryOptions: Sendable {
    /// The present in milliseconds since 1970, for date formulas.
    package var now: Int64
    /// The number of the API version, for the paths in the response and for what a query may contain.
    package var version: Int
    /// Whether deleted rows count too (`queryAll`).
    package var includesDeleted: Bool
    /// The id of the user who asks, for USING SCOPE and for what the user has looked at.
    package var userID: String?
    /// How many children a record comes with; the rest of a longer list is read by pages.
    package var childPageSize: Int
    /// Ten unguessable characters that begin the locators of this query's lists of children.
    package var childLocator: String

    package init(
        now: Int64, version: Int, includesDeleted: Bool = false, userID: String? = nil,
        childPageSize: Int = .max, childLocator: String = ""
    ) {
        self.now = now
        self.version = version
        self.includesDeleted = includesDeleted
        self.userID = userID
        self.childPageSize = max(1, childPageSize)
        self.childLocator = childLocator
    }
}

extension QueryOptions {
    var apiVersion: APIVersion { APIVersion(number: version) }
}
