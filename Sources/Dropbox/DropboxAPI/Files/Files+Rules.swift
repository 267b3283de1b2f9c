// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Files.AddTagArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "/(.|[\\r\\n])*")
        try checks.string("tag_text", tagText, 1, 32, "[\\w]+")
    }
}

extension Files.AlphaGetMetadataArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*|id:.*)|(rev:[0-9a-f]{9,})|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
        try checks.value("include_property_groups", includePropertyGroups)
        try checks.each("include_property_templates", _includePropertyTemplates) { (checks, name, value) throws(ValidationFailure) in try checks.string(name, value, 1, nil, "(/|ptid:).*") }
    }
}

extension Files.CommitInfo: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)|(id:.*)")
        try checks.value("mode", mode)
        try checks.each("property_groups", propertyGroups) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension Files.CreateFolderArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
    }
}

extension Files.CreateFolderBatchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.list("paths", paths, nil, 10000)
        try checks.each("paths", paths) { (checks, name, value) throws(ValidationFailure) in try checks.string(name, value, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)") }
    }
}

extension Files.DeleteArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)|(id:.*)")
        try checks.string("parent_rev", parentRev, 9, nil, "[0-9a-f]+")
    }
}

extension Files.DeleteBatchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.list("entries", entries, nil, 1000)
        try checks.each("entries", entries) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension Files.DownloadArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*|id:.*)|(rev:[0-9a-f]{9,})|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
        try checks.string("rev", _rev, 9, nil, "[0-9a-f]+")
    }
}

extension Files.DownloadZipArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*|id:.*)|(rev:[0-9a-f]{9,})|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
    }
}

extension Files.ExportArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*|id:.*)|(rev:[0-9a-f]{9,})|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
    }
}

extension Files.GetCopyReferenceArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*|id:.*)|(rev:[0-9a-f]{9,})|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
    }
}

extension Files.GetMetadataArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*|id:.*)|(rev:[0-9a-f]{9,})|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
        try checks.value("include_property_groups", includePropertyGroups)
    }
}

extension Files.GetTagsArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.each("paths", paths) { (checks, name, value) throws(ValidationFailure) in try checks.string(name, value, nil, nil, "/(.|[\\r\\n])*") }
    }
}

extension Files.GetTemporaryLinkArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*|id:.*)|(rev:[0-9a-f]{9,})|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
    }
}

extension Files.GetTemporaryUploadLinkArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.value("commit_info", commitInfo)
        try checks.range("duration", duration, 60.0, 14400.0)
    }
}

extension Files.GetThumbnailBatchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.each("entries", entries) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension Files.ListFolderArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*)?|id:.*|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
        try checks.range("limit", limit, 1, 2000)
        try checks.value("include_property_groups", includePropertyGroups)
    }
}

extension Files.ListFolderContinueArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("cursor", cursor, 1)
    }
}

extension Files.ListFolderLongpollArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("cursor", cursor, 1)
        try checks.range("timeout", timeout, 30, 480)
    }
}

extension Files.ListRevisionsArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "/(.|[\\r\\n])*|id:.*|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
        try checks.range("limit", limit, 1, 100)
        try checks.string("before_rev", beforeRev, 9, nil, "[0-9a-f]+")
    }
}

extension Files.LockFileArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)|(id:.*)")
    }
}

extension Files.LockFileBatchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.each("entries", entries) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension Files.MoveBatchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.list("entries", entries, 1, 1000)
        try checks.each("entries", entries) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension Files.PaperCreateArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "/(.|[\\r\\n])*")
    }
}

extension Files.PaperUpdateArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)|(id:.*)")
    }
}

extension Files.PathOrLink: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        switch self {
        case .path(let value):
            try checks.string("path", value, nil, nil, "(/(.|[\\r\\n])*|id:.*)|(rev:[0-9a-f]{9,})|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
        default: break
        }
    }
}

extension Files.PreviewArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*|id:.*)|(rev:[0-9a-f]{9,})|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
        try checks.string("rev", _rev, 9, nil, "[0-9a-f]+")
    }
}

extension Files.RelocationArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("from_path", fromPath, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)|(id:.*)")
        try checks.string("to_path", toPath, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)|(id:.*)")
    }
}

extension Files.RelocationBatchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.list("entries", entries, 1, 1000)
        try checks.each("entries", entries) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension Files.RelocationBatchArgBase: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.list("entries", entries, 1, 1000)
        try checks.each("entries", entries) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension Files.RelocationPath: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("from_path", fromPath, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)|(id:.*)")
        try checks.string("to_path", toPath, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)|(id:.*)")
    }
}

extension Files.RemoveTagArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "/(.|[\\r\\n])*")
        try checks.string("tag_text", tagText, 1, 32, "[\\w]+")
    }
}

extension Files.RestoreArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
        try checks.string("rev", rev, 9, nil, "[0-9a-f]+")
    }
}

extension Files.SaveCopyReferenceArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "/(.|[\\r\\n])*")
    }
}

extension Files.SaveUrlArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "/(.|[\\r\\n])*")
    }
}

extension Files.SearchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*)?|id:.*|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
        try checks.string("query", query, nil, 1000)
        try checks.range("start", start, nil, 9999)
        try checks.range("max_results", maxResults, 1, 1000)
    }
}

extension Files.SearchOptions: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*)?|id:.*|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
        try checks.range("max_results", maxResults, 1, 1000)
        try checks.string("account_id", accountID, 40, 40)
    }
}

extension Files.SearchV2Arg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("query", query, nil, 1000)
        try checks.value("options", options)
    }
}

extension Files.SearchV2ContinueArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("cursor", cursor, 1)
    }
}

extension Files.ThumbnailArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*|id:.*)|(rev:[0-9a-f]{9,})|(ns:[0-9]+(/(.|[\\r\\n])*)?)")
    }
}

extension Files.ThumbnailV2Arg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.value("resource", resource)
    }
}

extension Files.UnlockFileArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)|(id:.*)")
    }
}

extension Files.UnlockFileBatchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.each("entries", entries) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension Files.UploadArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "(/(.|[\\r\\n])*)|(ns:[0-9]+(/(.|[\\r\\n])*)?)|(id:.*)")
        try checks.value("mode", mode)
        try checks.each("property_groups", propertyGroups) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
        try checks.string("content_hash", contentHash, 64, 64)
    }
}

extension Files.UploadSessionAppendArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("content_hash", contentHash, 64, 64)
    }
}

extension Files.UploadSessionAppendBatchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.list("entries", entries, nil, 1000)
        try checks.string("content_hash", contentHash, 64, 64)
    }
}

extension Files.UploadSessionFinishArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.value("commit", commit)
        try checks.string("content_hash", contentHash, 64, 64)
    }
}

extension Files.UploadSessionFinishBatchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.list("entries", entries, nil, 1000)
        try checks.each("entries", entries) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension Files.UploadSessionStartArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("content_hash", contentHash, 64, 64)
    }
}

extension Files.UploadSessionStartBatchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.range("num_sessions", numSessions, 1, 1000)
    }
}

extension Files.WriteMode: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        switch self {
        case .update(let value):
            try checks.string("update", value, 9, nil, "[0-9a-f]+")
        default: break
        }
    }
}
