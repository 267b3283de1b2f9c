// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestTransport
import StoneRuntime

/// Who calls a route.
enum Caller: Sendable, Hashable {
    /// The user, with this access token.
    case user(accessToken: String)
    /// The app, with its key and secret.
    case app
    /// Anybody.
    case nobody
}

/// Finds out who calls, and whether they may call the route.
struct Authentication: Sendable {
    let identity: BoxIdentity
    let tokens: BoxTokens

    func caller(of request: ServerRequest, for route: RouteInfo) throws(BoxRefusal) -> Caller {
        if route.auth.contains("noauth") { return .nobody }
        let field = request.fields["Authorization"] ?? request.path?.parameter("authorization")
        let words = (field ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else {
            throw .badInput(route.id, "the header field Authorization is missing or has no credentials")
        }
        switch words[0].lowercased() {
        case "bearer" where route.auth.contains("user"): return try user(words[1], route)
        case "basic" where route.auth.contains("app"): return try app(request, words[1])
        default:
            throw .badInput(
                route.id, "the route takes another kind of Authorization: \(route.auth.joined(separator: ", "))")
        }
    }

    private func user(_ token: String, _ route: RouteInfo) throws(BoxRefusal) -> Caller {
        let scopes = try tokens.scopes(of: token)
        if let scope = route.scope, !scopes.contains(scope) {
            throw .unauthorized(.missingScope(Auth.TokenScopeError(requiredScope: scope)))
        }
        return .user(accessToken: token)
    }

    private func app(_ request: ServerRequest, _ credentials: String) throws(BoxRefusal) -> Caller {
        guard let bytes = Base64.decode(credentials), let text = String(validating: bytes, as: UTF8.self),
            Digest.areEqual(text, "\(identity.appKey):\(identity.appSecret)")
        else { throw .unauthorized(.invalidAccessToken) }
        return .app
    }

    /// Checks the root that the caller wants paths to begin at: the box has one namespace.
    func checkRoot(of request: ServerRequest) throws(BoxRefusal) {
        guard let field = request.fields["Dropbox-API-Path-Root"] else { return }
        guard let root = try? Common.PathRoot(json: Array(field.utf8)) else {
            throw .text(400, "Dropbox-API-Path-Root is not a path root")
        }
        switch root {
        case .home: return
        case .root(identity.rootNamespace), .namespaceID(identity.rootNamespace): return
        default: throw .error(422, Common.PathRootError.invalidRoot(.user(identity.rootInfo)))
        }
    }
}

extension BoxIdentity {
    var rootInfo: Common.UserRootInfo {
        Common.UserRootInfo(rootNamespaceID: rootNamespace, homeNamespaceID: rootNamespace)
    }
}
