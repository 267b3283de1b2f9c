// SPDX-License-Identifier: Apache-2.0

import RestAuth
public import RestJSON
public import RestTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Conditions of a call (RFC 9110 13).
///
/// A read whose condition is not met is answered with 304: a success without content. A ``RestRequest/Typed`` could not
/// read it, so a typed call is sent by its request: `.describe("Account").request.ifModifiedSince(date)`. A change is
/// refused with status 412: ``RestError/Code/api``, and nothing was changed. The platform looks at dates for records
/// and descriptions of objects, and at entity tags for accounts. Others may ignore conditions.
extension RestRequest {
    /// The same call, answered only if the resource was changed after the date.
    public func ifModifiedSince(_ date: Date) -> RestRequest { condition("If-Modified-Since", date) }

    /// The same call, done only if the resource was not changed after the date.
    ///
    /// The date counts to the second.
    public func ifUnmodifiedSince(_ date: Date) -> RestRequest { condition("If-Unmodified-Since", date) }

    /// The same call, done only if the resource has one of these entity tags, as `ETag` gave them, quotes included.
    public func ifMatch(_ tags: String...) -> RestRequest { condition("If-Match", tags) }

    /// The same call, answered only if the resource has none of these entity tags.
    public func ifNoneMatch(_ tags: String...) -> RestRequest { condition("If-None-Match", tags) }

    /// Always in GMT and English, whatever the machine speaks.
    private func condition(_ field: String, _ date: Date) -> RestRequest {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard let date = Int64(exactly: seconds).flatMap({ HTTPDate(secondsSince1970: $0).text }) else {
            return refused("date", "must be in the years 1 to 9999")
        }
        return self.field(field, date)
    }

    private func condition(_ field: String, _ tags: [String]) -> RestRequest {
        guard !tags.isEmpty, tags.allSatisfy(\.isEntityTag) else {
            return refused("tags", "must be entity tags with their quotes, as the server gave them")
        }
        return self.field(field, tags.joined(separator: ", "))
    }
}

extension String {
    /// `"opaque"` or `W/"opaque"` (RFC 9110 8.8.3).
    fileprivate var isEntityTag: Bool {
        let quoted = utf8.starts(with: "W/".utf8) ? utf8.dropFirst(2) : utf8[...]
        guard quoted.count >= 2, quoted.first == UInt8(ascii: "\""), quoted.last == UInt8(ascii: "\"") else {
            return false
        }
        return quoted.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
    }
}

extension Endpoint where Self == RestRequest {
    /// The API versions of the org; needs no login.
    ///
    /// The payload is an array.
    public static var versions: RestRequest {
        RestRequest(
            name: "versions", resource: .serverPath("/services/data"), isAuthorized: false)
    }

    /// The resources of the API version: the payload maps their names to paths.
    public static var resources: RestRequest { RestRequest(name: "resources", resource: .data([])) }

    /// What an object can do, and the records of it that the user looked at last.
    public static func object(_ type: String) -> RestRequest {
        RestRequest(name: "object", resource: .data(["sobjects", type])).requiring(type, "type")
    }

    /// How a form of an object is laid out (User Interface API).
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - formFactor: `Large`, `Medium` or `Small`; the server chooses for what is `nil`, here and below.
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
    /// Whose the account's token is (OpenID Connect Core 5.3), asked at the login server.
    public static var userInfo: RestRequest {
        RestRequest(
            name: "userInfo", resource: .serverPath("/services/oauth2/userinfo"), service: .login)
    }

    /// Turns the account's session into one of a browser; `frontdoor_uri` in the payload is the page to open, once and
    /// soon.
    ///
    /// Whoever has that address is logged in as the user: treat it as a password.
    ///
    /// - Parameter page: the path on the instance that the browser shows then, or the whole URL of a page.
    /// - Returns: the request.
    public static func singleAccess(to page: String) -> RestRequest {
        RestRequest(
            name: "singleAccess", method: .post, resource: .serverPath("/services/oauth2/singleaccess")
        ).form([RestRequest.QueryItem("redirect_uri", page)]).requiring(page, "page")
    }
}

extension RestRequest {
    /// What sending a call does to the server: the one thing that decides what its failures say of an outcome, and when
    /// it may be sent again.
    public enum Effect: Sendable, Hashable {
        /// Nothing is changed, so the call can be sent as often as anybody likes, and its failures have no outcome.
        case reads
        /// Something is changed.
        ///
        /// A call that is idempotent has the same effect sent twice as sent once, so it is sent again also when nobody
        /// knows what became of it; another one only when it provably was not applied. Its failures say in
        /// ``RestError/outcome`` what is known.
        case writes(idempotent: Bool)

        /// What a method promises (RFC 9110 9.2): GET, HEAD, OPTIONS and TRACE read; PUT and DELETE write, and may be
        /// repeated; every other one writes, and may not.
        public init(of method: HTTPMethod) {
            switch method.rawValue {
            case "GET", "HEAD", "OPTIONS", "TRACE": self = .reads
            default: self = .writes(idempotent: method.isIdempotent)
            }
        }
    }

    /// What sending the call does to the server; what its method promises, unless it was set.
    public var effect: Effect {
        get { chosenEffect ?? Effect(of: method) }
        set { chosenEffect = newValue }
    }

    /// Whether the call changes something on the server.
    package var isWrite: Bool { effect != .reads }

    /// Whether the call may be sent again after an unknown outcome.
    package var isIdempotent: Bool { effect != .writes(idempotent: false) }
}

/// Single records by an external id in place of their own, and those that a relationship leads to.
extension Endpoint where Self == RestRequest {
    /// Reads the record that has this external id.
    ///
    /// Where several records have it the call fails, and ``RestError/matchingRecords`` has their addresses.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field.
    ///   - value: its value.
    ///   - fields: the fields to read; all of them when empty.
    /// - Returns: the request.
    public static func retrieve(
        _ type: String, externalID field: String, _ value: String, fields: [String] = []
    ) -> RestRequest {
        byExternalID("retrieveByExternalID", .get, type, field, value).reading(fields)
    }

    /// Changes fields of the record that has this external id; where there is none, the call fails with
    /// ``RestError/Code/notFound`` and creates nothing.
    ///
    /// The external id names the record, so the call may be sent again after a lost answer.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field.
    ///   - value: its value; must not be among `fields` too.
    ///   - fields: the fields to set.
    /// - Returns: the request.
    public static func update(
        _ type: String, externalID field: String, _ value: String, _ fields: JSONObject
    ) -> RestRequest {
        var request = byExternalID("updateByExternalID", .patch, type, field, value)
        request.query = [RestRequest.QueryItem("updateOnly", "true")]
        request.body = .bytes(JSONValue(fields).bytes())
        request.fields = RestRequest.jsonContent
        request.effect = .writes(idempotent: true)
        return request
    }

    /// Deletes the record that has this external id; the answer is empty.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field.
    ///   - value: its value.
    /// - Returns: the request.
    public static func delete(_ type: String, externalID field: String, _ value: String) -> RestRequest {
        byExternalID("deleteByExternalID", .delete, type, field, value)
    }

    /// Reads what a relationship of a record leads to: a parent, or a first page of children.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the record's id.
    ///   - path: the relationships to follow, such as `["Owner"]`, `["Account", "Contacts"]`.
    ///   - fields: the fields to read; the server's choice when empty.
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
    /// The same call, reading these fields alone.
    func reading(_ fields: [String]) -> RestRequest {
        guard !fields.isEmpty else { return self }
        var copy = self
        copy.query.append(QueryItem("fields", fields.joined(separator: ",")))
        return copy
    }
}

extension RestRequest {
    /// A call made of a whole HTTP request: its address with the query, method, header fields and body.
    ///
    /// The address must be one of the account's instance; any other is refused when the call is sent, before anything
    /// leaves the process. An `Authorization` in the request is sent in place of the account's token.
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
    /// The HTTP request as which a call would be sent, without the account's token.
    ///
    /// For logs, for tests, and for whoever sends it by other means.
    ///
    /// - Parameters:
    ///   - request: the call.
    ///   - instance: the server; `nil` gives a relative URL.
    /// - Returns: the HTTP request.
    /// - Throws: ``RestError/Code/invalidRequest`` naming the argument that cannot be sent.
    public func httpRequest(for request: RestRequest, instance: Origin? = nil) throws(RestError) -> HTTPRequest {
        let built = try runner.builder.request(for: request)
        guard let instance else { return built }
        do throws(InvalidArgument) {
            return try built.addressed(to: instance)
        } catch {
            throw .invalidRequest(error.argument, error.reason, isWrite: request.isWrite)
        }
    }

    /// The HTTP request as which a call would be sent now, at its server and with the account's token, which is renewed
    /// first where it has ended.
    ///
    /// For whoever sends it by other means, such as in the background. It holds a secret, and is good as long as the
    /// token.
    ///
    /// - Parameter request: the call.
    /// - Returns: the HTTP request.
    /// - Throws: ``RestError``, as when the call is sent.
    public func signedRequest(for request: RestRequest) async throws(RestError) -> HTTPRequest {
        let built = try runner.builder.request(for: request)
        let origin = runner.builder.services[request.service].origin
        guard request.isAuthorized, built.fields["Authorization"] == nil else {
            guard let origin = origin ?? runner.tokens.lastInstance else {
                throw .invalidRequest("service", "it is not known where it is", isWrite: request.isWrite)
            }
            return try httpRequest(for: request, instance: origin)
        }
        let credential: Credential
        do throws(OAuthError) {
            let deadline = runner.clock.now + (request.timeout ?? runner.timeout).bounded
            credential = try await runner.tokens.credential(deadline: deadline).credential
        } catch {
            throw RestError(error, isWrite: request.isWrite, isFirstLogin: runner.tokens.lastInstance == nil)
        }
        var signed = try httpRequest(for: request, instance: origin ?? credential.instance)
        signed.fields.append("Authorization", "Bearer \(credential.accessToken.reveal())")
        return signed
    }
}
