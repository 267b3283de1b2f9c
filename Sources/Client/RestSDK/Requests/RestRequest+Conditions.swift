// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestBase
public import RestJSON
public import RestTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Conditional requests (RFC 9110 §13).
///
/// If the condition of a read is not met, the server responds with 304: a success without content. A
/// ``RestRequest/Typed`` cannot read this response, so send the untyped request:
/// `.describe("Account").request.ifModifiedSince(date)`. If the condition of a write is not met, the server responds
/// with 412 (``RestError/Code/api``) and changes nothing. Salesforce supports dates for records and object
/// descriptions, and entity tags for accounts. Other resources may ignore conditions.
extension RestRequest {
    /// Returns a copy that reads the resource only if it was modified after the date.
    public func ifModifiedSince(_ date: Date) -> RestRequest { condition("If-Modified-Since", date) }

    /// Returns a copy that is performed only if the resource was not modified after the date, with a precision of a
    /// second.
    public func ifUnmodifiedSince(_ date: Date) -> RestRequest { condition("If-Unmodified-Since", date) }

    /// Returns a copy that is performed only if the resource has one of these entity tags, given as in `ETag`, with
    /// quotes.
    public func ifMatch(_ tags: String...) -> RestRequest { condition("If-Match", tags) }

    /// Returns a copy that reads the resource only if it has none of these entity tags.
    public func ifNoneMatch(_ tags: String...) -> RestRequest { condition("If-None-Match", tags) }

    /// The date is always in GMT and in English, regardless of the locale.
    private func condition(_ field: String, _ date: Date) -> RestRequest {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard let date = Int64(exactly: seconds).flatMap({ HTTPDate(secondsSince1970: $0).text }) else {
            return refused("date", "must be in the years 1 to 9999")
        }
        return self.field(field, date)
    }

    private func condition(_ field: String, _ tags: [String]) -> RestRequest {
        guard !tags.isEmpty, tags.allSatisfy({ ($0.removing(prefix: "W/") ?? $0[...]).isStrongEntityTag }) else {
            return refused("tags", "must be entity tags with their quotes, as the server returned them")
        }
        return self.field(field, tags.joined(separator: ", "))
    }
}

extension Endpoint where Self == RestRequest {
    /// Reads the API versions of the org, without a login, as an array in the payload.
    public static var versions: RestRequest {
        RestRequest(name: "versions", resource: .serverPath("/services/data"), isAuthorized: false)
    }

    /// Reads the resources of the API version, as a map from names to paths in the payload.
    public static var resources: RestRequest { RestRequest(name: "resources", resource: .data([])) }

    /// Reads basic information about an object, and the records of it that the user viewed recently.
    public static func object(_ type: String) -> RestRequest {
        RestRequest(name: "object", resource: .data(["sobjects", type])).requiring(type, "type")
    }

    /// Reads the layout of an object's form (User Interface API).
    ///
    /// The server chooses a value for each parameter that is `nil`.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - formFactor: `Large`, `Medium` or `Small`.
    ///   - layoutType: `Compact` or `Full`.
    ///   - mode: `Create`, `Edit` or `View`.
    ///   - recordTypeID: the id of a record type.
    /// - Returns: the request.
    public static func layout(
        _ type: String, formFactor: String? = nil, layoutType: String? = nil, mode: String? = nil,
        recordTypeID: String? = nil
    ) -> RestRequest {
        let items = [
            ("formFactor", formFactor), ("layoutType", layoutType), ("mode", mode), ("recordTypeId", recordTypeID),
        ]
        return RestRequest(
            name: "layout", resource: .data(["ui-api", "layout", type]),
            query: items.compactMap { name, value in value.map { RestRequest.QueryItem(name, $0) } }
        ).requiring(type, "type")
    }
}

extension Endpoint where Self == RestRequest {
    /// Reads the user of the account's token from the login server (OpenID Connect Core §5.3).
    public static var userInfo: RestRequest {
        RestRequest(name: "userInfo", resource: .serverPath("/services/oauth2/userinfo"), service: .login)
    }

    /// Creates a browser session from the account's session.
    ///
    /// `frontdoor_uri` in the payload is the page to open. The URL works once and for a short time. Everyone who has
    /// the URL is logged in as the user, so treat it as a password.
    ///
    /// - Parameter page: the path on the instance that the browser shows after the login, or an absolute URL.
    /// - Returns: the request.
    public static func singleAccess(to page: String) -> RestRequest {
        RestRequest(
            name: "singleAccess", method: .post, resource: .serverPath("/services/oauth2/singleaccess")
        ).form([RestRequest.QueryItem("redirect_uri", page)]).requiring(page, "page")
    }
}

extension RestRequest {
    /// Whether a call changes data on the server.
    ///
    /// This decides when the call can be retried, and whether its errors have an outcome.
    public enum Effect: Sendable, Hashable {
        /// Changes nothing, so the call can be sent any number of times, and its errors have no outcome.
        case reads
        /// Changes data.
        ///
        /// An idempotent call has the same effect if it is sent twice, so it is retried even if its outcome is unknown.
        /// Other calls are retried only if the server did not apply them. ``RestError/outcome`` reports the outcome.
        case writes(idempotent: Bool)

        /// Returns the effect of a method (RFC 9110 §9.2).
        ///
        /// GET, HEAD, OPTIONS and TRACE read. PUT and DELETE are idempotent writes. All other methods are writes that
        /// are not idempotent.
        public init(of method: HTTPMethod) {
            switch method.rawValue {
            case "GET", "HEAD", "OPTIONS", "TRACE": self = .reads
            default: self = .writes(idempotent: method.isIdempotent)
            }
        }
    }

    /// The effect of the call on the server, which the method determines by default.
    public var effect: Effect {
        get { chosenEffect ?? Effect(of: method) }
        set { chosenEffect = newValue }
    }

    /// Whether the call changes data on the server.
    package var isWrite: Bool { effect != .reads }

    /// Whether the call can be retried after an unknown outcome.
    package var isIdempotent: Bool { effect != .writes(idempotent: false) }
}

/// Single records by an external id, and the records of a relationship.
extension Endpoint where Self == RestRequest {
    /// Reads the record with an external id.
    ///
    /// If several records have the id, the call fails, and ``RestError/matchingRecords`` has their URLs.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field.
    ///   - value: the value of the external id.
    ///   - fields: the fields to read. If empty, all fields are read.
    /// - Returns: the request.
    public static func retrieve(
        _ type: String, externalID field: String, _ value: String, fields: [String] = []
    ) -> RestRequest {
        byExternalID("retrieveByExternalID", .get, type, field, value).reading(fields)
    }

    /// Updates fields of the record with an external id, and never creates a record.
    ///
    /// If there is no such record, the call fails with ``RestError/Code/notFound``. The external id identifies the
    /// record, so the call can be retried after a lost response.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field.
    ///   - value: the value of the external id, which must not be in `fields` as well.
    ///   - fields: the fields to set.
    /// - Returns: the request.
    public static func update(
        _ type: String, externalID field: String, _ value: String, _ fields: JSONObject
    ) -> RestRequest {
        byExternalID("updateByExternalID", .patch, type, field, value).json(JSONValue(fields))
            .effect(.writes(idempotent: true)).with { $0.query = [.init("updateOnly", "true")] }
    }

    /// Deletes the record with an external id, with an empty response.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field.
    ///   - value: the value of the external id.
    /// - Returns: the request.
    public static func delete(_ type: String, externalID field: String, _ value: String) -> RestRequest {
        byExternalID("deleteByExternalID", .delete, type, field, value)
    }

    /// Reads the parent record or the first page of children of a relationship.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the record's id.
    ///   - path: the relationships to follow, such as `["Owner"]` or `["Account", "Contacts"]`.
    ///   - fields: the fields to read. If empty, the server chooses.
    /// - Returns: the request.
    public static func related(
        _ type: String, id: String, _ path: [String], fields: [String] = []
    ) -> RestRequest {
        let request = RestRequest(name: "related", resource: .data(["sobjects", type, id] + path))
        return request.requiring(type, "type").requiringID(id).requiring(path.joined(), "path").reading(fields)
    }

    private static func byExternalID(
        _ name: String, _ method: HTTPMethod, _ type: String, _ field: String, _ value: String
    ) -> RestRequest {
        RestRequest(name: name, method: method, resource: .data(["sobjects", type, field, value]))
            .requiring(type, "type").requiring(field, "externalID").requiring(value, "value")
    }
}

extension RestRequest {
    /// Returns a copy that reads only these fields, or all fields if the array is empty.
    func reading(_ fields: [String]) -> RestRequest {
        guard !fields.isEmpty else { return self }
        return with { $0.query.append(QueryItem("fields", fields.joined(separator: ","))) }
    }
}

extension RestRequest {
    /// Makes a call from an HTTP request, with its URL, method, headers and body.
    ///
    /// The URL must belong to the account's instance. Otherwise the call fails before anything is sent. An
    /// `Authorization` header in the request replaces the account's token.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - name: the kind of call, a fixed label.
    public init(_ request: HTTPRequest, name: String = "custom") {
        self.init(
            name: name, method: request.method, resource: .serverPath(request.url.description),
            fields: request.fields, body: request.body)
    }
}

extension RestClient {
    /// Returns the HTTP request of a call, without the account's token, for logs, tests, or other HTTP clients.
    ///
    /// - Parameters:
    ///   - request: the call.
    ///   - instance: the server. If `nil`, the URL is relative.
    /// - Returns: the HTTP request.
    /// - Throws: ``RestError/Code/invalidRequest`` with the name of the invalid argument.
    public func httpRequest(for request: RestRequest, instance: Origin? = nil) throws(RestError) -> HTTPRequest {
        let built = try runner.builder.request(for: addressed(request))
        return try instance.map { (origin) throws(RestError) in try built.addressed(to: origin, of: request) } ?? built
    }

    /// Returns the HTTP request of a call with its server and the account's token, for other HTTP clients.
    ///
    /// If the token has expired, it is renewed first. Use this method for transfers in the background, for example. The
    /// request contains a secret, and is valid as long as the token. If the token is bound with DPoP, the request also
    /// has a proof, which servers accept only once and for some seconds.
    ///
    /// - Parameter request: the call.
    /// - Returns: the HTTP request.
    /// - Throws: ``RestError``, as when the call is sent.
    public func signedRequest(for request: RestRequest) async throws(RestError) -> HTTPRequest {
        let built = try runner.builder.request(for: addressed(request))
        let origin = runner.builder.services[request.service].origin
        guard request.isAuthorized, built.fields["Authorization"] == nil else {
            guard let origin = origin ?? runner.tokens.lastInstance else {
                throw .invalidRequest("service", "its URL is not known", isWrite: request.isWrite)
            }
            return try httpRequest(for: request, instance: origin)
        }
        let deadline = runner.clock.now + (request.timeout ?? runner.timeout).bounded
        let credential = try await credential(deadline: deadline, isWrite: request.isWrite).credential
        var signed = try httpRequest(for: request, instance: origin ?? credential.instance)
        signed.fields.append("Authorization", credential.authorization)
        guard let key = credential.dpopKey else { return signed }
        do throws(OAuthError) {
            signed.fields["DPoP"] = try key.proof(
                for: signed.method, signed.url, accessToken: credential.accessToken,
                nonce: runner.pipeline.nonces[signed.url.origin])
        } catch {
            throw RestError(error, isWrite: request.isWrite, isFirstLogin: false)
        }
        return signed
    }
}
