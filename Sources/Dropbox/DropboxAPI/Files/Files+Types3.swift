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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RelocationBatchLaunch: StoneValue {
        case asyncJobID(String)
        case complete(Files.RelocationBatchResult)
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
    public struct RelocationBatchResult: StoneValue {
        public var entries: [Files.RelocationBatchResultData]

        public init(entries: [Files.RelocationBatchResultData]) {
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
    public struct RelocationBatchResultData: StoneValue {
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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RelocationBatchResultEntry: StoneValue {
        case success(Files.Metadata)
        case failure(Files.RelocationBatchErrorEntry)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("success failure")
            switch tag.number {
            case 0: self = .success(try reader.value(reader.payload(tag)))
            case 1: self = .failure(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .success(let value):
                writer.tag("success")
                writer.value("success", value)
            case .failure(let value):
                writer.tag("failure")
                writer.value("failure", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public enum RelocationBatchV2JobStatus: StoneValue {
        case inProgress
        case complete(Files.RelocationBatchV2Result)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("in_progress complete")
            switch tag.number {
            case 0: self = .inProgress
            case 1: self = .complete(try reader.flattened(tag))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .inProgress: writer.tag("in_progress")
            case .complete(let value):
                writer.tag("complete")
                value.write(to: writer)
            }
        }
    }
}

extension Files {
    public enum RelocationBatchV2Launch: StoneValue {
        case asyncJobID(String)
        case complete(Files.RelocationBatchV2Result)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("async_job_id complete")
            switch tag.number {
            case 0: self = .asyncJobID(try reader.string(reader.payload(tag)))
            case 1: self = .complete(try reader.flattened(tag))
            default: throw reader.unknownTag(tag)
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
            }
        }
    }
}

extension Files {
    public struct RelocationBatchV2Result: StoneValue {
        public var entries: [Files.RelocationBatchResultEntry]

        public init(entries: [Files.RelocationBatchResultEntry]) {
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
    public enum RelocationError: StoneError {
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
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("from_lookup from_write to cant_copy_shared_folder cant_nest_shared_folder cant_move_folder_into_itself too_many_files duplicated_or_nested_paths cant_transfer_ownership insufficient_quota internal_error cant_move_shared_folder cant_move_into_vault cant_move_into_family")
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
    public struct RelocationPath: StoneValue {
        public var fromPath: String
        public var toPath: String

        public init(fromPath: String, toPath: String) {
            self.fromPath = fromPath
            self.toPath = toPath
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("from_path to_path")
            fromPath = try reader.string(slot)
            toPath = try reader.string(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("from_path", fromPath)
            writer.string("to_path", toPath)
        }
    }
}

extension Files {
    public struct RelocationResult: StoneValue {
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
    public struct RemoveTagArg: StoneValue {
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
    public enum RemoveTagError: StoneError {
        case path(Files.LookupError)
        case tagNotPresent
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path tag_not_present")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .tagNotPresent
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .tagNotPresent: writer.tag("tag_not_present")
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
    public struct RestoreArg: StoneValue {
        public var path: String
        public var rev: String

        public init(path: String, rev: String) {
            self.path = path
            self.rev = rev
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path rev")
            path = try reader.string(slot)
            rev = try reader.string(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("rev", rev)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RestoreError: StoneError {
        case pathLookup(Files.LookupError)
        case pathWrite(Files.WriteError)
        case invalidRevision
        case inProgress
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path_lookup path_write invalid_revision in_progress")
            switch tag.number {
            case 0: self = .pathLookup(try reader.value(reader.payload(tag)))
            case 1: self = .pathWrite(try reader.value(reader.payload(tag)))
            case 2: self = .invalidRevision
            case 3: self = .inProgress
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
            case .invalidRevision: writer.tag("invalid_revision")
            case .inProgress: writer.tag("in_progress")
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
    public struct SaveCopyReferenceArg: StoneValue {
        public var copyReference: String
        public var path: String

        public init(copyReference: String, path: String) {
            self.copyReference = copyReference
            self.path = path
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("copy_reference path")
            copyReference = try reader.string(slot)
            path = try reader.string(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("copy_reference", copyReference)
            writer.string("path", path)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SaveCopyReferenceError: StoneError {
        case path(Files.WriteError)
        case invalidCopyReference
        case noPermission
        case notFound
        case tooManyFiles
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path invalid_copy_reference no_permission not_found too_many_files")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .invalidCopyReference
            case 2: self = .noPermission
            case 3: self = .notFound
            case 4: self = .tooManyFiles
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .invalidCopyReference: writer.tag("invalid_copy_reference")
            case .noPermission: writer.tag("no_permission")
            case .notFound: writer.tag("not_found")
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
    public struct SaveCopyReferenceResult: StoneValue {
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
    public struct SaveUrlArg: StoneValue {
        public var path: String
        public var url: String

        public init(path: String, url: String) {
            self.path = path
            self.url = url
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path url")
            path = try reader.string(slot)
            url = try reader.string(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("url", url)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SaveUrlError: StoneError {
        case path(Files.WriteError)
        case downloadFailed
        case invalidURL
        case notFound
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path download_failed invalid_url not_found")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .downloadFailed
            case 2: self = .invalidURL
            case 3: self = .notFound
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .downloadFailed: writer.tag("download_failed")
            case .invalidURL: writer.tag("invalid_url")
            case .notFound: writer.tag("not_found")
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
    public enum SaveUrlJobStatus: StoneValue {
        case inProgress
        case complete(Files.FileMetadata)
        case failed(Files.SaveUrlError)

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

extension Files {
    public enum SaveUrlResult: StoneValue {
        case asyncJobID(String)
        case complete(Files.FileMetadata)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("async_job_id complete")
            switch tag.number {
            case 0: self = .asyncJobID(try reader.string(reader.payload(tag)))
            case 1: self = .complete(try reader.flattened(tag))
            default: throw reader.unknownTag(tag)
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
            }
        }
    }
}

extension Files {
    public struct SearchArg: StoneValue {
        public var path: String
        public var query: String
        public var start: UInt64
        public var maxResults: UInt64
        public var mode: Files.SearchMode

        public init(
            path: String, query: String, start: UInt64 = 0, maxResults: UInt64 = 100,
            mode: Files.SearchMode = Files.SearchMode.filename
        ) {
            self.path = path
            self.query = query
            self.start = start
            self.maxResults = maxResults
            self.mode = mode
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path query start max_results mode")
            path = try reader.string(slot)
            query = try reader.string(slot + 1)
            start = try reader.optionalUInt64(slot + 2) ?? 0
            maxResults = try reader.optionalUInt64(slot + 3) ?? 100
            mode = try reader.optionalValue(slot + 4) ?? Files.SearchMode.filename
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("query", query)
            writer.uint64("start", start)
            writer.uint64("max_results", maxResults)
            writer.value("mode", mode)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SearchError: StoneError {
        case path(Files.LookupError)
        case invalidArgument(String?)
        case internalError
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path invalid_argument internal_error")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .invalidArgument(try reader.optionalString(reader.payload(tag)))
            case 2: self = .internalError
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .invalidArgument(let value):
                writer.tag("invalid_argument")
                writer.string("invalid_argument", value)
            case .internalError: writer.tag("internal_error")
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
    public struct SearchMatch: StoneValue {
        public var matchType: Files.SearchMatchType
        public var metadata: Files.Metadata

        public init(matchType: Files.SearchMatchType, metadata: Files.Metadata) {
            self.matchType = matchType
            self.metadata = metadata
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("match_type metadata")
            matchType = try reader.value(slot)
            metadata = try reader.value(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.value("match_type", matchType)
            writer.value("metadata", metadata)
        }
    }
}

extension Files {
    public struct SearchMatchFieldOptions: StoneValue {
        public var includeHighlights: Bool

        public init(includeHighlights: Bool = false) {
            self.includeHighlights = includeHighlights
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("include_highlights")
            includeHighlights = try reader.optionalBool(slot) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.bool("include_highlights", includeHighlights)
        }
    }
}

extension Files {
    public enum SearchMatchType: StoneValue, CaseIterable {
        case filename
        case content
        case both

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("filename content both")
            switch tag.number {
            case 0: self = .filename
            case 1: self = .content
            case 2: self = .both
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .filename: writer.tag("filename")
            case .content: writer.tag("content")
            case .both: writer.tag("both")
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SearchMatchTypeV2: StoneValue {
        case filename
        case fileContent
        case filenameAndContent
        case imageContent
        case metadata
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("filename file_content filename_and_content image_content metadata")
            switch tag.number {
            case 0: self = .filename
            case 1: self = .fileContent
            case 2: self = .filenameAndContent
            case 3: self = .imageContent
            case 4: self = .metadata
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .filename: writer.tag("filename")
            case .fileContent: writer.tag("file_content")
            case .filenameAndContent: writer.tag("filename_and_content")
            case .imageContent: writer.tag("image_content")
            case .metadata: writer.tag("metadata")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct SearchMatchV2: StoneValue {
        public var metadata: Files.MetadataV2
        public var matchType: Files.SearchMatchTypeV2?
        public var highlightSpans: [Files.HighlightSpan]?

        public init(
            metadata: Files.MetadataV2, matchType: Files.SearchMatchTypeV2? = nil,
            highlightSpans: [Files.HighlightSpan]? = nil
        ) {
            self.metadata = metadata
            self.matchType = matchType
            self.highlightSpans = highlightSpans
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata match_type highlight_spans")
            metadata = try reader.value(slot)
            matchType = try reader.optionalValue(slot + 1)
            highlightSpans = try reader.optionalList(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
            writer.value("match_type", matchType)
            writer.list("highlight_spans", highlightSpans)
        }
    }
}

extension Files {
    public enum SearchMode: StoneValue, CaseIterable {
        case filename
        case filenameAndContent
        case deletedFilename

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("filename filename_and_content deleted_filename")
            switch tag.number {
            case 0: self = .filename
            case 1: self = .filenameAndContent
            case 2: self = .deletedFilename
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .filename: writer.tag("filename")
            case .filenameAndContent: writer.tag("filename_and_content")
            case .deletedFilename: writer.tag("deleted_filename")
            }
        }
    }
}

extension Files {
    public struct SearchOptions: StoneValue {
        public var path: String?
        public var maxResults: UInt64
        public var orderBy: Files.SearchOrderBy?
        public var fileStatus: Files.FileStatus
        public var filenameOnly: Bool
        public var fileExtensions: [String]?
        public var fileCategories: [Files.FileCategory]?
        public var accountID: String?

        public init(
            path: String? = nil, maxResults: UInt64 = 100, orderBy: Files.SearchOrderBy? = nil,
            fileStatus: Files.FileStatus = Files.FileStatus.active, filenameOnly: Bool = false,
            fileExtensions: [String]? = nil, fileCategories: [Files.FileCategory]? = nil, accountID: String? = nil
        ) {
            self.path = path
            self.maxResults = maxResults
            self.orderBy = orderBy
            self.fileStatus = fileStatus
            self.filenameOnly = filenameOnly
            self.fileExtensions = fileExtensions
            self.fileCategories = fileCategories
            self.accountID = accountID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path max_results order_by file_status filename_only file_extensions file_categories account_id")
            path = try reader.optionalString(slot)
            maxResults = try reader.optionalUInt64(slot + 1) ?? 100
            orderBy = try reader.optionalValue(slot + 2)
            fileStatus = try reader.optionalValue(slot + 3) ?? Files.FileStatus.active
            filenameOnly = try reader.optionalBool(slot + 4) ?? false
            fileExtensions = try reader.optionalStrings(slot + 5)
            fileCategories = try reader.optionalList(slot + 6)
            accountID = try reader.optionalString(slot + 7)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.uint64("max_results", maxResults)
            writer.value("order_by", orderBy)
            writer.value("file_status", fileStatus)
            writer.bool("filename_only", filenameOnly)
            writer.strings("file_extensions", fileExtensions)
            writer.list("file_categories", fileCategories)
            writer.string("account_id", accountID)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SearchOrderBy: StoneValue {
        case relevance
        case lastModifiedTime
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("relevance last_modified_time")
            switch tag.number {
            case 0: self = .relevance
            case 1: self = .lastModifiedTime
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .relevance: writer.tag("relevance")
            case .lastModifiedTime: writer.tag("last_modified_time")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct SearchResult: StoneValue {
        public var matches: [Files.SearchMatch]
        public var more: Bool
        public var start: UInt64

        public init(matches: [Files.SearchMatch], more: Bool, start: UInt64) {
            self.matches = matches
            self.more = more
            self.start = start
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("matches more start")
            matches = try reader.list(slot)
            more = try reader.bool(slot + 1)
            start = try reader.uint64(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.list("matches", matches)
            writer.bool("more", more)
            writer.uint64("start", start)
        }
    }
}

extension Files {
    public struct SearchV2Arg: StoneValue {
        public var query: String
        public var options: Files.SearchOptions?
        public var matchFieldOptions: Files.SearchMatchFieldOptions?
        var _includeHighlights: Bool?
        @available(*, deprecated)
        public var includeHighlights: Bool? {
            get { _includeHighlights }
            set { _includeHighlights = newValue }
        }

        public init(
            query: String, options: Files.SearchOptions? = nil,
            matchFieldOptions: Files.SearchMatchFieldOptions? = nil, includeHighlights: Bool? = nil
        ) {
            self.query = query
            self.options = options
            self.matchFieldOptions = matchFieldOptions
            _includeHighlights = includeHighlights
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("query options match_field_options include_highlights")
            query = try reader.string(slot)
            options = try reader.optionalValue(slot + 1)
            matchFieldOptions = try reader.optionalValue(slot + 2)
            _includeHighlights = try reader.optionalBool(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.string("query", query)
            writer.value("options", options)
            writer.value("match_field_options", matchFieldOptions)
            writer.bool("include_highlights", _includeHighlights)
        }
    }
}

extension Files {
    public struct SearchV2ContinueArg: StoneValue {
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
    public struct SearchV2Result: StoneValue {
        public var matches: [Files.SearchMatchV2]
        public var hasMore: Bool
        public var cursor: String?

        public init(matches: [Files.SearchMatchV2], hasMore: Bool, cursor: String? = nil) {
            self.matches = matches
            self.hasMore = hasMore
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("matches has_more cursor")
            matches = try reader.list(slot)
            hasMore = try reader.bool(slot + 1)
            cursor = try reader.optionalString(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.list("matches", matches)
            writer.bool("has_more", hasMore)
            writer.string("cursor", cursor)
        }
    }
}

extension Files {
    public struct SharedLink: StoneValue {
        public var url: String
        public var password: String?

        public init(url: String, password: String? = nil) {
            self.url = url
            self.password = password
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url password")
            url = try reader.string(slot)
            password = try reader.optionalString(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.string("password", password)
        }
    }
}

extension Files {
    public struct SharedLinkFileInfo: StoneValue {
        public var url: String
        public var path: String?
        public var password: String?

        public init(url: String, path: String? = nil, password: String? = nil) {
            self.url = url
            self.path = path
            self.password = password
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url path password")
            url = try reader.string(slot)
            path = try reader.optionalString(slot + 1)
            password = try reader.optionalString(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.string("path", path)
            writer.string("password", password)
        }
    }
}

extension Files {
    public struct SharingInfo: StoneValue {
        public var readOnly: Bool

        public init(readOnly: Bool) {
            self.readOnly = readOnly
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("read_only")
            readOnly = try reader.bool(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.bool("read_only", readOnly)
        }
    }
}

extension Files {
    public struct SingleUserLock: StoneError {
        public var created: Date
        public var lockHolderAccountID: String
        public var lockHolderTeamID: String?

        public init(created: Date, lockHolderAccountID: String, lockHolderTeamID: String? = nil) {
            self.created = created
            self.lockHolderAccountID = lockHolderAccountID
            self.lockHolderTeamID = lockHolderTeamID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("created lock_holder_account_id lock_holder_team_id")
            created = try reader.date(slot, .seconds)
            lockHolderAccountID = try reader.string(slot + 1)
            lockHolderTeamID = try reader.optionalString(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.date("created", created, .seconds)
            writer.string("lock_holder_account_id", lockHolderAccountID)
            writer.string("lock_holder_team_id", lockHolderTeamID)
        }
    }
}

extension Files {
    public struct SymlinkInfo: StoneValue {
        public var target: String

        public init(target: String) {
            self.target = target
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("target")
            target = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("target", target)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SyncSetting: StoneValue {
        case `default`
        case notSynced
        case notSyncedInactive
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("default not_synced not_synced_inactive")
            switch tag.number {
            case 0: self = .`default`
            case 1: self = .notSynced
            case 2: self = .notSyncedInactive
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .`default`: writer.tag("default")
            case .notSynced: writer.tag("not_synced")
            case .notSyncedInactive: writer.tag("not_synced_inactive")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SyncSettingArg: StoneValue {
        case `default`
        case notSynced
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("default not_synced")
            switch tag.number {
            case 0: self = .`default`
            case 1: self = .notSynced
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .`default`: writer.tag("default")
            case .notSynced: writer.tag("not_synced")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SyncSettingsError: StoneValue {
        case path(Files.LookupError)
        case unsupportedCombination
        case unsupportedConfiguration
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path unsupported_combination unsupported_configuration")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .unsupportedCombination
            case 2: self = .unsupportedConfiguration
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .unsupportedCombination: writer.tag("unsupported_combination")
            case .unsupportedConfiguration: writer.tag("unsupported_configuration")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Tag: StoneValue {
        case userGeneratedTag(Files.UserGeneratedTag)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_generated_tag")
            switch tag.number {
            case 0: self = .userGeneratedTag(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .userGeneratedTag(let value):
                writer.tag("user_generated_tag")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct ThumbnailArg: StoneValue {
        public var path: String
        public var format: Files.ThumbnailFormat
        public var size: Files.ThumbnailSize
        public var mode: Files.ThumbnailMode
        public var excludeMediaInfo: Bool?

        public init(
            path: String, format: Files.ThumbnailFormat = Files.ThumbnailFormat.jpeg,
            size: Files.ThumbnailSize = Files.ThumbnailSize.w64h64,
            mode: Files.ThumbnailMode = Files.ThumbnailMode.strict, excludeMediaInfo: Bool? = nil
        ) {
            self.path = path
            self.format = format
            self.size = size
            self.mode = mode
            self.excludeMediaInfo = excludeMediaInfo
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path format size mode exclude_media_info")
            path = try reader.string(slot)
            format = try reader.optionalValue(slot + 1) ?? Files.ThumbnailFormat.jpeg
            size = try reader.optionalValue(slot + 2) ?? Files.ThumbnailSize.w64h64
            mode = try reader.optionalValue(slot + 3) ?? Files.ThumbnailMode.strict
            excludeMediaInfo = try reader.optionalBool(slot + 4)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.value("format", format)
            writer.value("size", size)
            writer.value("mode", mode)
            writer.bool("exclude_media_info", excludeMediaInfo)
        }
    }
}

extension Files {
    public enum ThumbnailError: StoneError {
        case path(Files.LookupError)
        case unsupportedExtension
        case unsupportedImage
        case encryptedContent
        case conversionError

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path unsupported_extension unsupported_image encrypted_content conversion_error")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .unsupportedExtension
            case 2: self = .unsupportedImage
            case 3: self = .encryptedContent
            case 4: self = .conversionError
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .unsupportedExtension: writer.tag("unsupported_extension")
            case .unsupportedImage: writer.tag("unsupported_image")
            case .encryptedContent: writer.tag("encrypted_content")
            case .conversionError: writer.tag("conversion_error")
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
    public enum ThumbnailFormat: StoneValue, CaseIterable {
        case jpeg
        case png
        case webp

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("jpeg png webp")
            switch tag.number {
            case 0: self = .jpeg
            case 1: self = .png
            case 2: self = .webp
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .jpeg: writer.tag("jpeg")
            case .png: writer.tag("png")
            case .webp: writer.tag("webp")
            }
        }
    }
}

extension Files {
    public enum ThumbnailMode: StoneValue, CaseIterable {
        case strict
        case bestfit
        case fitoneBestfit
        case original

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("strict bestfit fitone_bestfit original")
            switch tag.number {
            case 0: self = .strict
            case 1: self = .bestfit
            case 2: self = .fitoneBestfit
            case 3: self = .original
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .strict: writer.tag("strict")
            case .bestfit: writer.tag("bestfit")
            case .fitoneBestfit: writer.tag("fitone_bestfit")
            case .original: writer.tag("original")
            }
        }
    }
}

extension Files {
    public enum ThumbnailQuality: StoneValue, CaseIterable {
        case quality80
        case quality90

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("quality_80 quality_90")
            switch tag.number {
            case 0: self = .quality80
            case 1: self = .quality90
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .quality80: writer.tag("quality_80")
            case .quality90: writer.tag("quality_90")
            }
        }
    }
}

extension Files {
    public enum ThumbnailSize: StoneValue, CaseIterable {
        case w32h32
        case w64h64
        case w128h128
        case w256h256
        case w480h320
        case w640h480
        case w960h640
        case w1024h768
        case w2048h1536

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("w32h32 w64h64 w128h128 w256h256 w480h320 w640h480 w960h640 w1024h768 w2048h1536")
            switch tag.number {
            case 0: self = .w32h32
            case 1: self = .w64h64
            case 2: self = .w128h128
            case 3: self = .w256h256
            case 4: self = .w480h320
            case 5: self = .w640h480
            case 6: self = .w960h640
            case 7: self = .w1024h768
            case 8: self = .w2048h1536
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .w32h32: writer.tag("w32h32")
            case .w64h64: writer.tag("w64h64")
            case .w128h128: writer.tag("w128h128")
            case .w256h256: writer.tag("w256h256")
            case .w480h320: writer.tag("w480h320")
            case .w640h480: writer.tag("w640h480")
            case .w960h640: writer.tag("w960h640")
            case .w1024h768: writer.tag("w1024h768")
            case .w2048h1536: writer.tag("w2048h1536")
            }
        }
    }
}

extension Files {
    public struct ThumbnailV2Arg: StoneValue {
        public var resource: Files.PathOrLink
        public var format: Files.ThumbnailFormat
        public var size: Files.ThumbnailSize
        public var mode: Files.ThumbnailMode
        public var excludeMediaInfo: Bool?

        public init(
            resource: Files.PathOrLink, format: Files.ThumbnailFormat = Files.ThumbnailFormat.jpeg,
            size: Files.ThumbnailSize = Files.ThumbnailSize.w64h64,
            mode: Files.ThumbnailMode = Files.ThumbnailMode.strict, excludeMediaInfo: Bool? = nil
        ) {
            self.resource = resource
            self.format = format
            self.size = size
            self.mode = mode
            self.excludeMediaInfo = excludeMediaInfo
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("resource format size mode exclude_media_info")
            resource = try reader.value(slot)
            format = try reader.optionalValue(slot + 1) ?? Files.ThumbnailFormat.jpeg
            size = try reader.optionalValue(slot + 2) ?? Files.ThumbnailSize.w64h64
            mode = try reader.optionalValue(slot + 3) ?? Files.ThumbnailMode.strict
            excludeMediaInfo = try reader.optionalBool(slot + 4)
        }

        public func write(to writer: StoneWriter) {
            writer.value("resource", resource)
            writer.value("format", format)
            writer.value("size", size)
            writer.value("mode", mode)
            writer.bool("exclude_media_info", excludeMediaInfo)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ThumbnailV2Error: StoneError {
        case path(Files.LookupError)
        case unsupportedExtension
        case unsupportedImage
        case encryptedContent
        case conversionError
        case accessDenied
        case notFound
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path unsupported_extension unsupported_image encrypted_content conversion_error access_denied not_found")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .unsupportedExtension
            case 2: self = .unsupportedImage
            case 3: self = .encryptedContent
            case 4: self = .conversionError
            case 5: self = .accessDenied
            case 6: self = .notFound
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .unsupportedExtension: writer.tag("unsupported_extension")
            case .unsupportedImage: writer.tag("unsupported_image")
            case .encryptedContent: writer.tag("encrypted_content")
            case .conversionError: writer.tag("conversion_error")
            case .accessDenied: writer.tag("access_denied")
            case .notFound: writer.tag("not_found")
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
    public struct UnlockFileArg: StoneValue {
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
    public struct UnlockFileBatchArg: StoneValue {
        public var entries: [Files.UnlockFileArg]

        public init(entries: [Files.UnlockFileArg]) {
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
    public struct UploadArg: StoneValue {
        public var path: String
        public var mode: Files.WriteMode
        public var autorename: Bool
        public var clientModified: Date?
        public var mute: Bool
        public var propertyGroups: [FileProperties.PropertyGroup]?
        public var strictConflict: Bool
        public var contentHash: String?

        public init(
            path: String, mode: Files.WriteMode = Files.WriteMode.add, autorename: Bool = false,
            clientModified: Date? = nil, mute: Bool = false, propertyGroups: [FileProperties.PropertyGroup]? = nil,
            strictConflict: Bool = false, contentHash: String? = nil
        ) {
            self.path = path
            self.mode = mode
            self.autorename = autorename
            self.clientModified = clientModified
            self.mute = mute
            self.propertyGroups = propertyGroups
            self.strictConflict = strictConflict
            self.contentHash = contentHash
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path mode autorename client_modified mute property_groups strict_conflict content_hash")
            path = try reader.string(slot)
            mode = try reader.optionalValue(slot + 1) ?? Files.WriteMode.add
            autorename = try reader.optionalBool(slot + 2) ?? false
            clientModified = try reader.optionalDate(slot + 3, .seconds)
            mute = try reader.optionalBool(slot + 4) ?? false
            propertyGroups = try reader.optionalList(slot + 5)
            strictConflict = try reader.optionalBool(slot + 6) ?? false
            contentHash = try reader.optionalString(slot + 7)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.value("mode", mode)
            writer.bool("autorename", autorename)
            writer.date("client_modified", clientModified, .seconds)
            writer.bool("mute", mute)
            writer.list("property_groups", propertyGroups)
            writer.bool("strict_conflict", strictConflict)
            writer.string("content_hash", contentHash)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadError: StoneError {
        case path(Files.UploadWriteFailed)
        case propertiesError(FileProperties.InvalidPropertyGroupError)
        case payloadTooLarge
        case contentHashMismatch
        case encryptionNotSupported
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path properties_error payload_too_large content_hash_mismatch encryption_not_supported")
            switch tag.number {
            case 0: self = .path(try reader.flattened(tag))
            case 1: self = .propertiesError(try reader.value(reader.payload(tag)))
            case 2: self = .payloadTooLarge
            case 3: self = .contentHashMismatch
            case 4: self = .encryptionNotSupported
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                value.write(to: writer)
            case .propertiesError(let value):
                writer.tag("properties_error")
                writer.value("properties_error", value)
            case .payloadTooLarge: writer.tag("payload_too_large")
            case .contentHashMismatch: writer.tag("content_hash_mismatch")
            case .encryptionNotSupported: writer.tag("encryption_not_supported")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            case .propertiesError(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    public struct UploadSessionAppendArg: StoneValue {
        public var cursor: Files.UploadSessionCursor
        public var close: Bool
        public var contentHash: String?

        public init(cursor: Files.UploadSessionCursor, close: Bool = false, contentHash: String? = nil) {
            self.cursor = cursor
            self.close = close
            self.contentHash = contentHash
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor close content_hash")
            cursor = try reader.value(slot)
            close = try reader.optionalBool(slot + 1) ?? false
            contentHash = try reader.optionalString(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.value("cursor", cursor)
            writer.bool("close", close)
            writer.string("content_hash", contentHash)
        }
    }
}

extension Files {
    public struct UploadSessionAppendBatchArg: StoneValue {
        public var entries: [Files.UploadSessionAppendBatchArgEntry]
        public var contentHash: String?

        public init(entries: [Files.UploadSessionAppendBatchArgEntry], contentHash: String? = nil) {
            self.entries = entries
            self.contentHash = contentHash
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries content_hash")
            entries = try reader.list(slot)
            contentHash = try reader.optionalString(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
            writer.string("content_hash", contentHash)
        }
    }
}

extension Files {
    public struct UploadSessionAppendBatchArgEntry: StoneValue {
        public var cursor: Files.UploadSessionCursor
        public var length: UInt64
        public var close: Bool

        public init(cursor: Files.UploadSessionCursor, length: UInt64, close: Bool = false) {
            self.cursor = cursor
            self.length = length
            self.close = close
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor length close")
            cursor = try reader.value(slot)
            length = try reader.uint64(slot + 1)
            close = try reader.optionalBool(slot + 2) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.value("cursor", cursor)
            writer.uint64("length", length)
            writer.bool("close", close)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadSessionAppendBatchEntryError: StoneValue {
        case notFound
        case incorrectOffset(Files.UploadSessionOffsetError)
        case closed
        case tooLarge
        case concurrentSessionInvalidOffset
        case concurrentSessionInvalidDataSize
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("not_found incorrect_offset closed too_large concurrent_session_invalid_offset concurrent_session_invalid_data_size")
            switch tag.number {
            case 0: self = .notFound
            case 1: self = .incorrectOffset(try reader.flattened(tag))
            case 2: self = .closed
            case 3: self = .tooLarge
            case 4: self = .concurrentSessionInvalidOffset
            case 5: self = .concurrentSessionInvalidDataSize
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .notFound: writer.tag("not_found")
            case .incorrectOffset(let value):
                writer.tag("incorrect_offset")
                value.write(to: writer)
            case .closed: writer.tag("closed")
            case .tooLarge: writer.tag("too_large")
            case .concurrentSessionInvalidOffset: writer.tag("concurrent_session_invalid_offset")
            case .concurrentSessionInvalidDataSize: writer.tag("concurrent_session_invalid_data_size")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}
