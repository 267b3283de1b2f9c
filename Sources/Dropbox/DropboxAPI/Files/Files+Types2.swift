// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Files {
    public struct GetTemporaryLinkResult: StoneValue {
        public var metadata: Files.FileMetadata
        public var link: String

        public init(metadata: Files.FileMetadata, link: String) {
            self.metadata = metadata
            self.link = link
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata link")
            metadata = try reader.value(slot)
            link = try reader.string(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
            writer.string("link", link)
        }
    }
}

extension Files {
    public struct GetTemporaryUploadLinkArg: StoneValue {
        public var commitInfo: Files.CommitInfo
        public var duration: Double

        public init(commitInfo: Files.CommitInfo, duration: Double = 14400.0) {
            self.commitInfo = commitInfo
            self.duration = duration
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("commit_info duration")
            commitInfo = try reader.value(slot)
            duration = try reader.optionalFloat64(slot + 1) ?? 14400.0
        }

        public func write(to writer: StoneWriter) {
            writer.value("commit_info", commitInfo)
            writer.float64("duration", duration)
        }
    }
}

extension Files {
    public struct GetTemporaryUploadLinkResult: StoneValue {
        public var link: String

        public init(link: String) {
            self.link = link
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("link")
            link = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("link", link)
        }
    }
}

extension Files {
    public struct GetThumbnailBatchArg: StoneValue {
        public var entries: [Files.ThumbnailArg]

        public init(entries: [Files.ThumbnailArg]) {
            self.entries = entries
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries")
            entries = try reader.list(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetThumbnailBatchError: StoneError {
        case tooManyFiles
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("too_many_files")
            switch tag.number {
            case 0: self = .tooManyFiles
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .tooManyFiles: writer.tag("too_many_files")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct GetThumbnailBatchResult: StoneValue {
        public var entries: [Files.GetThumbnailBatchResultEntry]

        public init(entries: [Files.GetThumbnailBatchResultEntry]) {
            self.entries = entries
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries")
            entries = try reader.list(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
        }
    }
}

extension Files {
    public struct GetThumbnailBatchResultData: StoneValue {
        public var metadata: Files.FileMetadata
        public var thumbnail: String

        public init(metadata: Files.FileMetadata, thumbnail: String) {
            self.metadata = metadata
            self.thumbnail = thumbnail
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata thumbnail")
            metadata = try reader.value(slot)
            thumbnail = try reader.string(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
            writer.string("thumbnail", thumbnail)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetThumbnailBatchResultEntry: StoneValue {
        case success(Files.GetThumbnailBatchResultData)
        case failure(Files.ThumbnailError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("success failure")
            switch tag.number {
            case 0: self = .success(try reader.flattened(tag))
            case 1: self = .failure(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .success(let value):
                writer.tag("success")
                value.write(to: writer)
            case .failure(let value):
                writer.tag("failure")
                writer.value("failure", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct GpsCoordinates: StoneValue {
        public var latitude: Double
        public var longitude: Double

        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("latitude longitude")
            latitude = try reader.float64(slot)
            longitude = try reader.float64(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.float64("latitude", latitude)
            writer.float64("longitude", longitude)
        }
    }
}

extension Files {
    public struct HighlightSpan: StoneValue {
        public var highlightStr: String
        public var isHighlighted: Bool

        public init(highlightStr: String, isHighlighted: Bool) {
            self.highlightStr = highlightStr
            self.isHighlighted = isHighlighted
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("highlight_str is_highlighted")
            highlightStr = try reader.string(slot)
            isHighlighted = try reader.bool(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("highlight_str", highlightStr)
            writer.bool("is_highlighted", isHighlighted)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ImportFormat: StoneValue {
        case html
        case markdown
        case plainText
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("html markdown plain_text")
            switch tag.number {
            case 0: self = .html
            case 1: self = .markdown
            case 2: self = .plainText
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .html: writer.tag("html")
            case .markdown: writer.tag("markdown")
            case .plainText: writer.tag("plain_text")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct ListFolderArg: StoneValue {
        public var path: String
        public var recursive: Bool
        var _includeMediaInfo: Bool
        @available(*, deprecated)
        public var includeMediaInfo: Bool {
            get { _includeMediaInfo }
            set { _includeMediaInfo = newValue }
        }
        public var includeDeleted: Bool
        public var includeHasExplicitSharedMembers: Bool
        public var includeMountedFolders: Bool
        public var limit: UInt32?
        public var sharedLink: Files.SharedLink?
        public var includePropertyGroups: FileProperties.TemplateFilterBase?
        public var includeNonDownloadableFiles: Bool
        public var includeRestorableInfo: Bool

        public init(
            path: String, recursive: Bool = false, includeMediaInfo: Bool = false, includeDeleted: Bool = false,
            includeHasExplicitSharedMembers: Bool = false, includeMountedFolders: Bool = true, limit: UInt32? = nil,
            sharedLink: Files.SharedLink? = nil, includePropertyGroups: FileProperties.TemplateFilterBase? = nil,
            includeNonDownloadableFiles: Bool = true, includeRestorableInfo: Bool = false
        ) {
            self.path = path
            self.recursive = recursive
            _includeMediaInfo = includeMediaInfo
            self.includeDeleted = includeDeleted
            self.includeHasExplicitSharedMembers = includeHasExplicitSharedMembers
            self.includeMountedFolders = includeMountedFolders
            self.limit = limit
            self.sharedLink = sharedLink
            self.includePropertyGroups = includePropertyGroups
            self.includeNonDownloadableFiles = includeNonDownloadableFiles
            self.includeRestorableInfo = includeRestorableInfo
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path recursive include_media_info include_deleted include_has_explicit_shared_members include_mounted_folders limit shared_link include_property_groups include_non_downloadable_files include_restorable_info")
            path = try reader.string(slot)
            recursive = try reader.optionalBool(slot + 1) ?? false
            _includeMediaInfo = try reader.optionalBool(slot + 2) ?? false
            includeDeleted = try reader.optionalBool(slot + 3) ?? false
            includeHasExplicitSharedMembers = try reader.optionalBool(slot + 4) ?? false
            includeMountedFolders = try reader.optionalBool(slot + 5) ?? true
            limit = try reader.optionalUInt32(slot + 6)
            sharedLink = try reader.optionalValue(slot + 7)
            includePropertyGroups = try reader.optionalValue(slot + 8)
            includeNonDownloadableFiles = try reader.optionalBool(slot + 9) ?? true
            includeRestorableInfo = try reader.optionalBool(slot + 10) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.bool("recursive", recursive)
            writer.bool("include_media_info", _includeMediaInfo)
            writer.bool("include_deleted", includeDeleted)
            writer.bool("include_has_explicit_shared_members", includeHasExplicitSharedMembers)
            writer.bool("include_mounted_folders", includeMountedFolders)
            writer.uint32("limit", limit)
            writer.value("shared_link", sharedLink)
            writer.value("include_property_groups", includePropertyGroups)
            writer.bool("include_non_downloadable_files", includeNonDownloadableFiles)
            writer.bool("include_restorable_info", includeRestorableInfo)
        }
    }
}

extension Files {
    public struct ListFolderContinueArg: StoneValue {
        public var cursor: String

        public init(cursor: String) {
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor")
            cursor = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("cursor", cursor)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFolderContinueError: StoneError {
        case path(Files.LookupError)
        case reset
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path reset")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .reset
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .reset: writer.tag("reset")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFolderError: StoneError {
        case path(Files.LookupError)
        case templateError(FileProperties.TemplateError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path template_error")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .templateError(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .templateError(let value):
                writer.tag("template_error")
                writer.value("template_error", value)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            case .templateError(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    public struct ListFolderGetLatestCursorResult: StoneValue {
        public var cursor: String

        public init(cursor: String) {
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor")
            cursor = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("cursor", cursor)
        }
    }
}

extension Files {
    public struct ListFolderLongpollArg: StoneValue {
        public var cursor: String
        public var timeout: UInt64

        public init(cursor: String, timeout: UInt64 = 30) {
            self.cursor = cursor
            self.timeout = timeout
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor timeout")
            cursor = try reader.string(slot)
            timeout = try reader.optionalUInt64(slot + 1) ?? 30
        }

        public func write(to writer: StoneWriter) {
            writer.string("cursor", cursor)
            writer.uint64("timeout", timeout)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFolderLongpollError: StoneError {
        case reset
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("reset")
            switch tag.number {
            case 0: self = .reset
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .reset: writer.tag("reset")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct ListFolderLongpollResult: StoneValue {
        public var changes: Bool
        public var backoff: UInt64?

        public init(changes: Bool, backoff: UInt64? = nil) {
            self.changes = changes
            self.backoff = backoff
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("changes backoff")
            changes = try reader.bool(slot)
            backoff = try reader.optionalUInt64(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.bool("changes", changes)
            writer.uint64("backoff", backoff)
        }
    }
}

extension Files {
    public struct ListFolderResult: StoneValue {
        public var entries: [Files.Metadata]
        public var cursor: String
        public var hasMore: Bool

        public init(entries: [Files.Metadata], cursor: String, hasMore: Bool) {
            self.entries = entries
            self.cursor = cursor
            self.hasMore = hasMore
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries cursor has_more")
            entries = try reader.list(slot)
            cursor = try reader.string(slot + 1)
            hasMore = try reader.bool(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
            writer.string("cursor", cursor)
            writer.bool("has_more", hasMore)
        }
    }
}

extension Files {
    public struct ListRevisionsArg: StoneValue {
        public var path: String
        public var mode: Files.ListRevisionsMode
        public var limit: UInt64
        public var beforeRev: String?
        public var includeRestorableInfo: Bool

        public init(
            path: String, mode: Files.ListRevisionsMode = Files.ListRevisionsMode.path, limit: UInt64 = 10,
            beforeRev: String? = nil, includeRestorableInfo: Bool = false
        ) {
            self.path = path
            self.mode = mode
            self.limit = limit
            self.beforeRev = beforeRev
            self.includeRestorableInfo = includeRestorableInfo
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path mode limit before_rev include_restorable_info")
            path = try reader.string(slot)
            mode = try reader.optionalValue(slot + 1) ?? Files.ListRevisionsMode.path
            limit = try reader.optionalUInt64(slot + 2) ?? 10
            beforeRev = try reader.optionalString(slot + 3)
            includeRestorableInfo = try reader.optionalBool(slot + 4) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.value("mode", mode)
            writer.uint64("limit", limit)
            writer.string("before_rev", beforeRev)
            writer.bool("include_restorable_info", includeRestorableInfo)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListRevisionsError: StoneError {
        case path(Files.LookupError)
        case invalidBeforeRev
        case beforeRevNotSupported
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path invalid_before_rev before_rev_not_supported")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .invalidBeforeRev
            case 2: self = .beforeRevNotSupported
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .invalidBeforeRev: writer.tag("invalid_before_rev")
            case .beforeRevNotSupported: writer.tag("before_rev_not_supported")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListRevisionsMode: StoneValue {
        case path
        case id
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path id")
            switch tag.number {
            case 0: self = .path
            case 1: self = .id
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path: writer.tag("path")
            case .id: writer.tag("id")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct ListRevisionsResult: StoneValue {
        public var isDeleted: Bool
        public var entries: [Files.FileMetadata]
        public var hasMore: Bool
        public var serverDeleted: Date?

        public init(isDeleted: Bool, entries: [Files.FileMetadata], hasMore: Bool, serverDeleted: Date? = nil) {
            self.isDeleted = isDeleted
            self.entries = entries
            self.hasMore = hasMore
            self.serverDeleted = serverDeleted
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("is_deleted entries has_more server_deleted")
            isDeleted = try reader.bool(slot)
            entries = try reader.list(slot + 1)
            hasMore = try reader.bool(slot + 2)
            serverDeleted = try reader.optionalDate(slot + 3, .seconds)
        }

        public func write(to writer: StoneWriter) {
            writer.bool("is_deleted", isDeleted)
            writer.list("entries", entries)
            writer.bool("has_more", hasMore)
            writer.date("server_deleted", serverDeleted, .seconds)
        }
    }
}

extension Files {
    public struct LockConflictError: StoneError {
        public var lock: Files.FileLock

        public init(lock: Files.FileLock) {
            self.lock = lock
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("lock")
            lock = try reader.value(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.value("lock", lock)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [lock] }
    }
}

extension Files {
    public struct LockFileArg: StoneValue {
        public var path: String

        public init(path: String) {
            self.path = path
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path")
            path = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
        }
    }
}

extension Files {
    public struct LockFileBatchArg: StoneValue {
        public var entries: [Files.LockFileArg]

        public init(entries: [Files.LockFileArg]) {
            self.entries = entries
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries")
            entries = try reader.list(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
        }
    }
}

extension Files {
    public struct LockFileBatchResult: StoneValue {
        public var entries: [Files.LockFileResultEntry]

        public init(entries: [Files.LockFileResultEntry]) {
            self.entries = entries
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries")
            entries = try reader.list(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LockFileError: StoneError {
        case pathLookup(Files.LookupError)
        case tooManyWriteOperations
        case tooManyFiles
        case noWritePermission
        case cannotBeLocked
        case fileNotShared
        case lockConflict(Files.LockConflictError)
        case internalError
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path_lookup too_many_write_operations too_many_files no_write_permission cannot_be_locked file_not_shared lock_conflict internal_error")
            switch tag.number {
            case 0: self = .pathLookup(try reader.value(reader.payload(tag)))
            case 1: self = .tooManyWriteOperations
            case 2: self = .tooManyFiles
            case 3: self = .noWritePermission
            case 4: self = .cannotBeLocked
            case 5: self = .fileNotShared
            case 6: self = .lockConflict(try reader.flattened(tag))
            case 7: self = .internalError
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .pathLookup(let value):
                writer.tag("path_lookup")
                writer.value("path_lookup", value)
            case .tooManyWriteOperations: writer.tag("too_many_write_operations")
            case .tooManyFiles: writer.tag("too_many_files")
            case .noWritePermission: writer.tag("no_write_permission")
            case .cannotBeLocked: writer.tag("cannot_be_locked")
            case .fileNotShared: writer.tag("file_not_shared")
            case .lockConflict(let value):
                writer.tag("lock_conflict")
                value.write(to: writer)
            case .internalError: writer.tag("internal_error")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .pathLookup(let value): [value]
            case .lockConflict(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    public struct LockFileResult: StoneValue {
        public var metadata: Files.Metadata
        var _lock: Files.FileLock
        @available(*, deprecated)
        public var lock: Files.FileLock {
            get { _lock }
            set { _lock = newValue }
        }

        public init(metadata: Files.Metadata, lock: Files.FileLock) {
            self.metadata = metadata
            _lock = lock
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata lock")
            metadata = try reader.value(slot)
            _lock = try reader.value(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
            writer.value("lock", _lock)
        }
    }
}

extension Files {
    public enum LockFileResultEntry: StoneValue {
        case success(Files.LockFileResult)
        case failure(Files.LockFileError)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("success failure")
            switch tag.number {
            case 0: self = .success(try reader.flattened(tag))
            case 1: self = .failure(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .success(let value):
                writer.tag("success")
                value.write(to: writer)
            case .failure(let value):
                writer.tag("failure")
                writer.value("failure", value)
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LookupError: StoneError {
        case malformedPath(String?)
        case notFound
        case notFile
        case notFolder
        case restrictedContent
        case unsupportedContentType
        case locked
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("malformed_path not_found not_file not_folder restricted_content unsupported_content_type locked")
            switch tag.number {
            case 0: self = .malformedPath(try reader.optionalString(reader.payload(tag)))
            case 1: self = .notFound
            case 2: self = .notFile
            case 3: self = .notFolder
            case 4: self = .restrictedContent
            case 5: self = .unsupportedContentType
            case 6: self = .locked
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .malformedPath(let value):
                writer.tag("malformed_path")
                writer.string("malformed_path", value)
            case .notFound: writer.tag("not_found")
            case .notFile: writer.tag("not_file")
            case .notFolder: writer.tag("not_folder")
            case .restrictedContent: writer.tag("restricted_content")
            case .unsupportedContentType: writer.tag("unsupported_content_type")
            case .locked: writer.tag("locked")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public enum MediaInfo: StoneValue {
        case pending
        case metadata(Files.MediaMetadata)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("pending metadata")
            switch tag.number {
            case 0: self = .pending
            case 1: self = .metadata(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .pending: writer.tag("pending")
            case .metadata(let value):
                writer.tag("metadata")
                writer.value("metadata", value)
            }
        }
    }
}

extension Files {
    public enum MediaMetadata: StoneValue {
        case photo(Files.PhotoMetadata)
        case video(Files.VideoMetadata)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("photo video")
            switch tag.number {
            case 0: self = .photo(try reader.flattened(tag))
            case 1: self = .video(try reader.flattened(tag))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .photo(let value):
                writer.tag("photo")
                value.write(to: writer)
            case .video(let value):
                writer.tag("video")
                value.write(to: writer)
            }
        }

        public var dimensions: Files.Dimensions? {
            switch self {
            case .photo(let value): value.dimensions
            case .video(let value): value.dimensions
            }
        }

        public var location: Files.GpsCoordinates? {
            switch self {
            case .photo(let value): value.location
            case .video(let value): value.location
            }
        }

        public var timeTaken: Date? {
            switch self {
            case .photo(let value): value.timeTaken
            case .video(let value): value.timeTaken
            }
        }
    }
}

extension Files {
    public enum Metadata: StoneValue {
        case file(Files.FileMetadata)
        case folder(Files.FolderMetadata)
        case deleted(Files.DeletedMetadata)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("file folder deleted")
            switch tag.number {
            case 0: self = .file(try reader.flattened(tag))
            case 1: self = .folder(try reader.flattened(tag))
            case 2: self = .deleted(try reader.flattened(tag))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .file(let value):
                writer.tag("file")
                value.write(to: writer)
            case .folder(let value):
                writer.tag("folder")
                value.write(to: writer)
            case .deleted(let value):
                writer.tag("deleted")
                value.write(to: writer)
            }
        }

        public var name: String {
            switch self {
            case .file(let value): value.name
            case .folder(let value): value.name
            case .deleted(let value): value.name
            }
        }

        public var pathLower: String? {
            switch self {
            case .file(let value): value.pathLower
            case .folder(let value): value.pathLower
            case .deleted(let value): value.pathLower
            }
        }

        public var pathDisplay: String? {
            switch self {
            case .file(let value): value.pathDisplay
            case .folder(let value): value.pathDisplay
            case .deleted(let value): value.pathDisplay
            }
        }

        @available(*, deprecated)
        public var parentSharedFolderID: String? {
            switch self {
            case .file(let value): value.parentSharedFolderID
            case .folder(let value): value.parentSharedFolderID
            case .deleted(let value): value.parentSharedFolderID
            }
        }

        public var previewURL: String? {
            switch self {
            case .file(let value): value.previewURL
            case .folder(let value): value.previewURL
            case .deleted(let value): value.previewURL
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum MetadataV2: StoneValue {
        case metadata(Files.Metadata)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("metadata")
            switch tag.number {
            case 0: self = .metadata(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .metadata(let value):
                writer.tag("metadata")
                writer.value("metadata", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct MinimalFileLinkMetadata: StoneValue {
        public var url: String
        public var rev: String
        public var id: String?
        public var path: String?

        public init(url: String, rev: String, id: String? = nil, path: String? = nil) {
            self.url = url
            self.rev = rev
            self.id = id
            self.path = path
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url rev id path")
            url = try reader.string(slot)
            rev = try reader.string(slot + 1)
            id = try reader.optionalString(slot + 2)
            path = try reader.optionalString(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.string("rev", rev)
            writer.string("id", id)
            writer.string("path", path)
        }
    }
}

extension Files {
    public struct MoveBatchArg: StoneValue {
        public var entries: [Files.RelocationPath]
        public var autorename: Bool
        public var allowOwnershipTransfer: Bool

        public init(entries: [Files.RelocationPath], autorename: Bool = false, allowOwnershipTransfer: Bool = false) {
            self.entries = entries
            self.autorename = autorename
            self.allowOwnershipTransfer = allowOwnershipTransfer
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries autorename allow_ownership_transfer")
            entries = try reader.list(slot)
            autorename = try reader.optionalBool(slot + 1) ?? false
            allowOwnershipTransfer = try reader.optionalBool(slot + 2) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
            writer.bool("autorename", autorename)
            writer.bool("allow_ownership_transfer", allowOwnershipTransfer)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum MoveIntoFamilyError: StoneError {
        case isSharedFolder
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("is_shared_folder")
            switch tag.number {
            case 0: self = .isSharedFolder
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .isSharedFolder: writer.tag("is_shared_folder")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum MoveIntoVaultError: StoneError {
        case isSharedFolder
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("is_shared_folder")
            switch tag.number {
            case 0: self = .isSharedFolder
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .isSharedFolder: writer.tag("is_shared_folder")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PaperContentError: StoneValue {
        case insufficientPermissions
        case contentMalformed
        case docLengthExceeded
        case imageSizeExceeded
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("insufficient_permissions content_malformed doc_length_exceeded image_size_exceeded")
            switch tag.number {
            case 0: self = .insufficientPermissions
            case 1: self = .contentMalformed
            case 2: self = .docLengthExceeded
            case 3: self = .imageSizeExceeded
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .insufficientPermissions: writer.tag("insufficient_permissions")
            case .contentMalformed: writer.tag("content_malformed")
            case .docLengthExceeded: writer.tag("doc_length_exceeded")
            case .imageSizeExceeded: writer.tag("image_size_exceeded")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct PaperCreateArg: StoneValue {
        public var path: String
        public var importFormat: Files.ImportFormat

        public init(path: String, importFormat: Files.ImportFormat) {
            self.path = path
            self.importFormat = importFormat
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path import_format")
            path = try reader.string(slot)
            importFormat = try reader.value(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.value("import_format", importFormat)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PaperCreateError: StoneError {
        case insufficientPermissions
        case contentMalformed
        case docLengthExceeded
        case imageSizeExceeded
        case invalidPath
        case emailUnverified
        case invalidFileExtension
        case paperDisabled
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("insufficient_permissions content_malformed doc_length_exceeded image_size_exceeded invalid_path email_unverified invalid_file_extension paper_disabled")
            switch tag.number {
            case 0: self = .insufficientPermissions
            case 1: self = .contentMalformed
            case 2: self = .docLengthExceeded
            case 3: self = .imageSizeExceeded
            case 4: self = .invalidPath
            case 5: self = .emailUnverified
            case 6: self = .invalidFileExtension
            case 7: self = .paperDisabled
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .insufficientPermissions: writer.tag("insufficient_permissions")
            case .contentMalformed: writer.tag("content_malformed")
            case .docLengthExceeded: writer.tag("doc_length_exceeded")
            case .imageSizeExceeded: writer.tag("image_size_exceeded")
            case .invalidPath: writer.tag("invalid_path")
            case .emailUnverified: writer.tag("email_unverified")
            case .invalidFileExtension: writer.tag("invalid_file_extension")
            case .paperDisabled: writer.tag("paper_disabled")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct PaperCreateResult: StoneValue {
        public var url: String
        public var resultPath: String
        public var fileID: String
        public var paperRevision: Int64

        public init(url: String, resultPath: String, fileID: String, paperRevision: Int64) {
            self.url = url
            self.resultPath = resultPath
            self.fileID = fileID
            self.paperRevision = paperRevision
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url result_path file_id paper_revision")
            url = try reader.string(slot)
            resultPath = try reader.string(slot + 1)
            fileID = try reader.string(slot + 2)
            paperRevision = try reader.int64(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.string("result_path", resultPath)
            writer.string("file_id", fileID)
            writer.int64("paper_revision", paperRevision)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PaperDocUpdatePolicy: StoneValue {
        case update
        case overwrite
        case prepend
        case append
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("update overwrite prepend append")
            switch tag.number {
            case 0: self = .update
            case 1: self = .overwrite
            case 2: self = .prepend
            case 3: self = .append
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .update: writer.tag("update")
            case .overwrite: writer.tag("overwrite")
            case .prepend: writer.tag("prepend")
            case .append: writer.tag("append")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct PaperUpdateArg: StoneValue {
        public var path: String
        public var importFormat: Files.ImportFormat
        public var docUpdatePolicy: Files.PaperDocUpdatePolicy
        public var paperRevision: Int64?

        public init(
            path: String, importFormat: Files.ImportFormat, docUpdatePolicy: Files.PaperDocUpdatePolicy,
            paperRevision: Int64? = nil
        ) {
            self.path = path
            self.importFormat = importFormat
            self.docUpdatePolicy = docUpdatePolicy
            self.paperRevision = paperRevision
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path import_format doc_update_policy paper_revision")
            path = try reader.string(slot)
            importFormat = try reader.value(slot + 1)
            docUpdatePolicy = try reader.value(slot + 2)
            paperRevision = try reader.optionalInt64(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.value("import_format", importFormat)
            writer.value("doc_update_policy", docUpdatePolicy)
            writer.int64("paper_revision", paperRevision)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PaperUpdateError: StoneError {
        case insufficientPermissions
        case contentMalformed
        case docLengthExceeded
        case imageSizeExceeded
        case path(Files.LookupError)
        case revisionMismatch
        case docArchived
        case docDeleted
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("insufficient_permissions content_malformed doc_length_exceeded image_size_exceeded path revision_mismatch doc_archived doc_deleted")
            switch tag.number {
            case 0: self = .insufficientPermissions
            case 1: self = .contentMalformed
            case 2: self = .docLengthExceeded
            case 3: self = .imageSizeExceeded
            case 4: self = .path(try reader.value(reader.payload(tag)))
            case 5: self = .revisionMismatch
            case 6: self = .docArchived
            case 7: self = .docDeleted
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .insufficientPermissions: writer.tag("insufficient_permissions")
            case .contentMalformed: writer.tag("content_malformed")
            case .docLengthExceeded: writer.tag("doc_length_exceeded")
            case .imageSizeExceeded: writer.tag("image_size_exceeded")
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .revisionMismatch: writer.tag("revision_mismatch")
            case .docArchived: writer.tag("doc_archived")
            case .docDeleted: writer.tag("doc_deleted")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    public struct PaperUpdateResult: StoneValue {
        public var paperRevision: Int64

        public init(paperRevision: Int64) {
            self.paperRevision = paperRevision
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("paper_revision")
            paperRevision = try reader.int64(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.int64("paper_revision", paperRevision)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PathOrLink: StoneValue {
        case path(String)
        case link(Files.SharedLinkFileInfo)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path link")
            switch tag.number {
            case 0: self = .path(try reader.string(reader.payload(tag)))
            case 1: self = .link(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.string("path", value)
            case .link(let value):
                writer.tag("link")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct PathToTags: StoneValue {
        public var path: String
        public var tags: [Files.Tag]

        public init(path: String, tags: [Files.Tag]) {
            self.path = path
            self.tags = tags
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path tags")
            path = try reader.string(slot)
            tags = try reader.list(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.list("tags", tags)
        }
    }
}

extension Files {
    public struct PhotoMetadata: StoneValue {
        public var dimensions: Files.Dimensions?
        public var location: Files.GpsCoordinates?
        public var timeTaken: Date?

        public init(
            dimensions: Files.Dimensions? = nil, location: Files.GpsCoordinates? = nil, timeTaken: Date? = nil
        ) {
            self.dimensions = dimensions
            self.location = location
            self.timeTaken = timeTaken
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("dimensions location time_taken")
            dimensions = try reader.optionalValue(slot)
            location = try reader.optionalValue(slot + 1)
            timeTaken = try reader.optionalDate(slot + 2, .seconds)
        }

        public func write(to writer: StoneWriter) {
            writer.value("dimensions", dimensions)
            writer.value("location", location)
            writer.date("time_taken", timeTaken, .seconds)
        }
    }
}

extension Files {
    public struct PreviewArg: StoneValue {
        public var path: String
        var _rev: String?
        @available(*, deprecated)
        public var rev: String? {
            get { _rev }
            set { _rev = newValue }
        }

        public init(path: String, rev: String? = nil) {
            self.path = path
            _rev = rev
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path rev")
            path = try reader.string(slot)
            _rev = try reader.optionalString(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("rev", _rev)
        }
    }
}

extension Files {
    public enum PreviewError: StoneError {
        case path(Files.LookupError)
        case inProgress
        case unsupportedExtension
        case unsupportedContent

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path in_progress unsupported_extension unsupported_content")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .inProgress
            case 2: self = .unsupportedExtension
            case 3: self = .unsupportedContent
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .inProgress: writer.tag("in_progress")
            case .unsupportedExtension: writer.tag("unsupported_extension")
            case .unsupportedContent: writer.tag("unsupported_content")
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    public struct PreviewResult: StoneValue {
        public var fileMetadata: Files.FileMetadata?
        public var linkMetadata: Files.MinimalFileLinkMetadata?

        public init(fileMetadata: Files.FileMetadata? = nil, linkMetadata: Files.MinimalFileLinkMetadata? = nil) {
            self.fileMetadata = fileMetadata
            self.linkMetadata = linkMetadata
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file_metadata link_metadata")
            fileMetadata = try reader.optionalValue(slot)
            linkMetadata = try reader.optionalValue(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.value("file_metadata", fileMetadata)
            writer.value("link_metadata", linkMetadata)
        }
    }
}

extension Files {
    public struct RelocationArg: StoneValue {
        public var fromPath: String
        public var toPath: String
        var _allowSharedFolder: Bool
        @available(*, deprecated)
        public var allowSharedFolder: Bool {
            get { _allowSharedFolder }
            set { _allowSharedFolder = newValue }
        }
        public var autorename: Bool
        public var allowOwnershipTransfer: Bool

        public init(
            fromPath: String, toPath: String, allowSharedFolder: Bool = false, autorename: Bool = false,
            allowOwnershipTransfer: Bool = false
        ) {
            self.fromPath = fromPath
            self.toPath = toPath
            _allowSharedFolder = allowSharedFolder
            self.autorename = autorename
            self.allowOwnershipTransfer = allowOwnershipTransfer
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("from_path to_path allow_shared_folder autorename allow_ownership_transfer")
            fromPath = try reader.string(slot)
            toPath = try reader.string(slot + 1)
            _allowSharedFolder = try reader.optionalBool(slot + 2) ?? false
            autorename = try reader.optionalBool(slot + 3) ?? false
            allowOwnershipTransfer = try reader.optionalBool(slot + 4) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.string("from_path", fromPath)
            writer.string("to_path", toPath)
            writer.bool("allow_shared_folder", _allowSharedFolder)
            writer.bool("autorename", autorename)
            writer.bool("allow_ownership_transfer", allowOwnershipTransfer)
        }
    }
}

extension Files {
    public struct RelocationBatchArg: StoneValue {
        public var entries: [Files.RelocationPath]
        public var autorename: Bool
        var _allowSharedFolder: Bool
        @available(*, deprecated)
        public var allowSharedFolder: Bool {
            get { _allowSharedFolder }
            set { _allowSharedFolder = newValue }
        }
        public var allowOwnershipTransfer: Bool

        public init(
            entries: [Files.RelocationPath], autorename: Bool = false, allowSharedFolder: Bool = false,
            allowOwnershipTransfer: Bool = false
        ) {
            self.entries = entries
            self.autorename = autorename
            _allowSharedFolder = allowSharedFolder
            self.allowOwnershipTransfer = allowOwnershipTransfer
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries autorename allow_shared_folder allow_ownership_transfer")
            entries = try reader.list(slot)
            autorename = try reader.optionalBool(slot + 1) ?? false
            _allowSharedFolder = try reader.optionalBool(slot + 2) ?? false
            allowOwnershipTransfer = try reader.optionalBool(slot + 3) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
            writer.bool("autorename", autorename)
            writer.bool("allow_shared_folder", _allowSharedFolder)
            writer.bool("allow_ownership_transfer", allowOwnershipTransfer)
        }
    }
}

extension Files {
    public struct RelocationBatchArgBase: StoneValue {
        public var entries: [Files.RelocationPath]
        public var autorename: Bool

        public init(entries: [Files.RelocationPath], autorename: Bool = false) {
            self.entries = entries
            self.autorename = autorename
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries autorename")
            entries = try reader.list(slot)
            autorename = try reader.optionalBool(slot + 1) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
            writer.bool("autorename", autorename)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RelocationBatchError: StoneError {
        case fromLookup(Files.LookupError)
        case fromWrite(Files.WriteError)
        case to(Files.WriteError)
        case cantCopySharedFolder
        case cantNestSharedFolder
        case cantMoveFolderIntoItself
        case tooManyFiles
        case duplicatedOrNestedPaths
        case cantTransferOwnership
        case insufficientQuota
        case internalError
        case cantMoveSharedFolder
        case cantMoveIntoVault(Files.MoveIntoVaultError)
        case cantMoveIntoFamily(Files.MoveIntoFamilyError)
        case tooManyWriteOperations
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("from_lookup from_write to cant_copy_shared_folder cant_nest_shared_folder cant_move_folder_into_itself too_many_files duplicated_or_nested_paths cant_transfer_ownership insufficient_quota internal_error cant_move_shared_folder cant_move_into_vault cant_move_into_family too_many_write_operations")
            switch tag.number {
            case 0: self = .fromLookup(try reader.value(reader.payload(tag)))
            case 1: self = .fromWrite(try reader.value(reader.payload(tag)))
            case 2: self = .to(try reader.value(reader.payload(tag)))
            case 3: self = .cantCopySharedFolder
            case 4: self = .cantNestSharedFolder
            case 5: self = .cantMoveFolderIntoItself
            case 6: self = .tooManyFiles
            case 7: self = .duplicatedOrNestedPaths
            case 8: self = .cantTransferOwnership
            case 9: self = .insufficientQuota
            case 10: self = .internalError
            case 11: self = .cantMoveSharedFolder
            case 12: self = .cantMoveIntoVault(try reader.value(reader.payload(tag)))
            case 13: self = .cantMoveIntoFamily(try reader.value(reader.payload(tag)))
            case 14: self = .tooManyWriteOperations
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .fromLookup(let value):
                writer.tag("from_lookup")
                writer.value("from_lookup", value)
            case .fromWrite(let value):
                writer.tag("from_write")
                writer.value("from_write", value)
            case .to(let value):
                writer.tag("to")
                writer.value("to", value)
            case .cantCopySharedFolder: writer.tag("cant_copy_shared_folder")
            case .cantNestSharedFolder: writer.tag("cant_nest_shared_folder")
            case .cantMoveFolderIntoItself: writer.tag("cant_move_folder_into_itself")
            case .tooManyFiles: writer.tag("too_many_files")
            case .duplicatedOrNestedPaths: writer.tag("duplicated_or_nested_paths")
            case .cantTransferOwnership: writer.tag("cant_transfer_ownership")
            case .insufficientQuota: writer.tag("insufficient_quota")
            case .internalError: writer.tag("internal_error")
            case .cantMoveSharedFolder: writer.tag("cant_move_shared_folder")
            case .cantMoveIntoVault(let value):
                writer.tag("cant_move_into_vault")
                writer.value("cant_move_into_vault", value)
            case .cantMoveIntoFamily(let value):
                writer.tag("cant_move_into_family")
                writer.value("cant_move_into_family", value)
            case .tooManyWriteOperations: writer.tag("too_many_write_operations")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .fromLookup(let value): [value]
            case .fromWrite(let value): [value]
            case .to(let value): [value]
            case .cantMoveIntoVault(let value): [value]
            case .cantMoveIntoFamily(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RelocationBatchErrorEntry: StoneValue {
        case relocationError(Files.RelocationError)
        case internalError
        case tooManyWriteOperations
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("relocation_error internal_error too_many_write_operations")
            switch tag.number {
            case 0: self = .relocationError(try reader.value(reader.payload(tag)))
            case 1: self = .internalError
            case 2: self = .tooManyWriteOperations
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .relocationError(let value):
                writer.tag("relocation_error")
                writer.value("relocation_error", value)
            case .internalError: writer.tag("internal_error")
            case .tooManyWriteOperations: writer.tag("too_many_write_operations")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public enum RelocationBatchJobStatus: StoneValue {
        case inProgress
        case complete(Files.RelocationBatchResult)
        case failed(Files.RelocationBatchError)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("in_progress complete failed")
            switch tag.number {
            case 0: self = .inProgress
            case 1: self = .complete(try reader.flattened(tag))
            case 2: self = .failed(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .inProgress: writer.tag("in_progress")
            case .complete(let value):
                writer.tag("complete")
                value.write(to: writer)
            case .failed(let value):
                writer.tag("failed")
                writer.value("failed", value)
            }
        }
    }
}
