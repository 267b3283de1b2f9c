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
    public struct AddTagArg: StoneValue {
        public var path: String
        public var tagText: String

        public init(path: String, tagText: String) {
            self.path = path
            self.tagText = tagText
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path tag_text")
            path = try reader.string(slot)
            tagText = try reader.string(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("tag_text", tagText)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AddTagError: StoneError {
        case path(Files.LookupError)
        case tooManyTags
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path too_many_tags")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .tooManyTags
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .tooManyTags: writer.tag("too_many_tags")
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
    public struct AlphaGetMetadataArg: StoneValue {
        public var path: String
        public var includeMediaInfo: Bool
        public var includeDeleted: Bool
        public var includeHasExplicitSharedMembers: Bool
        public var includePropertyGroups: FileProperties.TemplateFilterBase?
        var _includePropertyTemplates: [String]?
        @available(*, deprecated)
        public var includePropertyTemplates: [String]? {
            get { _includePropertyTemplates }
            set { _includePropertyTemplates = newValue }
        }

        public init(
            path: String, includeMediaInfo: Bool = false, includeDeleted: Bool = false,
            includeHasExplicitSharedMembers: Bool = false,
            includePropertyGroups: FileProperties.TemplateFilterBase? = nil, includePropertyTemplates: [String]? = nil
        ) {
            self.path = path
            self.includeMediaInfo = includeMediaInfo
            self.includeDeleted = includeDeleted
            self.includeHasExplicitSharedMembers = includeHasExplicitSharedMembers
            self.includePropertyGroups = includePropertyGroups
            _includePropertyTemplates = includePropertyTemplates
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path include_media_info include_deleted include_has_explicit_shared_members include_property_groups include_property_templates")
            path = try reader.string(slot)
            includeMediaInfo = try reader.optionalBool(slot + 1) ?? false
            includeDeleted = try reader.optionalBool(slot + 2) ?? false
            includeHasExplicitSharedMembers = try reader.optionalBool(slot + 3) ?? false
            includePropertyGroups = try reader.optionalValue(slot + 4)
            _includePropertyTemplates = try reader.optionalStrings(slot + 5)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.bool("include_media_info", includeMediaInfo)
            writer.bool("include_deleted", includeDeleted)
            writer.bool("include_has_explicit_shared_members", includeHasExplicitSharedMembers)
            writer.value("include_property_groups", includePropertyGroups)
            writer.strings("include_property_templates", _includePropertyTemplates)
        }
    }
}

extension Files {
    public enum AlphaGetMetadataError: StoneError {
        case path(Files.LookupError)
        case propertiesError(FileProperties.LookUpPropertiesError)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path properties_error")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .propertiesError(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .propertiesError(let value):
                writer.tag("properties_error")
                writer.value("properties_error", value)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            case .propertiesError(let value): [value]
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum BaseTagError: StoneError {
        case path(Files.LookupError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
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
    public struct CommitInfo: StoneValue {
        public var path: String
        public var mode: Files.WriteMode
        public var autorename: Bool
        public var clientModified: Date?
        public var mute: Bool
        public var propertyGroups: [FileProperties.PropertyGroup]?
        public var strictConflict: Bool

        public init(
            path: String, mode: Files.WriteMode = Files.WriteMode.add, autorename: Bool = false,
            clientModified: Date? = nil, mute: Bool = false, propertyGroups: [FileProperties.PropertyGroup]? = nil,
            strictConflict: Bool = false
        ) {
            self.path = path
            self.mode = mode
            self.autorename = autorename
            self.clientModified = clientModified
            self.mute = mute
            self.propertyGroups = propertyGroups
            self.strictConflict = strictConflict
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path mode autorename client_modified mute property_groups strict_conflict")
            path = try reader.string(slot)
            mode = try reader.optionalValue(slot + 1) ?? Files.WriteMode.add
            autorename = try reader.optionalBool(slot + 2) ?? false
            clientModified = try reader.optionalDate(slot + 3, .seconds)
            mute = try reader.optionalBool(slot + 4) ?? false
            propertyGroups = try reader.optionalList(slot + 5)
            strictConflict = try reader.optionalBool(slot + 6) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.value("mode", mode)
            writer.bool("autorename", autorename)
            writer.date("client_modified", clientModified, .seconds)
            writer.bool("mute", mute)
            writer.list("property_groups", propertyGroups)
            writer.bool("strict_conflict", strictConflict)
        }
    }
}

extension Files {
    public struct ContentSyncSetting: StoneValue {
        public var id: String
        public var syncSetting: Files.SyncSetting

        public init(id: String, syncSetting: Files.SyncSetting) {
            self.id = id
            self.syncSetting = syncSetting
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id sync_setting")
            id = try reader.string(slot)
            syncSetting = try reader.value(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.value("sync_setting", syncSetting)
        }
    }
}

extension Files {
    public struct ContentSyncSettingArg: StoneValue {
        public var id: String
        public var syncSetting: Files.SyncSettingArg

        public init(id: String, syncSetting: Files.SyncSettingArg) {
            self.id = id
            self.syncSetting = syncSetting
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id sync_setting")
            id = try reader.string(slot)
            syncSetting = try reader.value(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.value("sync_setting", syncSetting)
        }
    }
}

extension Files {
    public struct CreateFolderArg: StoneValue {
        public var path: String
        public var autorename: Bool

        public init(path: String, autorename: Bool = false) {
            self.path = path
            self.autorename = autorename
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path autorename")
            path = try reader.string(slot)
            autorename = try reader.optionalBool(slot + 1) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.bool("autorename", autorename)
        }
    }
}

extension Files {
    public struct CreateFolderBatchArg: StoneValue {
        public var paths: [String]
        public var autorename: Bool
        public var forceAsync: Bool

        public init(paths: [String], autorename: Bool = false, forceAsync: Bool = false) {
            self.paths = paths
            self.autorename = autorename
            self.forceAsync = forceAsync
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("paths autorename force_async")
            paths = try reader.strings(slot)
            autorename = try reader.optionalBool(slot + 1) ?? false
            forceAsync = try reader.optionalBool(slot + 2) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.strings("paths", paths)
            writer.bool("autorename", autorename)
            writer.bool("force_async", forceAsync)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CreateFolderBatchError: StoneError {
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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CreateFolderBatchJobStatus: StoneValue {
        case inProgress
        case complete(Files.CreateFolderBatchResult)
        case failed(Files.CreateFolderBatchError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("in_progress complete failed")
            switch tag.number {
            case 0: self = .inProgress
            case 1: self = .complete(try reader.flattened(tag))
            case 2: self = .failed(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
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
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CreateFolderBatchLaunch: StoneValue {
        case asyncJobID(String)
        case complete(Files.CreateFolderBatchResult)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("async_job_id complete")
            switch tag.number {
            case 0: self = .asyncJobID(try reader.string(reader.payload(tag)))
            case 1: self = .complete(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .asyncJobID(let value):
                writer.tag("async_job_id")
                writer.string("async_job_id", value)
            case .complete(let value):
                writer.tag("complete")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct CreateFolderBatchResult: StoneValue {
        public var entries: [Files.CreateFolderBatchResultEntry]

        public init(entries: [Files.CreateFolderBatchResultEntry]) {
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
    public enum CreateFolderBatchResultEntry: StoneValue {
        case success(Files.CreateFolderEntryResult)
        case failure(Files.CreateFolderEntryError)

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
    public enum CreateFolderEntryError: StoneValue {
        case path(Files.WriteError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct CreateFolderEntryResult: StoneValue {
        public var metadata: Files.FolderMetadata

        public init(metadata: Files.FolderMetadata) {
            self.metadata = metadata
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata")
            metadata = try reader.value(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
        }
    }
}

extension Files {
    public enum CreateFolderError: StoneError {
        case path(Files.WriteError)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            }
        }
    }
}

extension Files {
    public struct CreateFolderResult: StoneValue {
        public var metadata: Files.FolderMetadata

        public init(metadata: Files.FolderMetadata) {
            self.metadata = metadata
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata")
            metadata = try reader.value(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
        }
    }
}

extension Files {
    public struct DeleteArg: StoneValue {
        public var path: String
        public var parentRev: String?

        public init(path: String, parentRev: String? = nil) {
            self.path = path
            self.parentRev = parentRev
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path parent_rev")
            path = try reader.string(slot)
            parentRev = try reader.optionalString(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("parent_rev", parentRev)
        }
    }
}

extension Files {
    public struct DeleteBatchArg: StoneValue {
        public var entries: [Files.DeleteArg]

        public init(entries: [Files.DeleteArg]) {
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
    public enum DeleteBatchError: StoneError {
        /// It should not be used any more.
        @available(*, deprecated)
        case tooManyWriteOperations
        /// A tag that the specs do not define.
        case other(UnknownTag)

        @available(*, deprecated)
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("too_many_write_operations")
            switch tag.number {
            case 0: self = .tooManyWriteOperations
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .tooManyWriteOperations: writer.tag("too_many_write_operations")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteBatchJobStatus: StoneValue {
        case inProgress
        case complete(Files.DeleteBatchResult)
        case failed(Files.DeleteBatchError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("in_progress complete failed")
            switch tag.number {
            case 0: self = .inProgress
            case 1: self = .complete(try reader.flattened(tag))
            case 2: self = .failed(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
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
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteBatchLaunch: StoneValue {
        case asyncJobID(String)
        case complete(Files.DeleteBatchResult)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("async_job_id complete")
            switch tag.number {
            case 0: self = .asyncJobID(try reader.string(reader.payload(tag)))
            case 1: self = .complete(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .asyncJobID(let value):
                writer.tag("async_job_id")
                writer.string("async_job_id", value)
            case .complete(let value):
                writer.tag("complete")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct DeleteBatchResult: StoneValue {
        public var entries: [Files.DeleteBatchResultEntry]

        public init(entries: [Files.DeleteBatchResultEntry]) {
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
    public struct DeleteBatchResultData: StoneValue {
        public var metadata: Files.Metadata

        public init(metadata: Files.Metadata) {
            self.metadata = metadata
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata")
            metadata = try reader.value(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
        }
    }
}

extension Files {
    public enum DeleteBatchResultEntry: StoneValue {
        case success(Files.DeleteBatchResultData)
        case failure(Files.DeleteError)

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
    public enum DeleteError: StoneError {
        case pathLookup(Files.LookupError)
        case pathWrite(Files.WriteError)
        case tooManyWriteOperations
        case tooManyFiles
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path_lookup path_write too_many_write_operations too_many_files")
            switch tag.number {
            case 0: self = .pathLookup(try reader.value(reader.payload(tag)))
            case 1: self = .pathWrite(try reader.value(reader.payload(tag)))
            case 2: self = .tooManyWriteOperations
            case 3: self = .tooManyFiles
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .pathLookup(let value):
                writer.tag("path_lookup")
                writer.value("path_lookup", value)
            case .pathWrite(let value):
                writer.tag("path_write")
                writer.value("path_write", value)
            case .tooManyWriteOperations: writer.tag("too_many_write_operations")
            case .tooManyFiles: writer.tag("too_many_files")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .pathLookup(let value): [value]
            case .pathWrite(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    public struct DeleteResult: StoneValue {
        public var metadata: Files.Metadata

        public init(metadata: Files.Metadata) {
            self.metadata = metadata
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata")
            metadata = try reader.value(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
        }
    }
}

extension Files {
    public struct DeletedMetadata: StoneValue {
        public var name: String
        public var pathLower: String?
        public var pathDisplay: String?
        var _parentSharedFolderID: String?
        @available(*, deprecated)
        public var parentSharedFolderID: String? {
            get { _parentSharedFolderID }
            set { _parentSharedFolderID = newValue }
        }
        public var previewURL: String?
        public var isRestorable: Bool?

        public init(
            name: String, pathLower: String? = nil, pathDisplay: String? = nil, parentSharedFolderID: String? = nil,
            previewURL: String? = nil, isRestorable: Bool? = nil
        ) {
            self.name = name
            self.pathLower = pathLower
            self.pathDisplay = pathDisplay
            _parentSharedFolderID = parentSharedFolderID
            self.previewURL = previewURL
            self.isRestorable = isRestorable
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name path_lower path_display parent_shared_folder_id preview_url is_restorable")
            name = try reader.string(slot)
            pathLower = try reader.optionalString(slot + 1)
            pathDisplay = try reader.optionalString(slot + 2)
            _parentSharedFolderID = try reader.optionalString(slot + 3)
            previewURL = try reader.optionalString(slot + 4)
            isRestorable = try reader.optionalBool(slot + 5)
        }

        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.string("path_lower", pathLower)
            writer.string("path_display", pathDisplay)
            writer.string("parent_shared_folder_id", _parentSharedFolderID)
            writer.string("preview_url", previewURL)
            writer.bool("is_restorable", isRestorable)
        }
    }
}

extension Files {
    public struct Dimensions: StoneValue {
        public var height: UInt64
        public var width: UInt64

        public init(height: UInt64, width: UInt64) {
            self.height = height
            self.width = width
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("height width")
            height = try reader.uint64(slot)
            width = try reader.uint64(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.uint64("height", height)
            writer.uint64("width", width)
        }
    }
}

extension Files {
    public struct DownloadArg: StoneValue {
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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DownloadError: StoneError {
        case path(Files.LookupError)
        case unsupportedFile
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path unsupported_file")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .unsupportedFile
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .unsupportedFile: writer.tag("unsupported_file")
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
    public struct DownloadZipArg: StoneValue {
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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DownloadZipError: StoneError {
        case path(Files.LookupError)
        case tooLarge
        case tooManyFiles
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path too_large too_many_files")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .tooLarge
            case 2: self = .tooManyFiles
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .tooLarge: writer.tag("too_large")
            case .tooManyFiles: writer.tag("too_many_files")
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
    public struct DownloadZipResult: StoneValue {
        public var metadata: Files.FolderMetadata

        public init(metadata: Files.FolderMetadata) {
            self.metadata = metadata
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata")
            metadata = try reader.value(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
        }
    }
}

extension Files {
    public struct ExportArg: StoneValue {
        public var path: String
        public var exportFormat: String?

        public init(path: String, exportFormat: String? = nil) {
            self.path = path
            self.exportFormat = exportFormat
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path export_format")
            path = try reader.string(slot)
            exportFormat = try reader.optionalString(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("export_format", exportFormat)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ExportError: StoneError {
        case path(Files.LookupError)
        case nonExportable
        case invalidExportFormat
        case retryError
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path non_exportable invalid_export_format retry_error")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .nonExportable
            case 2: self = .invalidExportFormat
            case 3: self = .retryError
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .nonExportable: writer.tag("non_exportable")
            case .invalidExportFormat: writer.tag("invalid_export_format")
            case .retryError: writer.tag("retry_error")
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
    public struct ExportInfo: StoneValue {
        public var exportAs: String?
        public var exportOptions: [String]?

        public init(exportAs: String? = nil, exportOptions: [String]? = nil) {
            self.exportAs = exportAs
            self.exportOptions = exportOptions
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("export_as export_options")
            exportAs = try reader.optionalString(slot)
            exportOptions = try reader.optionalStrings(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("export_as", exportAs)
            writer.strings("export_options", exportOptions)
        }
    }
}

extension Files {
    public struct ExportMetadata: StoneValue {
        public var name: String
        public var size: UInt64
        public var exportHash: String?
        public var paperRevision: Int64?

        public init(name: String, size: UInt64, exportHash: String? = nil, paperRevision: Int64? = nil) {
            self.name = name
            self.size = size
            self.exportHash = exportHash
            self.paperRevision = paperRevision
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name size export_hash paper_revision")
            name = try reader.string(slot)
            size = try reader.uint64(slot + 1)
            exportHash = try reader.optionalString(slot + 2)
            paperRevision = try reader.optionalInt64(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.uint64("size", size)
            writer.string("export_hash", exportHash)
            writer.int64("paper_revision", paperRevision)
        }
    }
}

extension Files {
    public struct ExportResult: StoneValue {
        public var exportMetadata: Files.ExportMetadata
        public var fileMetadata: Files.FileMetadata

        public init(exportMetadata: Files.ExportMetadata, fileMetadata: Files.FileMetadata) {
            self.exportMetadata = exportMetadata
            self.fileMetadata = fileMetadata
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("export_metadata file_metadata")
            exportMetadata = try reader.value(slot)
            fileMetadata = try reader.value(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.value("export_metadata", exportMetadata)
            writer.value("file_metadata", fileMetadata)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileCategory: StoneValue {
        case image
        case document
        case pdf
        case spreadsheet
        case presentation
        case audio
        case video
        case folder
        case paper
        case others
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("image document pdf spreadsheet presentation audio video folder paper others")
            switch tag.number {
            case 0: self = .image
            case 1: self = .document
            case 2: self = .pdf
            case 3: self = .spreadsheet
            case 4: self = .presentation
            case 5: self = .audio
            case 6: self = .video
            case 7: self = .folder
            case 8: self = .paper
            case 9: self = .others
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .image: writer.tag("image")
            case .document: writer.tag("document")
            case .pdf: writer.tag("pdf")
            case .spreadsheet: writer.tag("spreadsheet")
            case .presentation: writer.tag("presentation")
            case .audio: writer.tag("audio")
            case .video: writer.tag("video")
            case .folder: writer.tag("folder")
            case .paper: writer.tag("paper")
            case .others: writer.tag("others")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct FileLock: StoneError {
        public var content: Files.FileLockContent

        public init(content: Files.FileLockContent) {
            self.content = content
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("content")
            content = try reader.value(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.value("content", content)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [content] }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileLockContent: StoneError {
        case unlocked
        case singleUser(Files.SingleUserLock)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("unlocked single_user")
            switch tag.number {
            case 0: self = .unlocked
            case 1: self = .singleUser(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .unlocked: writer.tag("unlocked")
            case .singleUser(let value):
                writer.tag("single_user")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .singleUser(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    public struct FileLockMetadata: StoneValue {
        public var isLockholder: Bool?
        public var lockholderName: String?
        public var lockholderAccountID: String?
        public var created: Date?

        public init(
            isLockholder: Bool? = nil, lockholderName: String? = nil, lockholderAccountID: String? = nil,
            created: Date? = nil
        ) {
            self.isLockholder = isLockholder
            self.lockholderName = lockholderName
            self.lockholderAccountID = lockholderAccountID
            self.created = created
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("is_lockholder lockholder_name lockholder_account_id created")
            isLockholder = try reader.optionalBool(slot)
            lockholderName = try reader.optionalString(slot + 1)
            lockholderAccountID = try reader.optionalString(slot + 2)
            created = try reader.optionalDate(slot + 3, .seconds)
        }

        public func write(to writer: StoneWriter) {
            writer.bool("is_lockholder", isLockholder)
            writer.string("lockholder_name", lockholderName)
            writer.string("lockholder_account_id", lockholderAccountID)
            writer.date("created", created, .seconds)
        }
    }
}

extension Files {
    public struct FileMetadata: StoneValue {
        public var name: String
        public var id: String
        public var clientModified: Date
        public var serverModified: Date
        public var rev: String
        public var size: UInt64
        public var pathLower: String?
        public var pathDisplay: String?
        var _parentSharedFolderID: String?
        @available(*, deprecated)
        public var parentSharedFolderID: String? {
            get { _parentSharedFolderID }
            set { _parentSharedFolderID = newValue }
        }
        public var previewURL: String?
        public var mediaInfo: Files.MediaInfo?
        public var symlinkInfo: Files.SymlinkInfo?
        public var sharingInfo: Files.FileSharingInfo?
        public var isDownloadable: Bool
        public var exportInfo: Files.ExportInfo?
        public var propertyGroups: [FileProperties.PropertyGroup]?
        public var hasExplicitSharedMembers: Bool?
        public var contentHash: String?
        public var fileLockInfo: Files.FileLockMetadata?
        public var isRestorable: Bool?

        public init(
            name: String, id: String, clientModified: Date, serverModified: Date, rev: String, size: UInt64,
            pathLower: String? = nil, pathDisplay: String? = nil, parentSharedFolderID: String? = nil,
            previewURL: String? = nil, mediaInfo: Files.MediaInfo? = nil, symlinkInfo: Files.SymlinkInfo? = nil,
            sharingInfo: Files.FileSharingInfo? = nil, isDownloadable: Bool = true,
            exportInfo: Files.ExportInfo? = nil, propertyGroups: [FileProperties.PropertyGroup]? = nil,
            hasExplicitSharedMembers: Bool? = nil, contentHash: String? = nil,
            fileLockInfo: Files.FileLockMetadata? = nil, isRestorable: Bool? = nil
        ) {
            self.name = name
            self.id = id
            self.clientModified = clientModified
            self.serverModified = serverModified
            self.rev = rev
            self.size = size
            self.pathLower = pathLower
            self.pathDisplay = pathDisplay
            _parentSharedFolderID = parentSharedFolderID
            self.previewURL = previewURL
            self.mediaInfo = mediaInfo
            self.symlinkInfo = symlinkInfo
            self.sharingInfo = sharingInfo
            self.isDownloadable = isDownloadable
            self.exportInfo = exportInfo
            self.propertyGroups = propertyGroups
            self.hasExplicitSharedMembers = hasExplicitSharedMembers
            self.contentHash = contentHash
            self.fileLockInfo = fileLockInfo
            self.isRestorable = isRestorable
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name id client_modified server_modified rev size path_lower path_display parent_shared_folder_id preview_url media_info symlink_info sharing_info is_downloadable export_info property_groups has_explicit_shared_members content_hash file_lock_info is_restorable")
            name = try reader.string(slot)
            id = try reader.string(slot + 1)
            clientModified = try reader.date(slot + 2, .seconds)
            serverModified = try reader.date(slot + 3, .seconds)
            rev = try reader.string(slot + 4)
            size = try reader.uint64(slot + 5)
            pathLower = try reader.optionalString(slot + 6)
            pathDisplay = try reader.optionalString(slot + 7)
            _parentSharedFolderID = try reader.optionalString(slot + 8)
            previewURL = try reader.optionalString(slot + 9)
            mediaInfo = try reader.optionalValue(slot + 10)
            symlinkInfo = try reader.optionalValue(slot + 11)
            sharingInfo = try reader.optionalValue(slot + 12)
            isDownloadable = try reader.optionalBool(slot + 13) ?? true
            exportInfo = try reader.optionalValue(slot + 14)
            propertyGroups = try reader.optionalList(slot + 15)
            hasExplicitSharedMembers = try reader.optionalBool(slot + 16)
            contentHash = try reader.optionalString(slot + 17)
            fileLockInfo = try reader.optionalValue(slot + 18)
            isRestorable = try reader.optionalBool(slot + 19)
        }

        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.string("id", id)
            writer.date("client_modified", clientModified, .seconds)
            writer.date("server_modified", serverModified, .seconds)
            writer.string("rev", rev)
            writer.uint64("size", size)
            writer.string("path_lower", pathLower)
            writer.string("path_display", pathDisplay)
            writer.string("parent_shared_folder_id", _parentSharedFolderID)
            writer.string("preview_url", previewURL)
            writer.value("media_info", mediaInfo)
            writer.value("symlink_info", symlinkInfo)
            writer.value("sharing_info", sharingInfo)
            writer.bool("is_downloadable", isDownloadable)
            writer.value("export_info", exportInfo)
            writer.list("property_groups", propertyGroups)
            writer.bool("has_explicit_shared_members", hasExplicitSharedMembers)
            writer.string("content_hash", contentHash)
            writer.value("file_lock_info", fileLockInfo)
            writer.bool("is_restorable", isRestorable)
        }
    }
}

extension Files {
    public struct FileOpsResult: StoneValue {
        public init() {
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            _ = try reader.fields("")
        }

        public func write(to writer: StoneWriter) {}
    }
}

extension Files {
    public struct FileSharingInfo: StoneValue {
        public var readOnly: Bool
        public var parentSharedFolderID: String
        public var modifiedBy: String?

        public init(readOnly: Bool, parentSharedFolderID: String, modifiedBy: String? = nil) {
            self.readOnly = readOnly
            self.parentSharedFolderID = parentSharedFolderID
            self.modifiedBy = modifiedBy
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("read_only parent_shared_folder_id modified_by")
            readOnly = try reader.bool(slot)
            parentSharedFolderID = try reader.string(slot + 1)
            modifiedBy = try reader.optionalString(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.bool("read_only", readOnly)
            writer.string("parent_shared_folder_id", parentSharedFolderID)
            writer.string("modified_by", modifiedBy)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileStatus: StoneValue {
        case active
        case deleted
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("active deleted")
            switch tag.number {
            case 0: self = .active
            case 1: self = .deleted
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .active: writer.tag("active")
            case .deleted: writer.tag("deleted")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct FolderMetadata: StoneValue {
        public var name: String
        public var id: String
        public var pathLower: String?
        public var pathDisplay: String?
        var _parentSharedFolderID: String?
        @available(*, deprecated)
        public var parentSharedFolderID: String? {
            get { _parentSharedFolderID }
            set { _parentSharedFolderID = newValue }
        }
        public var previewURL: String?
        var _sharedFolderID: String?
        @available(*, deprecated)
        public var sharedFolderID: String? {
            get { _sharedFolderID }
            set { _sharedFolderID = newValue }
        }
        public var sharingInfo: Files.FolderSharingInfo?
        public var propertyGroups: [FileProperties.PropertyGroup]?

        public init(
            name: String, id: String, pathLower: String? = nil, pathDisplay: String? = nil,
            parentSharedFolderID: String? = nil, previewURL: String? = nil, sharedFolderID: String? = nil,
            sharingInfo: Files.FolderSharingInfo? = nil, propertyGroups: [FileProperties.PropertyGroup]? = nil
        ) {
            self.name = name
            self.id = id
            self.pathLower = pathLower
            self.pathDisplay = pathDisplay
            _parentSharedFolderID = parentSharedFolderID
            self.previewURL = previewURL
            _sharedFolderID = sharedFolderID
            self.sharingInfo = sharingInfo
            self.propertyGroups = propertyGroups
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name id path_lower path_display parent_shared_folder_id preview_url shared_folder_id sharing_info property_groups")
            name = try reader.string(slot)
            id = try reader.string(slot + 1)
            pathLower = try reader.optionalString(slot + 2)
            pathDisplay = try reader.optionalString(slot + 3)
            _parentSharedFolderID = try reader.optionalString(slot + 4)
            previewURL = try reader.optionalString(slot + 5)
            _sharedFolderID = try reader.optionalString(slot + 6)
            sharingInfo = try reader.optionalValue(slot + 7)
            propertyGroups = try reader.optionalList(slot + 8)
        }

        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.string("id", id)
            writer.string("path_lower", pathLower)
            writer.string("path_display", pathDisplay)
            writer.string("parent_shared_folder_id", _parentSharedFolderID)
            writer.string("preview_url", previewURL)
            writer.string("shared_folder_id", _sharedFolderID)
            writer.value("sharing_info", sharingInfo)
            writer.list("property_groups", propertyGroups)
        }
    }
}

extension Files {
    public struct FolderSharingInfo: StoneValue {
        public var readOnly: Bool
        public var parentSharedFolderID: String?
        public var sharedFolderID: String?
        public var traverseOnly: Bool
        public var noAccess: Bool

        public init(
            readOnly: Bool, parentSharedFolderID: String? = nil, sharedFolderID: String? = nil,
            traverseOnly: Bool = false, noAccess: Bool = false
        ) {
            self.readOnly = readOnly
            self.parentSharedFolderID = parentSharedFolderID
            self.sharedFolderID = sharedFolderID
            self.traverseOnly = traverseOnly
            self.noAccess = noAccess
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("read_only parent_shared_folder_id shared_folder_id traverse_only no_access")
            readOnly = try reader.bool(slot)
            parentSharedFolderID = try reader.optionalString(slot + 1)
            sharedFolderID = try reader.optionalString(slot + 2)
            traverseOnly = try reader.optionalBool(slot + 3) ?? false
            noAccess = try reader.optionalBool(slot + 4) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.bool("read_only", readOnly)
            writer.string("parent_shared_folder_id", parentSharedFolderID)
            writer.string("shared_folder_id", sharedFolderID)
            writer.bool("traverse_only", traverseOnly)
            writer.bool("no_access", noAccess)
        }
    }
}

extension Files {
    public struct GetCopyReferenceArg: StoneValue {
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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetCopyReferenceError: StoneError {
        case path(Files.LookupError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
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
    public struct GetCopyReferenceResult: StoneValue {
        public var metadata: Files.Metadata
        public var copyReference: String
        public var expires: Date

        public init(metadata: Files.Metadata, copyReference: String, expires: Date) {
            self.metadata = metadata
            self.copyReference = copyReference
            self.expires = expires
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata copy_reference expires")
            metadata = try reader.value(slot)
            copyReference = try reader.string(slot + 1)
            expires = try reader.date(slot + 2, .seconds)
        }

        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
            writer.string("copy_reference", copyReference)
            writer.date("expires", expires, .seconds)
        }
    }
}

extension Files {
    public struct GetMetadataArg: StoneValue {
        public var path: String
        public var includeMediaInfo: Bool
        public var includeDeleted: Bool
        public var includeHasExplicitSharedMembers: Bool
        public var includePropertyGroups: FileProperties.TemplateFilterBase?

        public init(
            path: String, includeMediaInfo: Bool = false, includeDeleted: Bool = false,
            includeHasExplicitSharedMembers: Bool = false,
            includePropertyGroups: FileProperties.TemplateFilterBase? = nil
        ) {
            self.path = path
            self.includeMediaInfo = includeMediaInfo
            self.includeDeleted = includeDeleted
            self.includeHasExplicitSharedMembers = includeHasExplicitSharedMembers
            self.includePropertyGroups = includePropertyGroups
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path include_media_info include_deleted include_has_explicit_shared_members include_property_groups")
            path = try reader.string(slot)
            includeMediaInfo = try reader.optionalBool(slot + 1) ?? false
            includeDeleted = try reader.optionalBool(slot + 2) ?? false
            includeHasExplicitSharedMembers = try reader.optionalBool(slot + 3) ?? false
            includePropertyGroups = try reader.optionalValue(slot + 4)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.bool("include_media_info", includeMediaInfo)
            writer.bool("include_deleted", includeDeleted)
            writer.bool("include_has_explicit_shared_members", includeHasExplicitSharedMembers)
            writer.value("include_property_groups", includePropertyGroups)
        }
    }
}

extension Files {
    public enum GetMetadataError: StoneError {
        case path(Files.LookupError)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            }
        }
    }
}

extension Files {
    public struct GetTagsArg: StoneValue {
        public var paths: [String]

        public init(paths: [String]) {
            self.paths = paths
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("paths")
            paths = try reader.strings(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.strings("paths", paths)
        }
    }
}

extension Files {
    public struct GetTagsResult: StoneValue {
        public var pathsToTags: [Files.PathToTags]

        public init(pathsToTags: [Files.PathToTags]) {
            self.pathsToTags = pathsToTags
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("paths_to_tags")
            pathsToTags = try reader.list(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.list("paths_to_tags", pathsToTags)
        }
    }
}

extension Files {
    public struct GetTemporaryLinkArg: StoneValue {
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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetTemporaryLinkError: StoneError {
        case path(Files.LookupError)
        case emailNotVerified
        case unsupportedFile
        case notAllowed
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path email_not_verified unsupported_file not_allowed")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .emailNotVerified
            case 2: self = .unsupportedFile
            case 3: self = .notAllowed
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .emailNotVerified: writer.tag("email_not_verified")
            case .unsupportedFile: writer.tag("unsupported_file")
            case .notAllowed: writer.tag("not_allowed")
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
