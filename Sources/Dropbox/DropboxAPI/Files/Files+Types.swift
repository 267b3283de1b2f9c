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
    /// The struct `AddTagArg`.
    public struct AddTagArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `tag_text`.
        public var tagText: String

        /// Makes a value of its fields.
        public init(path: String, tagText: String) {
            self.path = path
            self.tagText = tagText
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path tag_text")
            path = try reader.string(slot)
            tagText = try reader.string(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("tag_text", tagText)
        }
    }
}

extension Files {
    /// The union `AddTagError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AddTagError: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)
        /// The tag `too_many_tags`.
        case tooManyTags
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path too_many_tags")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .tooManyTags
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .tooManyTags: writer.tag("too_many_tags")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    /// The struct `AlphaGetMetadataArg`.
    public struct AlphaGetMetadataArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `include_media_info`.
        public var includeMediaInfo: Bool
        /// The field `include_deleted`.
        public var includeDeleted: Bool
        /// The field `include_has_explicit_shared_members`.
        public var includeHasExplicitSharedMembers: Bool
        /// The field `include_property_groups`.
        public var includePropertyGroups: FileProperties.TemplateFilterBase?
        var _includePropertyTemplates: [String]?
        /// The field `include_property_templates`.
        @available(*, deprecated)
        public var includePropertyTemplates: [String]? {
            get { _includePropertyTemplates }
            set { _includePropertyTemplates = newValue }
        }

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path include_media_info include_deleted include_has_explicit_shared_members include_property_groups include_property_templates")
            path = try reader.string(slot)
            includeMediaInfo = try reader.optionalBool(slot + 1) ?? false
            includeDeleted = try reader.optionalBool(slot + 2) ?? false
            includeHasExplicitSharedMembers = try reader.optionalBool(slot + 3) ?? false
            includePropertyGroups = try reader.optionalValue(slot + 4)
            _includePropertyTemplates = try reader.optionalStrings(slot + 5)
        }

        /// Writes the fields.
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
    /// The union `AlphaGetMetadataError`.
    public enum AlphaGetMetadataError: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)
        /// The tag `properties_error`.
        case propertiesError(FileProperties.LookUpPropertiesError)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path properties_error")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .propertiesError(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
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

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            case .propertiesError(let value): [value]
            }
        }
    }
}

extension Files {
    /// The union `BaseTagError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum BaseTagError: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    /// The struct `CommitInfo`.
    public struct CommitInfo: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `mode`.
        public var mode: Files.WriteMode
        /// The field `autorename`.
        public var autorename: Bool
        /// The field `client_modified`.
        public var clientModified: Date?
        /// The field `mute`.
        public var mute: Bool
        /// The field `property_groups`.
        public var propertyGroups: [FileProperties.PropertyGroup]?
        /// The field `strict_conflict`.
        public var strictConflict: Bool

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
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

        /// Writes the fields.
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
    /// The struct `ContentSyncSetting`.
    public struct ContentSyncSetting: StoneValue {
        /// The field `id`.
        public var id: String
        /// The field `sync_setting`.
        public var syncSetting: Files.SyncSetting

        /// Makes a value of its fields.
        public init(id: String, syncSetting: Files.SyncSetting) {
            self.id = id
            self.syncSetting = syncSetting
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id sync_setting")
            id = try reader.string(slot)
            syncSetting = try reader.value(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.value("sync_setting", syncSetting)
        }
    }
}

extension Files {
    /// The struct `ContentSyncSettingArg`.
    public struct ContentSyncSettingArg: StoneValue {
        /// The field `id`.
        public var id: String
        /// The field `sync_setting`.
        public var syncSetting: Files.SyncSettingArg

        /// Makes a value of its fields.
        public init(id: String, syncSetting: Files.SyncSettingArg) {
            self.id = id
            self.syncSetting = syncSetting
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id sync_setting")
            id = try reader.string(slot)
            syncSetting = try reader.value(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.value("sync_setting", syncSetting)
        }
    }
}

extension Files {
    /// The struct `CreateFolderArg`.
    public struct CreateFolderArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `autorename`.
        public var autorename: Bool

        /// Makes a value of its fields.
        public init(path: String, autorename: Bool = false) {
            self.path = path
            self.autorename = autorename
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path autorename")
            path = try reader.string(slot)
            autorename = try reader.optionalBool(slot + 1) ?? false
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.bool("autorename", autorename)
        }
    }
}

extension Files {
    /// The struct `CreateFolderBatchArg`.
    public struct CreateFolderBatchArg: StoneValue {
        /// The field `paths`.
        public var paths: [String]
        /// The field `autorename`.
        public var autorename: Bool
        /// The field `force_async`.
        public var forceAsync: Bool

        /// Makes a value of its fields.
        public init(paths: [String], autorename: Bool = false, forceAsync: Bool = false) {
            self.paths = paths
            self.autorename = autorename
            self.forceAsync = forceAsync
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("paths autorename force_async")
            paths = try reader.strings(slot)
            autorename = try reader.optionalBool(slot + 1) ?? false
            forceAsync = try reader.optionalBool(slot + 2) ?? false
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.strings("paths", paths)
            writer.bool("autorename", autorename)
            writer.bool("force_async", forceAsync)
        }
    }
}

extension Files {
    /// The union `CreateFolderBatchError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CreateFolderBatchError: StoneError {
        /// The tag `too_many_files`.
        case tooManyFiles
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("too_many_files")
            switch tag.number {
            case 0: self = .tooManyFiles
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .tooManyFiles: writer.tag("too_many_files")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    /// The union `CreateFolderBatchJobStatus`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CreateFolderBatchJobStatus: StoneValue {
        /// The tag `in_progress`.
        case inProgress
        /// The tag `complete`.
        case complete(Files.CreateFolderBatchResult)
        /// The tag `failed`.
        case failed(Files.CreateFolderBatchError)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("in_progress complete failed")
            switch tag.number {
            case 0: self = .inProgress
            case 1: self = .complete(try reader.flattened(tag))
            case 2: self = .failed(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `CreateFolderBatchLaunch`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CreateFolderBatchLaunch: StoneValue {
        /// The tag `async_job_id`.
        case asyncJobID(String)
        /// The tag `complete`.
        case complete(Files.CreateFolderBatchResult)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("async_job_id complete")
            switch tag.number {
            case 0: self = .asyncJobID(try reader.string(reader.payload(tag)))
            case 1: self = .complete(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `CreateFolderBatchResult`.
    public struct CreateFolderBatchResult: StoneValue {
        /// The field `entries`.
        public var entries: [Files.CreateFolderBatchResultEntry]

        /// Makes a value of its fields.
        public init(entries: [Files.CreateFolderBatchResultEntry]) {
            self.entries = entries
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries")
            entries = try reader.list(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
        }
    }
}

extension Files {
    /// The union `CreateFolderBatchResultEntry`.
    public enum CreateFolderBatchResultEntry: StoneValue {
        /// The tag `success`.
        case success(Files.CreateFolderEntryResult)
        /// The tag `failure`.
        case failure(Files.CreateFolderEntryError)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("success failure")
            switch tag.number {
            case 0: self = .success(try reader.flattened(tag))
            case 1: self = .failure(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `CreateFolderEntryError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CreateFolderEntryError: StoneValue {
        /// The tag `path`.
        case path(Files.WriteError)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `CreateFolderEntryResult`.
    public struct CreateFolderEntryResult: StoneValue {
        /// The field `metadata`.
        public var metadata: Files.FolderMetadata

        /// Makes a value of its fields.
        public init(metadata: Files.FolderMetadata) {
            self.metadata = metadata
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata")
            metadata = try reader.value(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
        }
    }
}

extension Files {
    /// The union `CreateFolderError`.
    public enum CreateFolderError: StoneError {
        /// The tag `path`.
        case path(Files.WriteError)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            }
        }
    }
}

extension Files {
    /// The struct `CreateFolderResult`.
    public struct CreateFolderResult: StoneValue {
        /// The field `metadata`.
        public var metadata: Files.FolderMetadata

        /// Makes a value of its fields.
        public init(metadata: Files.FolderMetadata) {
            self.metadata = metadata
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata")
            metadata = try reader.value(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
        }
    }
}

extension Files {
    /// The struct `DeleteArg`.
    public struct DeleteArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `parent_rev`.
        public var parentRev: String?

        /// Makes a value of its fields.
        public init(path: String, parentRev: String? = nil) {
            self.path = path
            self.parentRev = parentRev
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path parent_rev")
            path = try reader.string(slot)
            parentRev = try reader.optionalString(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("parent_rev", parentRev)
        }
    }
}

extension Files {
    /// The struct `DeleteBatchArg`.
    public struct DeleteBatchArg: StoneValue {
        /// The field `entries`.
        public var entries: [Files.DeleteArg]

        /// Makes a value of its fields.
        public init(entries: [Files.DeleteArg]) {
            self.entries = entries
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries")
            entries = try reader.list(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
        }
    }
}

extension Files {
    /// The union `DeleteBatchError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteBatchError: StoneError {
        /// The tag `too_many_write_operations`.
        ///
        /// It should not be used any more.
        @available(*, deprecated)
        case tooManyWriteOperations
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        @available(*, deprecated)
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("too_many_write_operations")
            switch tag.number {
            case 0: self = .tooManyWriteOperations
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .tooManyWriteOperations: writer.tag("too_many_write_operations")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    /// The union `DeleteBatchJobStatus`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteBatchJobStatus: StoneValue {
        /// The tag `in_progress`.
        case inProgress
        /// The tag `complete`.
        case complete(Files.DeleteBatchResult)
        /// The tag `failed`.
        case failed(Files.DeleteBatchError)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("in_progress complete failed")
            switch tag.number {
            case 0: self = .inProgress
            case 1: self = .complete(try reader.flattened(tag))
            case 2: self = .failed(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `DeleteBatchLaunch`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteBatchLaunch: StoneValue {
        /// The tag `async_job_id`.
        case asyncJobID(String)
        /// The tag `complete`.
        case complete(Files.DeleteBatchResult)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("async_job_id complete")
            switch tag.number {
            case 0: self = .asyncJobID(try reader.string(reader.payload(tag)))
            case 1: self = .complete(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `DeleteBatchResult`.
    public struct DeleteBatchResult: StoneValue {
        /// The field `entries`.
        public var entries: [Files.DeleteBatchResultEntry]

        /// Makes a value of its fields.
        public init(entries: [Files.DeleteBatchResultEntry]) {
            self.entries = entries
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries")
            entries = try reader.list(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
        }
    }
}

extension Files {
    /// The struct `DeleteBatchResultData`.
    public struct DeleteBatchResultData: StoneValue {
        /// The field `metadata`.
        public var metadata: Files.Metadata

        /// Makes a value of its fields.
        public init(metadata: Files.Metadata) {
            self.metadata = metadata
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata")
            metadata = try reader.value(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
        }
    }
}

extension Files {
    /// The union `DeleteBatchResultEntry`.
    public enum DeleteBatchResultEntry: StoneValue {
        /// The tag `success`.
        case success(Files.DeleteBatchResultData)
        /// The tag `failure`.
        case failure(Files.DeleteError)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("success failure")
            switch tag.number {
            case 0: self = .success(try reader.flattened(tag))
            case 1: self = .failure(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `DeleteError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteError: StoneError {
        /// The tag `path_lookup`.
        case pathLookup(Files.LookupError)
        /// The tag `path_write`.
        case pathWrite(Files.WriteError)
        /// The tag `too_many_write_operations`.
        case tooManyWriteOperations
        /// The tag `too_many_files`.
        case tooManyFiles
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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

        /// What the tag carries that can be why a call fails.
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
    /// The struct `DeleteResult`.
    public struct DeleteResult: StoneValue {
        /// The field `metadata`.
        public var metadata: Files.Metadata

        /// Makes a value of its fields.
        public init(metadata: Files.Metadata) {
            self.metadata = metadata
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata")
            metadata = try reader.value(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
        }
    }
}

extension Files {
    /// The struct `DeletedMetadata`.
    public struct DeletedMetadata: StoneValue {
        /// The field `name`.
        public var name: String
        /// The field `path_lower`.
        public var pathLower: String?
        /// The field `path_display`.
        public var pathDisplay: String?
        var _parentSharedFolderID: String?
        /// The field `parent_shared_folder_id`.
        @available(*, deprecated)
        public var parentSharedFolderID: String? {
            get { _parentSharedFolderID }
            set { _parentSharedFolderID = newValue }
        }
        /// The field `preview_url`.
        public var previewURL: String?
        /// The field `is_restorable`.
        public var isRestorable: Bool?

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name path_lower path_display parent_shared_folder_id preview_url is_restorable")
            name = try reader.string(slot)
            pathLower = try reader.optionalString(slot + 1)
            pathDisplay = try reader.optionalString(slot + 2)
            _parentSharedFolderID = try reader.optionalString(slot + 3)
            previewURL = try reader.optionalString(slot + 4)
            isRestorable = try reader.optionalBool(slot + 5)
        }

        /// Writes the fields.
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
    /// The struct `Dimensions`.
    public struct Dimensions: StoneValue {
        /// The field `height`.
        public var height: UInt64
        /// The field `width`.
        public var width: UInt64

        /// Makes a value of its fields.
        public init(height: UInt64, width: UInt64) {
            self.height = height
            self.width = width
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("height width")
            height = try reader.uint64(slot)
            width = try reader.uint64(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.uint64("height", height)
            writer.uint64("width", width)
        }
    }
}

extension Files {
    /// The struct `DownloadArg`.
    public struct DownloadArg: StoneValue {
        /// The field `path`.
        public var path: String
        var _rev: String?
        /// The field `rev`.
        @available(*, deprecated)
        public var rev: String? {
            get { _rev }
            set { _rev = newValue }
        }

        /// Makes a value of its fields.
        public init(path: String, rev: String? = nil) {
            self.path = path
            _rev = rev
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path rev")
            path = try reader.string(slot)
            _rev = try reader.optionalString(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("rev", _rev)
        }
    }
}

extension Files {
    /// The union `DownloadError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DownloadError: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)
        /// The tag `unsupported_file`.
        case unsupportedFile
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path unsupported_file")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .unsupportedFile
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .unsupportedFile: writer.tag("unsupported_file")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    /// The struct `DownloadZipArg`.
    public struct DownloadZipArg: StoneValue {
        /// The field `path`.
        public var path: String

        /// Makes a value of its fields.
        public init(path: String) {
            self.path = path
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path")
            path = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
        }
    }
}

extension Files {
    /// The union `DownloadZipError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DownloadZipError: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)
        /// The tag `too_large`.
        case tooLarge
        /// The tag `too_many_files`.
        case tooManyFiles
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path too_large too_many_files")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .tooLarge
            case 2: self = .tooManyFiles
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    /// The struct `DownloadZipResult`.
    public struct DownloadZipResult: StoneValue {
        /// The field `metadata`.
        public var metadata: Files.FolderMetadata

        /// Makes a value of its fields.
        public init(metadata: Files.FolderMetadata) {
            self.metadata = metadata
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata")
            metadata = try reader.value(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
        }
    }
}

extension Files {
    /// The struct `ExportArg`.
    public struct ExportArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `export_format`.
        public var exportFormat: String?

        /// Makes a value of its fields.
        public init(path: String, exportFormat: String? = nil) {
            self.path = path
            self.exportFormat = exportFormat
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path export_format")
            path = try reader.string(slot)
            exportFormat = try reader.optionalString(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("export_format", exportFormat)
        }
    }
}

extension Files {
    /// The union `ExportError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ExportError: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)
        /// The tag `non_exportable`.
        case nonExportable
        /// The tag `invalid_export_format`.
        case invalidExportFormat
        /// The tag `retry_error`.
        case retryError
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    /// The struct `ExportInfo`.
    public struct ExportInfo: StoneValue {
        /// The field `export_as`.
        public var exportAs: String?
        /// The field `export_options`.
        public var exportOptions: [String]?

        /// Makes a value of its fields.
        public init(exportAs: String? = nil, exportOptions: [String]? = nil) {
            self.exportAs = exportAs
            self.exportOptions = exportOptions
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("export_as export_options")
            exportAs = try reader.optionalString(slot)
            exportOptions = try reader.optionalStrings(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("export_as", exportAs)
            writer.strings("export_options", exportOptions)
        }
    }
}

extension Files {
    /// The struct `ExportMetadata`.
    public struct ExportMetadata: StoneValue {
        /// The field `name`.
        public var name: String
        /// The field `size`.
        public var size: UInt64
        /// The field `export_hash`.
        public var exportHash: String?
        /// The field `paper_revision`.
        public var paperRevision: Int64?

        /// Makes a value of its fields.
        public init(name: String, size: UInt64, exportHash: String? = nil, paperRevision: Int64? = nil) {
            self.name = name
            self.size = size
            self.exportHash = exportHash
            self.paperRevision = paperRevision
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name size export_hash paper_revision")
            name = try reader.string(slot)
            size = try reader.uint64(slot + 1)
            exportHash = try reader.optionalString(slot + 2)
            paperRevision = try reader.optionalInt64(slot + 3)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.uint64("size", size)
            writer.string("export_hash", exportHash)
            writer.int64("paper_revision", paperRevision)
        }
    }
}

extension Files {
    /// The struct `ExportResult`.
    public struct ExportResult: StoneValue {
        /// The field `export_metadata`.
        public var exportMetadata: Files.ExportMetadata
        /// The field `file_metadata`.
        public var fileMetadata: Files.FileMetadata

        /// Makes a value of its fields.
        public init(exportMetadata: Files.ExportMetadata, fileMetadata: Files.FileMetadata) {
            self.exportMetadata = exportMetadata
            self.fileMetadata = fileMetadata
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("export_metadata file_metadata")
            exportMetadata = try reader.value(slot)
            fileMetadata = try reader.value(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("export_metadata", exportMetadata)
            writer.value("file_metadata", fileMetadata)
        }
    }
}

extension Files {
    /// The union `FileCategory`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileCategory: StoneValue {
        /// The tag `image`.
        case image
        /// The tag `document`.
        case document
        /// The tag `pdf`.
        case pdf
        /// The tag `spreadsheet`.
        case spreadsheet
        /// The tag `presentation`.
        case presentation
        /// The tag `audio`.
        case audio
        /// The tag `video`.
        case video
        /// The tag `folder`.
        case folder
        /// The tag `paper`.
        case paper
        /// The tag `others`.
        case others
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The struct `FileLock`.
    public struct FileLock: StoneError {
        /// The field `content`.
        public var content: Files.FileLockContent

        /// Makes a value of its fields.
        public init(content: Files.FileLockContent) {
            self.content = content
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("content")
            content = try reader.value(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("content", content)
        }

        /// The fields that can be why a call fails.
        public var innerErrors: [any Error] { [content] }
    }
}

extension Files {
    /// The union `FileLockContent`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileLockContent: StoneError {
        /// The tag `unlocked`.
        case unlocked
        /// The tag `single_user`.
        case singleUser(Files.SingleUserLock)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("unlocked single_user")
            switch tag.number {
            case 0: self = .unlocked
            case 1: self = .singleUser(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .unlocked: writer.tag("unlocked")
            case .singleUser(let value):
                writer.tag("single_user")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .singleUser(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    /// The struct `FileLockMetadata`.
    public struct FileLockMetadata: StoneValue {
        /// The field `is_lockholder`.
        public var isLockholder: Bool?
        /// The field `lockholder_name`.
        public var lockholderName: String?
        /// The field `lockholder_account_id`.
        public var lockholderAccountID: String?
        /// The field `created`.
        public var created: Date?

        /// Makes a value of its fields.
        public init(
            isLockholder: Bool? = nil, lockholderName: String? = nil, lockholderAccountID: String? = nil,
            created: Date? = nil
        ) {
            self.isLockholder = isLockholder
            self.lockholderName = lockholderName
            self.lockholderAccountID = lockholderAccountID
            self.created = created
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("is_lockholder lockholder_name lockholder_account_id created")
            isLockholder = try reader.optionalBool(slot)
            lockholderName = try reader.optionalString(slot + 1)
            lockholderAccountID = try reader.optionalString(slot + 2)
            created = try reader.optionalDate(slot + 3, .seconds)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.bool("is_lockholder", isLockholder)
            writer.string("lockholder_name", lockholderName)
            writer.string("lockholder_account_id", lockholderAccountID)
            writer.date("created", created, .seconds)
        }
    }
}

extension Files {
    /// The struct `FileMetadata`.
    public struct FileMetadata: StoneValue {
        /// The field `name`.
        public var name: String
        /// The field `id`.
        public var id: String
        /// The field `client_modified`.
        public var clientModified: Date
        /// The field `server_modified`.
        public var serverModified: Date
        /// The field `rev`.
        public var rev: String
        /// The field `size`.
        public var size: UInt64
        /// The field `path_lower`.
        public var pathLower: String?
        /// The field `path_display`.
        public var pathDisplay: String?
        var _parentSharedFolderID: String?
        /// The field `parent_shared_folder_id`.
        @available(*, deprecated)
        public var parentSharedFolderID: String? {
            get { _parentSharedFolderID }
            set { _parentSharedFolderID = newValue }
        }
        /// The field `preview_url`.
        public var previewURL: String?
        /// The field `media_info`.
        public var mediaInfo: Files.MediaInfo?
        /// The field `symlink_info`.
        public var symlinkInfo: Files.SymlinkInfo?
        /// The field `sharing_info`.
        public var sharingInfo: Files.FileSharingInfo?
        /// The field `is_downloadable`.
        public var isDownloadable: Bool
        /// The field `export_info`.
        public var exportInfo: Files.ExportInfo?
        /// The field `property_groups`.
        public var propertyGroups: [FileProperties.PropertyGroup]?
        /// The field `has_explicit_shared_members`.
        public var hasExplicitSharedMembers: Bool?
        /// The field `content_hash`.
        public var contentHash: String?
        /// The field `file_lock_info`.
        public var fileLockInfo: Files.FileLockMetadata?
        /// The field `is_restorable`.
        public var isRestorable: Bool?

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
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

        /// Writes the fields.
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
    /// The struct `FileOpsResult`.
    public struct FileOpsResult: StoneValue {
        /// Makes a value of its fields.
        public init() {
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            _ = try reader.fields("")
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {}
    }
}

extension Files {
    /// The struct `FileSharingInfo`.
    public struct FileSharingInfo: StoneValue {
        /// The field `read_only`.
        public var readOnly: Bool
        /// The field `parent_shared_folder_id`.
        public var parentSharedFolderID: String
        /// The field `modified_by`.
        public var modifiedBy: String?

        /// Makes a value of its fields.
        public init(readOnly: Bool, parentSharedFolderID: String, modifiedBy: String? = nil) {
            self.readOnly = readOnly
            self.parentSharedFolderID = parentSharedFolderID
            self.modifiedBy = modifiedBy
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("read_only parent_shared_folder_id modified_by")
            readOnly = try reader.bool(slot)
            parentSharedFolderID = try reader.string(slot + 1)
            modifiedBy = try reader.optionalString(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.bool("read_only", readOnly)
            writer.string("parent_shared_folder_id", parentSharedFolderID)
            writer.string("modified_by", modifiedBy)
        }
    }
}

extension Files {
    /// The union `FileStatus`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileStatus: StoneValue {
        /// The tag `active`.
        case active
        /// The tag `deleted`.
        case deleted
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("active deleted")
            switch tag.number {
            case 0: self = .active
            case 1: self = .deleted
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `FolderMetadata`.
    public struct FolderMetadata: StoneValue {
        /// The field `name`.
        public var name: String
        /// The field `id`.
        public var id: String
        /// The field `path_lower`.
        public var pathLower: String?
        /// The field `path_display`.
        public var pathDisplay: String?
        var _parentSharedFolderID: String?
        /// The field `parent_shared_folder_id`.
        @available(*, deprecated)
        public var parentSharedFolderID: String? {
            get { _parentSharedFolderID }
            set { _parentSharedFolderID = newValue }
        }
        /// The field `preview_url`.
        public var previewURL: String?
        var _sharedFolderID: String?
        /// The field `shared_folder_id`.
        @available(*, deprecated)
        public var sharedFolderID: String? {
            get { _sharedFolderID }
            set { _sharedFolderID = newValue }
        }
        /// The field `sharing_info`.
        public var sharingInfo: Files.FolderSharingInfo?
        /// The field `property_groups`.
        public var propertyGroups: [FileProperties.PropertyGroup]?

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
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

        /// Writes the fields.
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
    /// The struct `FolderSharingInfo`.
    public struct FolderSharingInfo: StoneValue {
        /// The field `read_only`.
        public var readOnly: Bool
        /// The field `parent_shared_folder_id`.
        public var parentSharedFolderID: String?
        /// The field `shared_folder_id`.
        public var sharedFolderID: String?
        /// The field `traverse_only`.
        public var traverseOnly: Bool
        /// The field `no_access`.
        public var noAccess: Bool

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("read_only parent_shared_folder_id shared_folder_id traverse_only no_access")
            readOnly = try reader.bool(slot)
            parentSharedFolderID = try reader.optionalString(slot + 1)
            sharedFolderID = try reader.optionalString(slot + 2)
            traverseOnly = try reader.optionalBool(slot + 3) ?? false
            noAccess = try reader.optionalBool(slot + 4) ?? false
        }

        /// Writes the fields.
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
    /// The struct `GetCopyReferenceArg`.
    public struct GetCopyReferenceArg: StoneValue {
        /// The field `path`.
        public var path: String

        /// Makes a value of its fields.
        public init(path: String) {
            self.path = path
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path")
            path = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
        }
    }
}

extension Files {
    /// The union `GetCopyReferenceError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetCopyReferenceError: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    /// The struct `GetCopyReferenceResult`.
    public struct GetCopyReferenceResult: StoneValue {
        /// The field `metadata`.
        public var metadata: Files.Metadata
        /// The field `copy_reference`.
        public var copyReference: String
        /// The field `expires`.
        public var expires: Date

        /// Makes a value of its fields.
        public init(metadata: Files.Metadata, copyReference: String, expires: Date) {
            self.metadata = metadata
            self.copyReference = copyReference
            self.expires = expires
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata copy_reference expires")
            metadata = try reader.value(slot)
            copyReference = try reader.string(slot + 1)
            expires = try reader.date(slot + 2, .seconds)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
            writer.string("copy_reference", copyReference)
            writer.date("expires", expires, .seconds)
        }
    }
}

extension Files {
    /// The struct `GetMetadataArg`.
    public struct GetMetadataArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `include_media_info`.
        public var includeMediaInfo: Bool
        /// The field `include_deleted`.
        public var includeDeleted: Bool
        /// The field `include_has_explicit_shared_members`.
        public var includeHasExplicitSharedMembers: Bool
        /// The field `include_property_groups`.
        public var includePropertyGroups: FileProperties.TemplateFilterBase?

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path include_media_info include_deleted include_has_explicit_shared_members include_property_groups")
            path = try reader.string(slot)
            includeMediaInfo = try reader.optionalBool(slot + 1) ?? false
            includeDeleted = try reader.optionalBool(slot + 2) ?? false
            includeHasExplicitSharedMembers = try reader.optionalBool(slot + 3) ?? false
            includePropertyGroups = try reader.optionalValue(slot + 4)
        }

        /// Writes the fields.
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
    /// The union `GetMetadataError`.
    public enum GetMetadataError: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            }
        }
    }
}

extension Files {
    /// The struct `GetTagsArg`.
    public struct GetTagsArg: StoneValue {
        /// The field `paths`.
        public var paths: [String]

        /// Makes a value of its fields.
        public init(paths: [String]) {
            self.paths = paths
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("paths")
            paths = try reader.strings(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.strings("paths", paths)
        }
    }
}

extension Files {
    /// The struct `GetTagsResult`.
    public struct GetTagsResult: StoneValue {
        /// The field `paths_to_tags`.
        public var pathsToTags: [Files.PathToTags]

        /// Makes a value of its fields.
        public init(pathsToTags: [Files.PathToTags]) {
            self.pathsToTags = pathsToTags
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("paths_to_tags")
            pathsToTags = try reader.list(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("paths_to_tags", pathsToTags)
        }
    }
}

extension Files {
    /// The struct `GetTemporaryLinkArg`.
    public struct GetTemporaryLinkArg: StoneValue {
        /// The field `path`.
        public var path: String

        /// Makes a value of its fields.
        public init(path: String) {
            self.path = path
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path")
            path = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
        }
    }
}

extension Files {
    /// The union `GetTemporaryLinkError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetTemporaryLinkError: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)
        /// The tag `email_not_verified`.
        case emailNotVerified
        /// The tag `unsupported_file`.
        case unsupportedFile
        /// The tag `not_allowed`.
        case notAllowed
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}
