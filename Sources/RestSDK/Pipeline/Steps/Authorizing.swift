// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestTransport

/// Signs the request with the account's token; when the server says that the session ended, renews it and sends this
/// request, and no other, once more, if its body can be sent twice.
struct Authorizing: Interceptor {
    let tokens: TokenManager
    /// The server that gave the tokens, and may see them again.
    let login: Origin?

    func intercept(
        _ request: HTTPRequest, context: RequestContext,
        next: (HTTPRequest, RequestContext) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        // The caller's own authorization stands, and the account's tokens have nothing to do with its being refused.
        guard context.request.isAuthorized, request.fields["Authorization"] == nil else {
            return try await next(request, context)
        }
        let issued = try await context.credential(from: tokens)
        let failure: RestError
        do {
            return served(issued, try await next(signed(request, issued.credential, context), context))
        } catch {
            guard error.isSessionExpired, context.life.renew() else { throw error }
            failure = error
        }
        guard request.body.isReplayable else {
            // The body is gone; the token is renewed all the same, so that whoever sends the call anew gets through.
            _ = try? await renewed(issued, context)
            throw failure
        }
        let renewed = try await renewed(issued, context)
        return served(renewed, try await next(signed(request, renewed.credential, context), context))
    }

    /// Tells that the server took the token.
    private func served(_ issued: IssuedCredential, _ response: HTTPResponse) -> HTTPResponse {
        tokens.served(issued.generation)
        return response
    }

    /// Waits for the credential after the refused one.
    private func renewed(
        _ refused: IssuedCredential, _ context: RequestContext
    ) async throws(RestError) -> IssuedCredential {
        var hasToken = false
        defer { context.life.renewalEnded(withToken: hasToken) }
        let renewed = try await context.credential(from: tokens, rejecting: refused.generation)
        hasToken = true
        return renewed
    }

    /// The request at the server that the token belongs to, with the token; a request for elsewhere stays as it is.
    ///
    /// The token goes to its own instance, where the call asks for that to the server that gave it, and nowhere else.
    private func signed(_ request: HTTPRequest, _ credential: Credential, _ context: RequestContext) -> HTTPRequest {
        let isForLogin = context.request.host == .login
        var request = isForLogin ? request : request.moved(from: context.instance, to: credential.instance)
        guard request.url.origin == (isForLogin ? login : credential.instance) else { return request }
        request.fields["Authorization"] = "Bearer \(credential.accessToken.reveal())"
        return request
    }
}

extension RestRequest {
    /// Whether the account's token belongs to the request; not when it needs none, nor when the caller brings one.
    var takesToken: Bool { isAuthorized && fields["Authorization"] == nil }
}

extension RequestContext {
    /// The account's credential, at once if there is one; a wait for it ends with the call.
    func credential(from tokens: TokenManager, rejecting generation: UInt64? = nil) async throws(RestError)
        -> IssuedCredential
    {
        if let issued = tokens.credentialAtHand(rejecting: generation) { return issued }
        let answer = await life.interruptible { [deadline] () -> Result<IssuedCredential, OAuthError> in
            do throws(OAuthError) {
                return .success(try await tokens.credential(rejecting: generation, deadline: deadline))
            } catch {
                return .failure(error)
            }
        }
        switch answer {
        case .success(let issued): return issued
        case .failure(let error): throw RestError(error, isWrite: request.isWrite)
        }
    }
}

extension HTTPRequest {
    /// The request for the instance it was built for at the one that the token belongs to; an org can move between two
    /// tokens.
    fileprivate func moved(from old: Origin?, to new: Origin) -> HTTPRequest {
        guard url.origin == old, new != old else { return self }
        var request = self
        request.url = HTTPURL(origin: new, path: url.path, query: url.query)
        return request
    }
}

extension RestError {
    /// Whether a new token can cure it.
    ///
    /// Some 401s are about the kind of session, and no new token changes that. The identity service answers a token
    /// that ended with 403 `Bad_OAuth_Token`; every other 403 is about permissions.
    var isSessionExpired: Bool {
        guard code == .unauthorized else { return status == 403 && faults.contains { $0.errorCode == .badOAuthToken } }
        return
            !faults.contains {
                $0.message.contains("not valid for use with the REST API")
                    || $0.message.contains("not attached to Agent")
            }
    }
}
