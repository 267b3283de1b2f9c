// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestBase
import RestTransport
import Synchronization

/// Adds the server and the account's token to a request, and replays the request once after the session has expired.
///
/// The token is renewed before the replay. A request whose body cannot be sent twice is not replayed. No other code
/// decides where a call is sent. The token is sent only to the servers of the account's services.
struct Authorizing: Sendable {
    let tokens: TokenManager
    /// The server that issued the tokens, and may receive them.
    let login: Origin?
    let services: ServiceMap
    let observer: Observer

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        let call = context.call
        // If the caller sets `Authorization`, the account's tokens are not affected by a rejection.
        guard takesToken(request, call) else { return try await sendWithoutToken(request, call, next) }
        let issued: Credential.Issued
        // This usually avoids the async frame of a wait.
        if let ready = tokens.credentialAtHand() { issued = ready } else { issued = try await credential(call) }
        let signed = try signed(request, issued.credential, call)
        let failure: RestError
        do {
            return served(issued, try await next(signed))
        } catch {
            failure = error
        }
        if failure.response?.requiresDPoPNonce == true, !request.body.isReplayable { throw failure.withSpentBody }
        guard failure.isSessionExpired, tokens.canReplace(issued.generation), call.renew() else { throw failure }
        return try await replay(request, refused: issued, after: failure, call, next)
    }

    /// Replays the rejected request with a new token.
    ///
    /// Not inlined, like all rare or synchronous parts of this step, to keep its locals out of the async frame.
    @inline(never)
    private func replay(
        _ request: HTTPRequest, refused issued: Credential.Issued, after failure: RestError, _ call: Call,
        _ next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        let renewed = try await renewed(issued, after: failure, of: request, call)
        return served(renewed, try await next(try self.signed(request.withoutServer, renewed.credential, call)))
    }

    @inline(never)
    private func sendWithoutToken(
        _ request: HTTPRequest, _ call: Call, _ next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        call.dpopKey = nil
        return try await next(try request.addressed(to: await originWithoutToken(call), of: call.request))
    }

    @inline(never)
    private func takesToken(_ request: HTTPRequest, _ call: Call) -> Bool {
        call.request.isAuthorized && request.fields["Authorization"] == nil
    }

    /// Adds the token, and the server that the token belongs to.
    @inline(never)
    private func signed(
        _ request: HTTPRequest, _ credential: Credential, _ call: Call
    ) throws(RestError) -> HTTPRequest {
        var signed = try request.addressed(to: origin(of: call, credential.instance), of: call.request)
        signed.fields.append("Authorization", credential.authorization)
        call.dpopKey = credential.dpopKey
        guard !call.request.isSOAP || credential.dpopKey == nil else {
            throw .invalidRequest(
                "request", "a SOAP call has no proof, so a login that is bound with DPoP cannot send it",
                isWrite: call.request.isWrite)
        }
        if call.request.isSOAP { signed.body = SOAPCall.signed(signed.body, credential.accessToken.reveal()) }
        return signed
    }

    private func served(_ issued: Credential.Issued, _ response: HTTPResponse) -> HTTPResponse {
        tokens.served(issued.generation)
        return response
    }

    /// Renews the token after a rejected request, or throws the original error or that of the renewal.
    private func renewed(
        _ refused: Credential.Issued, after failure: RestError, of request: HTTPRequest, _ call: Call
    ) async throws(RestError) -> Credential.Issued {
        guard request.body.isReplayable, call.mayRepeat(after: failure) else {
            // The call cannot be sent again, but the token is renewed for the following calls.
            _ = try? await renewed(refused, call)
            throw request.body.isReplayable ? failure : failure.withSpentBody
        }
        do { return try await renewed(refused, call) } catch { throw error.ending(failure) }
    }

    /// Waits for the credential after the rejected one.
    private func renewed(_ refused: Credential.Issued, _ call: Call) async throws(RestError) -> Credential.Issued {
        var hasToken = false
        defer { call.renewalEnded(withToken: hasToken) }
        let renewed = try await credential(call, rejecting: refused.generation)
        hasToken = true
        return renewed
    }

    /// Returns the account's credential, or waits for it until the call ends.
    private func credential(_ call: Call, rejecting generation: UInt64? = nil) async throws(RestError)
        -> Credential.Issued
    {
        if let issued = tokens.credentialAtHand(rejecting: generation) { return issued }
        let isRenewal = generation != nil
        let result = await observer.wait(call, { Self.event($0, isRenewal, $1) }) {
            () -> Result<Credential.Issued, OAuthError> in
            do throws(OAuthError) {
                return .success(try await tokens.credential(rejecting: generation, deadline: call.deadline))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let issued): return issued
        case .failure(let error):
            let isFirst = tokens.lastInstance == nil
            throw RestError(error, isWrite: call.request.isWrite, isFirstLogin: isFirst)
        }
    }
}

/// Servers of calls, and events about tokens.
extension Authorizing {
    /// Returns the server of a call, given the instance that the account's token belongs to.
    private func origin(of call: Call, _ instance: Origin?) throws(RestError) -> Origin {
        let service = call.request.service
        if let origin = services[service].origin { return origin }
        switch service {
        case .instance: if let instance { return instance }
        case .login:
            if let login { return login }
            throw .invalidRequest(
                "service", "this client has no login server", isWrite: call.request.isWrite)
        default: break
        }
        throw .invalidRequest(
            "service", "this client has no service '\(service)'; add it to RestClient.Configuration.services",
            isWrite: call.request.isWrite)
    }

    private static func event(
        _ result: Result<Credential.Issued, OAuthError>, _ isRenewal: Bool, _ duration: Duration
    ) -> RestEvent.Kind {
        switch result {
        case .success: .tokenReceived(isRenewal: isRenewal, duration: duration)
        case .failure: .tokenFailed(isRenewal: isRenewal, duration: duration)
        }
    }

    /// Returns the server of a call without a token, which is the last instance even after the login has ended.
    private func originWithoutToken(_ call: Call) async throws(RestError) -> Origin {
        guard call.request.service == .instance, services[.instance].origin == nil else {
            return try origin(of: call, nil)
        }
        if let instance = tokens.lastInstance { return instance }
        if !call.request.isAuthorized, let login { return login }
        return try await credential(call).credential.instance
    }
}

extension HTTPRequest {
    /// The request without its server, because the account may have moved before the replay.
    fileprivate var withoutServer: HTTPRequest {
        var request = self
        request.url = HTTPURL(path: url.path, query: url.query)
        return request
    }

    /// Adds the server to the request, or throws if the request has another server or sends plain http to another
    /// machine.
    func addressed(to origin: Origin, of request: RestRequest) throws(RestError) -> HTTPRequest {
        guard origin.scheme == .https || origin.isLoopback else {
            throw .invalidRequest(
                "instance", "plain http is allowed only for loopback addresses; use https", isWrite: request.isWrite)
        }
        guard url.isRelative || url.origin == origin else {
            throw .invalidRequest(
                "path", "must be an absolute path or a URL on \(origin), percent-encoded and without a user name",
                isWrite: request.isWrite)
        }
        guard url.isRelative else { return self }
        var request = self
        request.url = HTTPURL(origin: origin, path: url.path, query: url.query)
        return request
    }
}

extension RestError {
    /// Whether a new token can resolve the error.
    ///
    /// Some 401 responses concern the type of the session, which a new token does not change. Stone APIs report the
    /// reason by a tag, such as a missing scope. The identity service reports an expired token by 403
    /// `Bad_OAuth_Token`, while every other 403 concerns permissions. A rejected nonce concerns the proof.
    @inline(never)
    var isSessionExpired: Bool {
        guard code == .unauthorized, response?.requiresDPoPNonce != true else { return false }
        if let tag = bodyRoot?["error"]?[".tag"]?.string { return tag == "expired_access_token" }
        return
            !faults.contains {
                $0.message.hasBytes("not valid for use with the REST API")
                    || $0.message.hasBytes("not attached to Agent")
            }
    }
}

// MARK: - Bound tokens

extension Call {
    /// The key that signs the proofs of the call's requests, or `nil` for a bearer token.
    var dpopKey: Credential.DPoPKey? {
        get { core.withLock { $0.dpopKey } }
        set { core.withLock { $0.dpopKey = newValue } }
    }
}

extension Pipeline {
    /// The transport of an attempt, which proves the possession of the key unless the token was left out for another
    /// origin.
    @inline(never)
    func transport(for request: HTTPRequest, of call: Call) -> any HTTPTransport {
        guard let key = call.dpopKey, request.fields["Authorization"] != nil else { return transport }
        return ProvingTransport(transport, key: key, nonces: nonces)
    }
}
