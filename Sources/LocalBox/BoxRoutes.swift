// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// The parts that handlers are made of.
struct BoxParts: Sendable {
    let identity: BoxIdentity
    let tokens: BoxTokens
    let store: BoxStore
    let configuration: LocalBoxConfiguration
    let origin: String
    let links: DirectLinks
}

extension RouteTable {
    /// All routes of a box.
    static func all(_ parts: BoxParts) -> RouteTable {
        var table = RouteTable()
        table.addAccount(parts)
        table.addFiles(parts)
        table.addSessions(parts)
        table.addBatches(parts)
        table.addFinding(parts)
        table.addSharing(parts)
        return table
    }

    private mutating func addAccount(_ parts: BoxParts) {
        let account = AccountRoutes(
            identity: parts.identity, tokens: parts.tokens, store: parts.store, quota: parts.configuration.quota)
        add(Users.Routes.getCurrentAccount, account.currentAccount)
        add(Users.Routes.getAccount, account.account)
        add(Users.Routes.getSpaceUsage, account.spaceUsage)
        add(Check.Routes.user, account.echo)
        add(Check.Routes.app, account.echo)
        add(Auth.Routes.tokenRevoke, account.revoke)
    }

    private mutating func addFiles(_ parts: BoxParts) {
        let (store, configuration) = (parts.store, parts.configuration)
        let read = ReadRoutes(store: store)
        add(Files.Routes.getMetadata, read.metadata)
        addDownload(Files.Routes.download, read.download)
        let lists = ListRoutes(
            store: store, pageSize: configuration.pageSize, second: configuration.longpollSecond)
        add(Files.Routes.listFolder, lists.list)
        add(Files.Routes.listFolderContinue, lists.proceed)
        add(Files.Routes.listFolderGetLatestCursor, lists.latestCursor)
        addPromise(Files.Routes.listFolderLongpoll, lists.longpoll)
        let write = WriteRoutes(store: store)
        add(Files.Routes.createFolderV2, write.createFolder)
        add(Files.Routes.deleteV2, write.delete)
        let relocation = RelocationRoutes(store: store)
        add(Files.Routes.moveV2, relocation.move)
        add(Files.Routes.copyV2, relocation.copy)
        let uploads = UploadRoutes(
            store: store, quota: configuration.quota, mostBytes: configuration.uploadLimit)
        add(Files.Routes.upload, lane: .slow, uploads.upload)
    }

    private mutating func addSessions(_ parts: BoxParts) {
        let configuration = parts.configuration
        let sessions = SessionRoutes(
            store: parts.store, quota: configuration.quota, mostBytes: configuration.uploadLimit)
        add(Files.Routes.uploadSessionStart, lane: .slow, sessions.start)
        add(Files.Routes.uploadSessionStartBatch, sessions.startBatch)
        add(Files.Routes.uploadSessionAppendV2, lane: .slow, sessions.append)
        add(Files.Routes.uploadSessionFinish, lane: .slow, sessions.finish)
        add(Files.Routes.uploadSessionFinishBatchV2, lane: .slow, sessions.finishBatch)
    }

    private mutating func addBatches(_ parts: BoxParts) {
        let revisions = RevisionRoutes(store: parts.store)
        add(Files.Routes.listRevisions, revisions.list)
        add(Files.Routes.restore, revisions.restore)
        let batches = BatchRoutes(store: parts.store, jobs: JobBook(checks: parts.configuration.jobChecks))
        add(Files.Routes.deleteBatch, lane: .slow, batches.delete)
        add(Files.Routes.deleteBatchCheck, batches.checkDelete)
        add(Files.Routes.moveBatchV2, lane: .slow, batches.move)
        add(Files.Routes.moveBatchCheckV2, batches.checkRelocation)
        add(Files.Routes.copyBatchV2, lane: .slow, batches.copy)
        add(Files.Routes.copyBatchCheckV2, batches.checkRelocation)
        add(Files.Routes.createFolderBatch, lane: .slow, batches.createFolders)
        add(Files.Routes.createFolderBatchCheck, batches.checkCreateFolders)
    }

    private mutating func addFinding(_ parts: BoxParts) {
        let search = SearchRoutes(store: parts.store)
        add(Files.Routes.searchV2, search.search)
        add(Files.Routes.searchContinueV2, search.proceed)
        let tags = TagRoutes(store: parts.store)
        add(Files.Routes.tagsAdd, tags.add)
        add(Files.Routes.tagsRemove, tags.remove)
        add(Files.Routes.tagsGet, tags.list)
        let links = LinkRoutes(store: parts.store, links: parts.links, origin: parts.origin)
        add(Files.Routes.getTemporaryLink, links.temporaryLink)
    }

    private mutating func addSharing(_ parts: BoxParts) {
        let links = SharedLinkRoutes(store: parts.store, origin: parts.origin)
        add(Sharing.Routes.createSharedLinkWithSettings, links.create)
        add(Sharing.Routes.listSharedLinks, links.list)
        add(Sharing.Routes.getSharedLinkMetadata, links.metadata)
        addDownload(Sharing.Routes.getSharedLinkFile, links.file)
        add(Sharing.Routes.revokeSharedLink, links.revoke)
    }
}
