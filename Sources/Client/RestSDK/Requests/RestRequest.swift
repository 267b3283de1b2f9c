// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// One call of the REST API as an immutable value: what to ask, not where or as whom.
///
/// Make it with a factory (`.query(…)`, `.create(…)`) and change a copy where a call needs something special. An
/// argument that cannot be sent is reported by the call, as ``RestError/Code/invalidRequest``, before anything leaves
/// the process.
public struct RestRequest: Sendable, Hashable {
    /// Where the resource is, below the instance.
    public enum Resource: Sendable, Hashable {
        /// Path segments below `/services/data/vXX.X`, not yet percent-encoded.
        case data([String])
        /// A path (and query) on the server as the server itself gave it, percent-encoded: `nextRecordsUrl`,
        /// `attributes.url`.
        ///
        /// A whole URL is accepted if it has the server's own scheme, host and port.
        case serverPath(String)
    }

    /// A name and a value of the URL's query, not yet percent-encoded.
    public struct QueryItem: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Makes an item.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What the response must be, and which server may give it.
    public enum Expectation: Sendable, Hashable {
        /// JSON, or nothing at all (204), from the server that was asked.
        ///
        /// A redirect to another origin is the error ``RestError/Code/redirected``, except for a download.
        case json
        /// Anything, such as the content of a file. It is returned unchanged.
        ///
        /// A redirect to another origin is followed without credentials, by the rules of `RedirectPolicy`.
        case anything
    }

    /// The largest body of bytes that the platform accepts, in bytes; files may be larger.
    ///
    /// Another service may have another limit: ``RestRequest/Service/Address/maximumBodySize``.
    public static let maximumBodySize = 52_428_800

    /// The kind of call, a fixed label such as `query` or `create`.
    public let name: String
    /// The method.
    public var method: HTTPMethod
    /// Where the resource is.
    public var resource: Resource
    /// The URL's query, in order.
    public var query: [QueryItem]
    /// Which of the account's servers is asked.
    public var service: RestRequest.Service
    /// Header fields beside those the client sets; they win over the client's, and all lines of a repeated name are
    /// sent.
    ///
    /// An `Authorization` of yours is sent in place of the account's token. When the server refuses it, no token is
    /// renewed, for it would not be sent.
    public var fields: HTTPFields
    /// What the platform takes in header fields of its own; parts that are set win over the client's.
    public var options = RestRequest.CallOptions()
    /// The trace that the call is a step of; `nil` for none, or for one of its own where the client makes one.
    public var trace: RestRequest.TraceContext?
    /// The body.
    public var body: HTTPBody
    /// How long the whole call may take; `nil` takes the client's.
    public var timeout: Duration?
    /// How long the body of a streamed answer may take, from sending the request on, where that is longer than the call
    /// may take up to the answer's head; `nil` makes ``timeout`` the limit of both.
    public var streamTimeout: Duration?
    /// Whether the call carries the account's token.
    public var isAuthorized: Bool
    /// What the answer must be.
    public var expectation: Expectation
    /// How often the call is sent; `nil` takes the client's policy.
    public var retryPolicy: RetryPolicy?
    /// Whether the call is sent past the client's own limits, its line and its circuit breaker.
    public var ignoresLimits = false
    /// The first argument that cannot be sent.
    package var problem: InvalidArgument?
    /// Is told how far the bodies have come.
    var progressObserver: ValueObserver<TransferProgress>?
    /// The calls that the request consists of; its body is made of them.
    var parts: RequestParts?
    /// The effect, where it is another than the method's.
    var chosenEffect: Effect?

    /// Makes a call of any resource.
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

/// An argument that cannot be sent, found while the request was made and reported when it is sent.
package struct InvalidArgument: Error, Hashable {
    package let argument: String
    package let reason: String
}

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

/// A function in a request that is shown something of its call.
///
/// Two observers are equal when they are the same object.
final class ValueObserver<Value>: Sendable, Hashable {
    let see: @Sendable (_ value: Value) -> Void

    init(_ see: @escaping @Sendable (_ value: Value) -> Void) {
        self.see = see
    }

    static func == (left: ValueObserver, right: ValueObserver) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
