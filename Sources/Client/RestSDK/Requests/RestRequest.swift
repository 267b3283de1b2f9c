// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// One call of the REST API as an immutable value, without the server and the account.
///
/// Make a request with a factory (`.query(…)`, `.create(…)`), and modify a copy for special needs. If an argument is
/// invalid, the call fails with ``RestError/Code/invalidRequest`` before anything is sent.
public struct RestRequest: Sendable, Hashable {
    /// The path of a resource on the instance.
    public enum Resource: Sendable, Hashable {
        /// Path segments below `/services/data/vXX.X`, not yet percent-encoded.
        case data([String])
        /// A path from a response of the server, such as `nextRecordsUrl` or `attributes.url`, percent-encoded and with
        /// its query.
        ///
        /// An absolute URL is accepted if it has the server's own scheme, host and port.
        case serverPath(String)
    }

    /// A name and a value in the query of the URL, not yet percent-encoded.
    public struct QueryItem: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Makes a query item.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The allowed content of the response, and the servers that may send it.
    public enum Expectation: Sendable, Hashable {
        /// JSON or an empty body (204), from the server that the request was sent to.
        ///
        /// A redirect to another origin fails with ``RestError/Code/redirected``, except for a download.
        case json
        /// Any content, such as a file, which is returned unchanged.
        ///
        /// A redirect to another origin is followed without credentials, by the rules of `RedirectPolicy`.
        case anything
    }

    /// Salesforce's maximum size of a request body in memory, in bytes.
    ///
    /// Files can be larger. Another service can have another limit: ``RestRequest/Service/Address/maximumBodySize``.
    public static let maximumBodySize = 52_428_800

    /// The kind of call, a fixed label such as `query` or `create`.
    public let name: String
    /// The HTTP method.
    public var method: HTTPMethod
    /// The path of the resource.
    public var resource: Resource
    /// The query items of the URL, in order.
    public var query: [QueryItem]
    /// The service of the account that the request is sent to.
    public var service: RestRequest.Service
    /// Additional headers, which replace the client's headers of the same name.
    ///
    /// A repeated name is sent several times. An `Authorization` header replaces the account's token. If the server
    /// rejects it, no token is renewed.
    public var fields: HTTPFields
    /// Salesforce's call options, sent as headers, which replace the client's options.
    public var options = RestRequest.CallOptions()
    /// The trace that the call belongs to, or `nil` for none or a new one from the client.
    public var trace: RestRequest.TraceContext?
    /// The request body.
    public var body: HTTPBody
    /// The timeout of the whole call, or `nil` for the client's timeout.
    public var timeout: Duration?
    /// The timeout of a streamed response body, measured from sending the request.
    ///
    /// It applies if it is longer than the timeout of the response head. If `nil`, ``timeout`` limits both.
    public var streamTimeout: Duration?
    /// Whether the request carries the account's token.
    public var isAuthorized: Bool
    /// The allowed content of the response.
    public var expectation: Expectation
    /// The policy for retries, or `nil` for the client's policy.
    public var retryPolicy: RetryPolicy?
    /// Whether the call bypasses the client's own limits, queue and circuit breaker.
    public var ignoresLimits = false
    /// Whether the response is a list of Bayeux messages, in which a server with status 200 can reject the session.
    package var readsMessages = false
    package var problem: InvalidArgument?
    var progressObserver: ValueObserver<TransferProgress>?
    /// The subrequests that the body is made from.
    var parts: RequestParts?
    /// The effect, if it differs from the effect of the method.
    var chosenEffect: Effect?

    /// Makes a request for any resource.
    public init(
        name: String = "custom", method: HTTPMethod = .get, resource: Resource, query: [QueryItem] = [],
        service: RestRequest.Service = .instance, fields: HTTPFields = [:], body: HTTPBody = .empty,
        timeout: Duration? = nil, isAuthorized: Bool = true,
        expectation: Expectation = .json, effect: Effect? = nil
    ) {
        self.name = name
        self.method = method
        self.resource = resource
        self.query = query
        self.service = service
        self.fields = fields
        self.body = body
        self.timeout = timeout
        self.isAuthorized = isAuthorized
        self.expectation = expectation
        chosenEffect = effect
    }
}

/// An invalid argument, found when the request is made and reported when it is sent.
package struct InvalidArgument: Error, Hashable {
    package let argument: String
    package let reason: String

    init(_ argument: String, _ reason: String) { (self.argument, self.reason) = (argument, reason) }
}

extension RestRequest {
    /// Salesforce's call options, for all calls of a client or for one request.
    ///
    /// The client's options are in ``RestClient/Configuration/options``, those of a request in ``RestRequest/options``.
    /// Each option of a request replaces the client's. A header in ``RestRequest/fields`` replaces both.
    public struct CallOptions: Sendable, Hashable {
        /// The assignment rule for new leads and cases.
        public enum AutoAssign: Sendable, Hashable {
            /// The active rule, which is Salesforce's default.
            case active
            /// No rule.
            case off
            /// The rule with this id.
            case rule(String)
        }

        /// The handling of possible duplicates of a record.
        public struct DuplicateRule: Sendable, Hashable {
            /// Whether the record is saved even though a duplicate rule reports it.
            public var allowsSave: Bool
            /// Whether the response includes the matching records, and not only their ids.
            public var includesRecordDetails: Bool?
            /// Whether the rules run with the permissions of the user.
            public var runsAsCurrentUser: Bool?

            /// Makes duplicate rule options.
            public init(allowsSave: Bool, includesRecordDetails: Bool? = nil, runsAsCurrentUser: Bool? = nil) {
                self.allowsSave = allowsSave
                self.includesRecordDetails = includesRecordDetails
                self.runsAsCurrentUser = runsAsCurrentUser
            }
        }

        /// The name of the app in the org's logs, and the default namespace.
        public var clientName: String?, defaultNamespace: String?
        /// The assignment rule for new leads and cases.
        public var autoAssign: AutoAssign?
        /// The handling of possible duplicates of a record.
        public var duplicateRule: DuplicateRule?
        /// Whether records that are read are added to the user's recently viewed records.
        public var updatesRecentlyUsed: Bool?
        /// The number of records per page of a query, a hint within ``RestRequest/batchSizes``.
        public var batchSize: Int?
        /// Whether the org does not retry a failed batch of a job.
        public var disablesBatchRetry: Bool?
        /// The expected versions of packages, by namespace: `["ns": "1.0"]`.
        public var packageVersions: [String: String] = [:]

        /// Makes empty options.
        public init() {}

        /// Makes options with the name of the app.
        public init(clientName: String) { self.clientName = clientName }
    }
}

extension RestRequest.CallOptions {
    /// Returns a copy in which the options that `other` sets replace these options.
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

    var problem: InvalidArgument? {
        let texts = [("clientName", clientName), ("defaultNamespace", defaultNamespace)]
        for case (let name, let text?) in texts where !text.isOptionValue {
            return InvalidArgument(
                "options.\(name)", "must be printable ASCII without comma, semicolon and equals sign")
        }
        if case .rule(let id) = autoAssign, !id.isRecordID {
            return InvalidArgument("options.autoAssign", "must be a record id of 15 or 18 letters and digits")
        }
        if let problem = batchSize.flatMap(RestRequest.problem(ofBatchSize:)) {
            return InvalidArgument("options.batchSize", problem)
        }
        for (namespace, version) in packageVersions where !namespace.isPartName || !version.isVersion {
            return InvalidArgument(
                "options.packageVersions",
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
    fileprivate var isOptionValue: Bool {
        !isEmpty && utf8.allSatisfy { (0x20...0x7E).contains($0) && !",;=".utf8.contains($0) }
    }

    /// Whether the string is a version such as `1.0` or `12.34`.
    fileprivate var isVersion: Bool {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}

/// A closure in a request that observes the call, equal only to itself.
final class ValueObserver<Value>: Sendable, Hashable {
    let see: @Sendable (_ value: Value) -> Void

    init(_ see: @escaping @Sendable (_ value: Value) -> Void) { self.see = see }

    static func == (left: ValueObserver, right: ValueObserver) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
