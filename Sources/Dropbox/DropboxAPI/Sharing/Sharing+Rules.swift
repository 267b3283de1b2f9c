// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Sharing.AddFileMemberArgs: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("file", file, 1, nil, "((/|id:).*|nspath:[0-9]+:.*)|ns:[0-9]+(/.*)?")
        try checks.each("members", members) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension Sharing.AddFolderMemberArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("shared_folder_id", sharedFolderID, nil, nil, "[-_0-9a-zA-Z:]+")
        try checks.each("members", members) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
        try checks.string("custom_message", customMessage, 1)
    }
}

extension Sharing.AddMember: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.value("member", member)
    }
}

extension Sharing.CreateSharedLinkWithSettingsArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*|id:.*)|(rev:[0-9a-f]{9,})|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
    }
}

extension Sharing.GetFileMetadataArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("file", file, 1, nil, "((/|id:).*|nspath:[0-9]+:.*)|ns:[0-9]+(/.*)?")
    }
}

extension Sharing.GetFileMetadataBatchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.list("files", files, nil, 100)
        try checks.each("files", files) { (checks, name, value) throws(ValidationFailure) in try checks.string(name, value, 1, nil, "((/|id:).*|nspath:[0-9]+:.*)|ns:[0-9]+(/.*)?") }
    }
}

extension Sharing.GetMetadataArgs: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("shared_folder_id", sharedFolderID, nil, nil, "[-_0-9a-zA-Z:]+")
    }
}

extension Sharing.GetSharedLinkMetadataArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "/(.|[\\r\\n])*")
    }
}

extension Sharing.ListFileMembersArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("file", file, 1, nil, "((/|id:).*|nspath:[0-9]+:.*)|ns:[0-9]+(/.*)?")
        try checks.range("limit", limit, 1, 300)
    }
}

extension Sharing.ListFileMembersBatchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.list("files", files, nil, 100)
        try checks.each("files", files) { (checks, name, value) throws(ValidationFailure) in try checks.string(name, value, 1, nil, "((/|id:).*|nspath:[0-9]+:.*)|ns:[0-9]+(/.*)?") }
        try checks.range("limit", limit, nil, 3000)
    }
}

extension Sharing.ListFilesArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.range("limit", limit, 1, 300)
    }
}

extension Sharing.ListFolderMembersArgs: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("shared_folder_id", sharedFolderID, nil, nil, "[-_0-9a-zA-Z:]+")
        try checks.range("limit", limit, 1, 1000)
    }
}

extension Sharing.ListFoldersArgs: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.range("limit", limit, 1, 1000)
    }
}

extension Sharing.ListSharedLinksArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*|id:.*)|(rev:[0-9a-f]{9,})|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
    }
}

extension Sharing.MemberSelector: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        switch self {
        case .dropboxID(let value):
            try checks.string("dropbox_id", value, 1)
        case .email(let value):
            try checks.string("email", value, nil, 255, "^['#&A-Za-z0-9._%+-]+@[A-Za-z0-9-][A-Za-z0-9.-]*\\.[A-Za-z]{2,15}$")
        default: break
        }
    }
}

extension Sharing.MountFolderArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("shared_folder_id", sharedFolderID, nil, nil, "[-_0-9a-zA-Z:]+")
    }
}

extension Sharing.RelinquishFileMembershipArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("file", file, 1, nil, "((/|id:).*|nspath:[0-9]+:.*)|ns:[0-9]+(/.*)?")
    }
}

extension Sharing.RelinquishFolderMembershipArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("shared_folder_id", sharedFolderID, nil, nil, "[-_0-9a-zA-Z:]+")
    }
}

extension Sharing.RemoveFileMemberArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("file", file, 1, nil, "((/|id:).*|nspath:[0-9]+:.*)|ns:[0-9]+(/.*)?")
        try checks.value("member", member)
    }
}

extension Sharing.RemoveFolderMemberArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("shared_folder_id", sharedFolderID, nil, nil, "[-_0-9a-zA-Z:]+")
        try checks.value("member", member)
    }
}

extension Sharing.SetAccessInheritanceArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("shared_folder_id", sharedFolderID, nil, nil, "[-_0-9a-zA-Z:]+")
    }
}

extension Sharing.ShareFolderArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)|(id:.*)")
    }
}

extension Sharing.TransferFolderArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("shared_folder_id", sharedFolderID, nil, nil, "[-_0-9a-zA-Z:]+")
        try checks.string("to_dropbox_id", toDropboxID, 1)
    }
}

extension Sharing.UnmountFolderArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("shared_folder_id", sharedFolderID, nil, nil, "[-_0-9a-zA-Z:]+")
    }
}

extension Sharing.UnshareFileArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("file", file, 1, nil, "((/|id:).*|nspath:[0-9]+:.*)|ns:[0-9]+(/.*)?")
    }
}

extension Sharing.UnshareFolderArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("shared_folder_id", sharedFolderID, nil, nil, "[-_0-9a-zA-Z:]+")
    }
}

extension Sharing.UpdateFileMemberArgs: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("file", file, 1, nil, "((/|id:).*|nspath:[0-9]+:.*)|ns:[0-9]+(/.*)?")
        try checks.value("member", member)
    }
}

extension Sharing.UpdateFilePolicyArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("file", file, 1, nil, "((/|id:).*|nspath:[0-9]+:.*)|ns:[0-9]+(/.*)?")
    }
}

extension Sharing.UpdateFolderMemberArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("shared_folder_id", sharedFolderID, nil, nil, "[-_0-9a-zA-Z:]+")
        try checks.value("member", member)
    }
}

extension Sharing.UpdateFolderPolicyArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("shared_folder_id", sharedFolderID, nil, nil, "[-_0-9a-zA-Z:]+")
    }
}
