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
}
