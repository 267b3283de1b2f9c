// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension RestRequest {
    /// What the platform takes in header fields of its own, as one value: for all calls of a client
    /// (``RestClient/Configuration/options``), and for single ones (``RestRequest/options``).
    ///
    /// A part that a call sets wins over the client's; a header field that a call sets by ``RestRequest/fields`` wins
    /// over both.
    public struct CallOptions: Sendable, Hashable {
        /// By which rule new leads and cases are assigned.
        public enum AutoAssign: Sendable, Hashable {
            /// By the active rule, as the platform does where nothing is said.
            case active
            /// By none.
            case off
            /// By the rule of this id.
            case rule(String)
        }

        /// What happens to a record that may be there already.
        public struct DuplicateRule: Sendable, Hashable {
            /// Whether it is saved although a rule warns of it.
            public var allowsSave: Bool
            /// Whether the answer has the records that it resembles, and not their ids alone.
            public var includesRecordDetails: Bool?
            /// Whether the rules are applied with the rights of the user.
            public var runsAsCurrentUser: Bool?

            /// Makes a rule.
            public init(allowsSave: Bool, includesRecordDetails: Bool? = nil, runsAsCurrentUser: Bool? = nil) {
                self.allowsSave = allowsSave
                self.includesRecordDetails = includesRecordDetails
                self.runsAsCurrentUser = runsAsCurrentUser
            }
        }

        /// The name of the app in the org's logs, and its namespace.
        public var clientName: String?, defaultNamespace: String?
        /// By which rule new leads and cases are assigned.
        public var autoAssign: AutoAssign?
        /// What happens to a record that may be there already.
        public var duplicateRule: DuplicateRule?
        /// Whether records that are read count as ones that the user looked at last.
        public var updatesRecentlyUsed: Bool?
        /// Records per page of a query, a hint within ``RestRequest/batchSizes``.
        public var batchSize: Int?
        /// Whether a job's batch that failed is not tried again by the org.
        public var disablesBatchRetry: Bool?
        /// The versions of packages whose code the calls expect, by their namespaces: `["ns": "1.0"]`.
        public var packageVersions: [String: String] = [:]

        /// Options without any.
        public init() {}

        /// Options with the name of the app.
        public init(clientName: String) {
            self.clientName = clientName
        }
    }
}

extension RestRequest.CallOptions {
    /// These options, with the parts that the others have in place of their own.
    func overridden(by other: RestRequest.CallOptions) -> RestRequest.CallOptions {
        guard self != RestRequest.CallOptions() else { return other }
        var options = self
        options.clientName = other.clientName ?? clientName
        options.defaultNamespace = other.defaultNamespace ?? defaultNamespace
        options.autoAssign = other.autoAssign ?? autoAssign
        options.duplicateRule = other.duplicateRule ?? duplicateRule
        options.updatesRecentlyUsed = other.updatesRecentlyUsed ?? updatesRecentlyUsed
        options.batchSize = other.batchSize ?? batchSize
        options.disablesBatchRetry = other.disablesBatchRetry ?? disablesBatchRetry
        options.packageVersions.merge(other.packageVersions) { $1 }
        return options
    }

    /// The header fields.
    var fields: HTTPFields {
        guard self != RestRequest.CallOptions() else { return [:] }
        var fields: HTTPFields = [:]
        let names = [("client", clientName), ("defaultNamespace", defaultNamespace)]
        let calls = names.compactMap { name, value in value.map { "\(name)=\($0)" } }
        if !calls.isEmpty { fields["Sforce-Call-Options"] = calls.joined(separator: ", ") }
        switch autoAssign {
        case nil: break
        case .active: fields["Sforce-Auto-Assign"] = "TRUE"
        case .off: fields["Sforce-Auto-Assign"] = "FALSE"
        case .rule(let id): fields["Sforce-Auto-Assign"] = id
        }
        fields["Sforce-Duplicate-Rule-Header"] = duplicateRule?.field
        fields["Sforce-Mru"] = updatesRecentlyUsed.map { "updateMru=\($0)" }
        fields["Sforce-Query-Options"] = batchSize.map { "batchSize=\($0)" }
        fields["Sforce-Disable-Batch-Retry"] = disablesBatchRetry.map { $0 ? "TRUE" : "FALSE" }
        for (namespace, version) in packageVersions.sorted(by: { $0.key < $1.key }) {
            fields["x-sfdc-packageversion-\(namespace)"] = version
        }
        return fields
    }

    /// The first option that cannot be sent.
    var problem: InvalidArgument? {
        let texts = [("clientName", clientName), ("defaultNamespace", defaultNamespace)]
        for case (let name, let text?) in texts where !text.isOptionValue {
            return InvalidArgument(
                argument: "options.\(name)", reason: "must be printable ASCII without comma, semicolon and equals sign")
        }
        if case .rule(let id) = autoAssign, !id.isRecordID {
            return InvalidArgument(
                argument: "options.autoAssign", reason: "must be a record id of 15 or 18 letters and digits")
        }
        if let batchSize, !RestRequest.batchSizes.contains(batchSize) {
            return InvalidArgument(
                argument: "options.batchSize",
                reason:
                    "\(batchSize) is outside \(RestRequest.batchSizes.lowerBound)–\(RestRequest.batchSizes.upperBound)")
        }
        for (namespace, version) in packageVersions where !namespace.isPartName || !version.isVersion {
            return InvalidArgument(
                argument: "options.packageVersions",
                reason:
                    "must be namespaces with versions such as 1.0, not '\(namespace.prefix(40)): \(version.prefix(40))'"
            )
        }
        return nil
    }
}

extension RestRequest.CallOptions.DuplicateRule {
    fileprivate var field: String {
        let parts: [(String, Bool?)] = [
            ("allowSave", allowsSave), ("includeRecordDetails", includesRecordDetails),
            ("runAsCurrentUser", runsAsCurrentUser),
        ]
        return parts.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: ", ")
    }
}

extension String {
    /// Whether the text can be the value of an option in a header line.
    fileprivate var isOptionValue: Bool {
        !isEmpty && utf8.allSatisfy { (0x20...0x7E).contains($0) && !",;=".utf8.contains($0) }
    }

    /// `1.0`, `12.34`.
    fileprivate var isVersion: Bool {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}

extension RestRequest {
    /// The same call with other options.
    public func options(_ options: RestRequest.CallOptions) -> RestRequest {
        var copy = self
        copy.options = options
        return copy
    }
}
