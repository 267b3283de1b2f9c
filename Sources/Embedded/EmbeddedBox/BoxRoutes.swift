// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// The parts that handlers are made of.
struct BoxParts: Sendable {
    let identity: BoxIdentity
    let tokens: BoxTokens
    let stores: BoxStores
    let configuration: LocalBoxConfiguration
    let origin: String
    let links: DirectLinks
}

extension RouteTable {
    /// All routes of a box.
    static func all(_ parts: BoxParts) -> RouteTable {
        var table = RouteTable()
        let jobs = JobBook(checks: parts.configuration.jobChecks)
        table.addAccount(parts)
        table.addFiles(parts)
        table.addSessions(jobs)
        table.addBatches(jobs)
        table.addTeam(parts)
        table.addLinks(parts)
        return table
    }

    private mutating func addAccount(_ parts: BoxParts) {
        let account = AccountRoutes(identity: parts.identity, tokens: parts.tokens)
        add(Users.Routes.getCurrentAccount, account.currentAccount)
        add(Users.Routes.getAccount, account.account)
        add(Users.Routes.getAccountBatch, account.accounts)
        add(Users.Routes.featuresGetValues, account.features)
        add(Users.Routes.getSpaceUsage, account.spaceUsage)
        add(Check.Routes.user, account.echo)
        add(Check.Routes.app, account.echo)
        add(Auth.Routes.tokenRevoke, account.revoke)
    }

    private mutating func addFiles(_ parts: BoxParts) {
        let configuration = parts.configuration
        let read = ReadRoutes()
        add(Files.Routes.getMetadata, read.metadata)
        add(Files.Routes.alphaGetMetadata, read.metadataAlpha)
        addDownload(Files.Routes.download, read.download)
        let lists = ListRoutes(
            stores: parts.stores, pageSize: configuration.pageSize, second: configuration.longpollSecond)
        add(Files.Routes.listFolder, lists.list)
        add(Files.Routes.listFolderContinue, lists.proceed)
        add(Files.Routes.listFolderGetLatestCursor, lists.latestCursor)
        addPromise(Files.Routes.listFolderLongpoll, lists.longpoll)
        let write = WriteRoutes()
        add(Files.Routes.createFolderV2, write.createFolder)
        add(Files.Routes.deleteV2, write.delete)
        add(Files.Routes.createFolder, write.createFolderV1)
        add(Files.Routes.delete, write.deleteV1)
        add(Files.Routes.permanentlyDelete, write.deletePermanently)
        let relocation = RelocationRoutes()
        add(Files.Routes.moveV2, relocation.move)
        add(Files.Routes.copyV2, relocation.copy)
        add(Files.Routes.move, relocation.moveV1)
        add(Files.Routes.copy, relocation.copyV1)
        let uploads = UploadRoutes()
        add(Files.Routes.upload, uploads.upload)
        add(Files.Routes.alphaUpload, uploads.upload)
    }

    private mutating func addSessions(_ jobs: JobBook) {
        let sessions = SessionRoutes(jobs: jobs)
        add(Files.Routes.uploadSessionStart, sessions.start)
        add(Files.Routes.uploadSessionStartBatch, sessions.startBatch)
        add(Files.Routes.uploadSessionAppend, sessions.appendV1)
        add(Files.Routes.uploadSessionAppendV2, sessions.append)
        add(Files.Routes.uploadSessionAppendBatch, sessions.appendBatch)
        // May have to read all bytes for their hash.
        add(Files.Routes.uploadSessionFinish, lane: .slow, sessions.finish)
        add(Files.Routes.uploadSessionFinishBatch, lane: .slow, sessions.finishBatchV1)
        add(Files.Routes.uploadSessionFinishBatchV2, lane: .slow, sessions.finishBatch)
        add(Files.Routes.uploadSessionFinishBatchCheck, sessions.checkFinishBatch)
    }

    private mutating func addBatches(_ jobs: JobBook) {
        let revisions = RevisionRoutes()
        add(Files.Routes.listRevisions, revisions.list)
        add(Files.Routes.restore, revisions.restore)
        let batches = BatchRoutes(jobs: jobs)
        add(Files.Routes.deleteBatch, lane: .slow, batches.delete)
        add(Files.Routes.deleteBatchCheck, batches.checkDelete)
        add(Files.Routes.moveBatchV2, lane: .slow, batches.move)
        add(Files.Routes.moveBatchCheckV2, batches.checkRelocation)
        add(Files.Routes.copyBatchV2, lane: .slow, batches.copy)
        add(Files.Routes.copyBatchCheckV2, batches.checkRelocation)
        add(Files.Routes.moveBatch, lane: .slow, batches.moveV1)
        add(Files.Routes.copyBatch, lane: .slow, batches.copyV1)
        add(Files.Routes.moveBatchCheck, batches.checkRelocationV1)
        add(Files.Routes.copyBatchCheck, batches.checkRelocationV1)
        add(Files.Routes.createFolderBatch, lane: .slow, batches.createFolders)
        add(Files.Routes.createFolderBatchCheck, batches.checkCreateFolders)
    }

    private mutating func addTeam(_ parts: BoxParts) {
        let team = TeamRoutes(identity: parts.identity)
        addUntyped(TeamRoutes.info("get_info", "team_info.read"), team.teamInfo)
        addUntyped(TeamRoutes.info("token/get_authenticated_admin", "team_info.read"), team.admin)
        addUntyped(TeamRoutes.info("members/list", version: 2, "members.read"), team.members)
        addUntyped(TeamRoutes.info("members/list/continue", version: 2, "members.read"), team.moreMembers)
        addUntyped(TeamRoutes.info("members/get_info", version: 2, "members.read"), team.memberInfo)
        addUntyped(TeamRoutes.info("namespaces/list", "team_data.member"), team.namespaces)
        addUntyped(TeamRoutes.info("namespaces/list/continue", "team_data.member"), team.moreNamespaces)
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
