// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestBase
import RestJSON
import RestTransport
import StoneRuntime

/// The context of a call, in addition to its argument.
struct RouteContext: Sendable {
    let caller: Caller
    let request: ServerRequest
    /// The store that the caller's paths refer to.
    let store: BoxStore

    /// Returns the body after a check of its size and of its content hash, if given.
    func body(_ hash: String?, tooLarge: any Error, mismatch: any Error) throws -> UploadBody {
        guard let body = request.sink as? UploadBody else { throw BoxRejection.broken }
        guard body.count <= store.ground.limits.uploadLimit else { throw tooLarge }
        if let hash, hash != body.contentHash { throw mismatch }
        return body
    }
}

struct RouteTable: Sendable {
    /// A route without its types.
    struct Entry: Sendable {
        let info: RouteInfo
        /// The lane for the response, or `nil` for the thread that read the request.
        let lane: WorkLane?
        /// Handles a request with this JSON argument.
        let respond: @Sendable ([UInt8], RouteContext) throws(BoxRejection) -> ServerAction
    }

    private var entries: [String: Entry] = [:]

    subscript(name: String) -> Entry? { entries[name] }

    /// Adds a route that returns its result in the body.
    mutating func add<Style, Argument, Output, Problem: Error & Sendable>(
        _ route: Route<Style, Argument, Output, Problem>, lane: WorkLane? = nil,
        _ handler: @escaping @Sendable (Argument, RouteContext) throws -> Output
    ) {
        let output = route.output
        add(route, lane) { argument, context in
            let result = try handler(argument, context)
            guard let text = try? output.encode(result) else { throw BoxRejection.broken }
            return .ready(ServerReply(Self.respond(text)))
        }
    }

    /// Adds a route that returns its result in a header, and content in the body.
    mutating func addDownload<Argument, Output: StoneType, Problem: Error & Sendable>(
        _ route: Route<Download, Argument, Output, Problem>,
        _ handler: @escaping @Sendable (Argument, RouteContext) throws -> (Output, Content)
    ) {
        add(route, nil) { argument, context in
            let (result, content) = try handler(argument, context)
            guard let text = try? result.headerText() else { throw BoxRejection.broken }
            var response = content.response(to: context.request)
            response.fields.append(("Dropbox-API-Result", text))
            return .ready(ServerReply(response))
        }
    }

    /// Adds a route that may respond later.
    mutating func addPromise<Argument, Output, Problem: Error & Sendable>(
        _ route: Route<RPC, Argument, Output, Problem>,
        _ handler: @escaping @Sendable (Argument, RouteContext) throws -> Promise<Output>
    ) {
        let output = route.output
        add(route, nil) { argument, context in
            let begin = try handler(argument, context).begin
            return .promised { deliver in
                begin { result in
                    let response = (try? output.encode(result)).map(Self.respond) ?? BoxRejection.broken.response
                    deliver(.ready(ServerReply(response)))
                }
            }
        }
    }

    private mutating func add<Style, Argument, Output, Problem: Error & Sendable>(
        _ route: Route<Style, Argument, Output, Problem>, _ lane: WorkLane?,
        _ handler: @escaping @Sendable (Argument, RouteContext) throws -> ServerAction
    ) {
        let (info, coding) = (route.info, route.argument)
        entries[info.id] = Entry(info: info, lane: lane) { (text, context) throws(BoxRejection) in
            let argument = try RouteArgument.value(text, coding, info)
            do { return try handler(argument, context) } catch let rejection as BoxRejection {
                throw rejection
            } catch {
                // A route throws only its own errors.
                guard let problem = error as? Problem as? any StoneType else { throw .broken }
                throw .error(409, problem)
            }
        }
    }

    private static func respond(_ text: [UInt8]) -> ServerResponse {
        ServerResponse(status: 200, fields: [("Content-Type", "application/json")], body: text)
    }
}

/// A result that is delivered later.
struct Promise<Output: Sendable>: Sendable {
    let begin: @Sendable (@escaping @Sendable (Output) -> Void) -> Void
}

enum RouteArgument {
    static func value<Argument>(
        _ text: [UInt8], _ coding: StoneCoding<Argument>, _ route: RouteInfo
    ) throws(BoxRejection) -> Argument {
        let value: Argument
        do throws(JSONDecodingError) { value = try coding.decode(text) } catch {
            throw .badInput(route.id, "request body: \(error.message)")
        }
        guard let checked = value as? any StoneValidated else { return value }
        do throws(ValidationFailure) { try checked.validate() } catch {
            throw .badInput(route.id, "request body: \(error)")
        }
        return value
    }

    private static let jsonTypes: Set<String> = ["application/json", "text/plain"]

    /// Returns the JSON argument from the body, or from a header or a query parameter if the body is content.
    static func text(of request: ServerRequest, for route: RouteInfo) throws(BoxRejection) -> [UInt8] {
        let name = route.id
        guard route.style != RPC.name else {
            guard !request.body.isEmpty else { return Array("null".utf8) }
            if let type = request.mediaType, jsonTypes.contains(type) { return request.body }
            throw .badInput(name, "the Content-Type must be application/json, not \(request.mediaType ?? "missing")")
        }
        if let type = request.mediaType, type != "application/octet-stream", !jsonTypes.contains(type) {
            throw .badInput(name, "the Content-Type must be application/octet-stream, not \(type)")
        }
        let field = request.fields["Dropbox-API-Arg"] ?? request.path?.parameter("arg")
        guard let text = field else { throw .badInput(name, "the header Dropbox-API-Arg is missing") }
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw .badInput(name, "Dropbox-API-Arg must be ASCII; write other characters as \\uXXXX")
        }
        return Array(text.utf8)
    }
}

/// The values that handlers need.
struct BoxParts: Sendable {
    let identity: BoxIdentity
    let tokens: TokenIssuer
    let stores: BoxStores
    let configuration: LocalBoxConfiguration
    let origin: String
    let links: DirectLinks

    /// Returns a new access token of a user or of the team.
    func accessToken(of subject: TokenSubject, _ scopes: [String]) -> String {
        tokens.login(identity.appKey, subject: subject.text, scopes: scopes, isLasting: false).accessToken
    }
}

extension RouteTable {
    static func all(_ parts: BoxParts) -> RouteTable {
        var table = RouteTable()
        table.addAccount(parts)
        table.addFiles(parts)
        table.addUploads()
        table.addLinks(parts)
        return table
    }

    private mutating func addAccount(_ parts: BoxParts) {
        let account = AccountRoutes(identity: parts.identity, tokens: parts.tokens)
        add(Users.Routes.getCurrentAccount, account.currentAccount)
        add(Users.Routes.getAccount, account.account)
        add(Users.Routes.getAccountBatch, account.accounts)
        add(Users.Routes.getSpaceUsage, account.spaceUsage)
        add(Check.Routes.user, account.echo)
        add(Check.Routes.app, account.echo)
        add(Auth.Routes.tokenRevoke, account.revoke)
    }

    private mutating func addFiles(_ parts: BoxParts) {
        let configuration = parts.configuration
        let read = ReadRoutes()
        add(Files.Routes.getMetadata, read.metadata)
        addDownload(Files.Routes.download, read.download)
        add(Files.Routes.listRevisions, read.revisions)
        add(Files.Routes.restore, read.restore)
        let lists = ListRoutes(
            stores: parts.stores, pageSize: configuration.pageSize, second: configuration.longpollSecond)
        add(Files.Routes.listFolder, lists.list)
        add(Files.Routes.listFolderContinue, lists.proceed)
        add(Files.Routes.listFolderGetLatestCursor, lists.latestCursor)
        addPromise(Files.Routes.listFolderLongpoll, lists.longpoll)
        let write = WriteRoutes()
        add(Files.Routes.createFolderV2, write.createFolder)
        add(Files.Routes.deleteV2, write.delete)
        add(Files.Routes.permanentlyDelete, write.deletePermanently)
        add(Files.Routes.moveV2) { try write.relocate($0, .move, $1) }
        add(Files.Routes.copyV2) { try write.relocate($0, .copy, $1) }
        let batches = BatchRoutes()
        add(Files.Routes.deleteBatch, lane: .slow, batches.delete)
        add(Files.Routes.deleteBatchCheck, batches.checkDelete)
        add(Files.Routes.moveBatchV2, lane: .slow) { argument, context in
            try batches.relocate(argument.entries, .move, autorename: argument.autorename, context)
        }
        add(Files.Routes.moveBatchCheckV2, batches.checkRelocation)
        add(Files.Routes.copyBatchV2, lane: .slow) { argument, context in
            try batches.relocate(argument.entries, .copy, autorename: argument.autorename, context)
        }
        add(Files.Routes.copyBatchCheckV2, batches.checkRelocation)
        add(Files.Routes.createFolderBatch, lane: .slow, batches.createFolders)
        add(Files.Routes.createFolderBatchCheck, batches.checkCreateFolders)
    }

    private mutating func addUploads() {
        add(Files.Routes.upload, WriteRoutes().upload)
        let sessions = SessionRoutes()
        add(Files.Routes.uploadSessionStart, sessions.start)
        add(Files.Routes.uploadSessionStartBatch, sessions.startBatch)
        add(Files.Routes.uploadSessionAppendV2, sessions.append)
        add(Files.Routes.uploadSessionAppendBatch, sessions.appendBatch)
        // May have to read all bytes for their hash.
        add(Files.Routes.uploadSessionFinish, lane: .slow, sessions.finish)
        add(Files.Routes.uploadSessionFinishBatchV2, lane: .slow, sessions.finishBatch)
    }

    private mutating func addLinks(_ parts: BoxParts) {
        let direct = LinkRoutes(links: parts.links, origin: parts.origin)
        add(Files.Routes.getTemporaryLink, direct.temporaryLink)
        add(Files.Routes.getTemporaryUploadLink, direct.uploadLink)
        let links = SharedLinkRoutes(stores: parts.stores, origin: parts.origin)
        add(Sharing.Routes.createSharedLinkWithSettings, links.create)
        add(Sharing.Routes.listSharedLinks, links.list)
        add(Sharing.Routes.getSharedLinkMetadata, links.metadata)
        addDownload(Sharing.Routes.getSharedLinkFile, links.file)
        add(Sharing.Routes.revokeSharedLink, links.revoke)
    }
}
