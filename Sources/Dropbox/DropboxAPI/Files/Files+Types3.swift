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
    /// The union `RelocationBatchLaunch`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RelocationBatchLaunch: StoneValue {
        /// The tag `async_job_id`.
        case asyncJobID(String)
        /// The tag `complete`.
        case complete(Files.RelocationBatchResult)
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
    /// The struct `RelocationBatchResult`.
    public struct RelocationBatchResult: StoneValue {
        /// The field `entries`.
        public var entries: [Files.RelocationBatchResultData]

        /// Makes a value of its fields.
        public init(entries: [Files.RelocationBatchResultData]) {
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
    /// The struct `RelocationBatchResultData`.
    public struct RelocationBatchResultData: StoneValue {
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
    /// The union `RelocationBatchResultEntry`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RelocationBatchResultEntry: StoneValue {
        /// The tag `success`.
        case success(Files.Metadata)
        /// The tag `failure`.
        case failure(Files.RelocationBatchErrorEntry)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("success failure")
            switch tag.number {
            case 0: self = .success(try reader.value(reader.payload(tag)))
            case 1: self = .failure(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `RelocationBatchV2JobStatus`.
    public enum RelocationBatchV2JobStatus: StoneValue {
        /// The tag `in_progress`.
        case inProgress
        /// The tag `complete`.
        case complete(Files.RelocationBatchV2Result)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("in_progress complete")
            switch tag.number {
            case 0: self = .inProgress
            case 1: self = .complete(try reader.flattened(tag))
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `RelocationBatchV2Launch`.
    public enum RelocationBatchV2Launch: StoneValue {
        /// The tag `async_job_id`.
        case asyncJobID(String)
        /// The tag `complete`.
        case complete(Files.RelocationBatchV2Result)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("async_job_id complete")
            switch tag.number {
            case 0: self = .asyncJobID(try reader.string(reader.payload(tag)))
            case 1: self = .complete(try reader.flattened(tag))
            default: throw reader.unknownTag(tag)
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
            }
        }
    }
}

extension Files {
    /// The struct `RelocationBatchV2Result`.
    public struct RelocationBatchV2Result: StoneValue {
        /// The field `entries`.
        public var entries: [Files.RelocationBatchResultEntry]

        /// Makes a value of its fields.
        public init(entries: [Files.RelocationBatchResultEntry]) {
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
    /// The union `RelocationError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RelocationError: StoneError {
        /// The tag `from_lookup`.
        case fromLookup(Files.LookupError)
        /// The tag `from_write`.
        case fromWrite(Files.WriteError)
        /// The tag `to`.
        case to(Files.WriteError)
        /// The tag `cant_copy_shared_folder`.
        case cantCopySharedFolder
        /// The tag `cant_nest_shared_folder`.
        case cantNestSharedFolder
        /// The tag `cant_move_folder_into_itself`.
        case cantMoveFolderIntoItself
        /// The tag `too_many_files`.
        case tooManyFiles
        /// The tag `duplicated_or_nested_paths`.
        case duplicatedOrNestedPaths
        /// The tag `cant_transfer_ownership`.
        case cantTransferOwnership
        /// The tag `insufficient_quota`.
        case insufficientQuota
        /// The tag `internal_error`.
        case internalError
        /// The tag `cant_move_shared_folder`.
        case cantMoveSharedFolder
        /// The tag `cant_move_into_vault`.
        case cantMoveIntoVault(Files.MoveIntoVaultError)
        /// The tag `cant_move_into_family`.
        case cantMoveIntoFamily(Files.MoveIntoFamilyError)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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

        /// What the tag carries that can be why a call fails.
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
    /// The struct `RelocationPath`.
    public struct RelocationPath: StoneValue {
        /// The field `from_path`.
        public var fromPath: String
        /// The field `to_path`.
        public var toPath: String

        /// Makes a value of its fields.
        public init(fromPath: String, toPath: String) {
            self.fromPath = fromPath
            self.toPath = toPath
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("from_path to_path")
            fromPath = try reader.string(slot)
            toPath = try reader.string(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("from_path", fromPath)
            writer.string("to_path", toPath)
        }
    }
}

extension Files {
    /// The struct `RelocationResult`.
    public struct RelocationResult: StoneValue {
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
    /// The struct `RemoveTagArg`.
    public struct RemoveTagArg: StoneValue {
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
    /// The union `RemoveTagError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RemoveTagError: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)
        /// The tag `tag_not_present`.
        case tagNotPresent
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path tag_not_present")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .tagNotPresent
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .tagNotPresent: writer.tag("tag_not_present")
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
    /// The struct `RestoreArg`.
    public struct RestoreArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `rev`.
        public var rev: String

        /// Makes a value of its fields.
        public init(path: String, rev: String) {
            self.path = path
            self.rev = rev
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path rev")
            path = try reader.string(slot)
            rev = try reader.string(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("rev", rev)
        }
    }
}

extension Files {
    /// The union `RestoreError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RestoreError: StoneError {
        /// The tag `path_lookup`.
        case pathLookup(Files.LookupError)
        /// The tag `path_write`.
        case pathWrite(Files.WriteError)
        /// The tag `invalid_revision`.
        case invalidRevision
        /// The tag `in_progress`.
        case inProgress
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The struct `SaveCopyReferenceArg`.
    public struct SaveCopyReferenceArg: StoneValue {
        /// The field `copy_reference`.
        public var copyReference: String
        /// The field `path`.
        public var path: String

        /// Makes a value of its fields.
        public init(copyReference: String, path: String) {
            self.copyReference = copyReference
            self.path = path
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("copy_reference path")
            copyReference = try reader.string(slot)
            path = try reader.string(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("copy_reference", copyReference)
            writer.string("path", path)
        }
    }
}

extension Files {
    /// The union `SaveCopyReferenceError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SaveCopyReferenceError: StoneError {
        /// The tag `path`.
        case path(Files.WriteError)
        /// The tag `invalid_copy_reference`.
        case invalidCopyReference
        /// The tag `no_permission`.
        case noPermission
        /// The tag `not_found`.
        case notFound
        /// The tag `too_many_files`.
        case tooManyFiles
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The struct `SaveCopyReferenceResult`.
    public struct SaveCopyReferenceResult: StoneValue {
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
    /// The struct `SaveUrlArg`.
    public struct SaveUrlArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `url`.
        public var url: String

        /// Makes a value of its fields.
        public init(path: String, url: String) {
            self.path = path
            self.url = url
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path url")
            path = try reader.string(slot)
            url = try reader.string(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("url", url)
        }
    }
}

extension Files {
    /// The union `SaveUrlError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SaveUrlError: StoneError {
        /// The tag `path`.
        case path(Files.WriteError)
        /// The tag `download_failed`.
        case downloadFailed
        /// The tag `invalid_url`.
        case invalidURL
        /// The tag `not_found`.
        case notFound
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The union `SaveUrlJobStatus`.
    public enum SaveUrlJobStatus: StoneValue {
        /// The tag `in_progress`.
        case inProgress
        /// The tag `complete`.
        case complete(Files.FileMetadata)
        /// The tag `failed`.
        case failed(Files.SaveUrlError)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("in_progress complete failed")
            switch tag.number {
            case 0: self = .inProgress
            case 1: self = .complete(try reader.flattened(tag))
            case 2: self = .failed(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
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
            }
        }
    }
}

extension Files {
    /// The union `SaveUrlResult`.
    public enum SaveUrlResult: StoneValue {
        /// The tag `async_job_id`.
        case asyncJobID(String)
        /// The tag `complete`.
        case complete(Files.FileMetadata)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("async_job_id complete")
            switch tag.number {
            case 0: self = .asyncJobID(try reader.string(reader.payload(tag)))
            case 1: self = .complete(try reader.flattened(tag))
            default: throw reader.unknownTag(tag)
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
            }
        }
    }
}

extension Files {
    /// The struct `SearchArg`.
    public struct SearchArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `query`.
        public var query: String
        /// The field `start`.
        public var start: UInt64
        /// The field `max_results`.
        public var maxResults: UInt64
        /// The field `mode`.
        public var mode: Files.SearchMode

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path query start max_results mode")
            path = try reader.string(slot)
            query = try reader.string(slot + 1)
            start = try reader.optionalUInt64(slot + 2) ?? 0
            maxResults = try reader.optionalUInt64(slot + 3) ?? 100
            mode = try reader.optionalValue(slot + 4) ?? Files.SearchMode.filename
        }

        /// Writes the fields.
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
    /// The union `SearchError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SearchError: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)
        /// The tag `invalid_argument`.
        case invalidArgument(String?)
        /// The tag `internal_error`.
        case internalError
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path invalid_argument internal_error")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .invalidArgument(try reader.optionalString(reader.payload(tag)))
            case 2: self = .internalError
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `SearchMatch`.
    public struct SearchMatch: StoneValue {
        /// The field `match_type`.
        public var matchType: Files.SearchMatchType
        /// The field `metadata`.
        public var metadata: Files.Metadata

        /// Makes a value of its fields.
        public init(matchType: Files.SearchMatchType, metadata: Files.Metadata) {
            self.matchType = matchType
            self.metadata = metadata
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("match_type metadata")
            matchType = try reader.value(slot)
            metadata = try reader.value(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("match_type", matchType)
            writer.value("metadata", metadata)
        }
    }
}

extension Files {
    /// The struct `SearchMatchFieldOptions`.
    public struct SearchMatchFieldOptions: StoneValue {
        /// The field `include_highlights`.
        public var includeHighlights: Bool

        /// Makes a value of its fields.
        public init(includeHighlights: Bool = false) {
            self.includeHighlights = includeHighlights
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("include_highlights")
            includeHighlights = try reader.optionalBool(slot) ?? false
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.bool("include_highlights", includeHighlights)
        }
    }
}

extension Files {
    /// The union `SearchMatchType`.
    public enum SearchMatchType: StoneValue, CaseIterable {
        /// The tag `filename`.
        case filename
        /// The tag `content`.
        case content
        /// The tag `both`.
        case both

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("filename content both")
            switch tag.number {
            case 0: self = .filename
            case 1: self = .content
            case 2: self = .both
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `SearchMatchTypeV2`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SearchMatchTypeV2: StoneValue {
        /// The tag `filename`.
        case filename
        /// The tag `file_content`.
        case fileContent
        /// The tag `filename_and_content`.
        case filenameAndContent
        /// The tag `image_content`.
        case imageContent
        /// The tag `metadata`.
        case metadata
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The struct `SearchMatchV2`.
    public struct SearchMatchV2: StoneValue {
        /// The field `metadata`.
        public var metadata: Files.MetadataV2
        /// The field `match_type`.
        public var matchType: Files.SearchMatchTypeV2?
        /// The field `highlight_spans`.
        public var highlightSpans: [Files.HighlightSpan]?

        /// Makes a value of its fields.
        public init(
            metadata: Files.MetadataV2, matchType: Files.SearchMatchTypeV2? = nil,
            highlightSpans: [Files.HighlightSpan]? = nil
        ) {
            self.metadata = metadata
            self.matchType = matchType
            self.highlightSpans = highlightSpans
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("metadata match_type highlight_spans")
            metadata = try reader.value(slot)
            matchType = try reader.optionalValue(slot + 1)
            highlightSpans = try reader.optionalList(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("metadata", metadata)
            writer.value("match_type", matchType)
            writer.list("highlight_spans", highlightSpans)
        }
    }
}

extension Files {
    /// The union `SearchMode`.
    public enum SearchMode: StoneValue, CaseIterable {
        /// The tag `filename`.
        case filename
        /// The tag `filename_and_content`.
        case filenameAndContent
        /// The tag `deleted_filename`.
        case deletedFilename

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("filename filename_and_content deleted_filename")
            switch tag.number {
            case 0: self = .filename
            case 1: self = .filenameAndContent
            case 2: self = .deletedFilename
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `SearchOptions`.
    public struct SearchOptions: StoneValue {
        /// The field `path`.
        public var path: String?
        /// The field `max_results`.
        public var maxResults: UInt64
        /// The field `order_by`.
        public var orderBy: Files.SearchOrderBy?
        /// The field `file_status`.
        public var fileStatus: Files.FileStatus
        /// The field `filename_only`.
        public var filenameOnly: Bool
        /// The field `file_extensions`.
        public var fileExtensions: [String]?
        /// The field `file_categories`.
        public var fileCategories: [Files.FileCategory]?
        /// The field `account_id`.
        public var accountID: String?

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
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

        /// Writes the fields.
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
    /// The union `SearchOrderBy`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SearchOrderBy: StoneValue {
        /// The tag `relevance`.
        case relevance
        /// The tag `last_modified_time`.
        case lastModifiedTime
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("relevance last_modified_time")
            switch tag.number {
            case 0: self = .relevance
            case 1: self = .lastModifiedTime
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `SearchResult`.
    public struct SearchResult: StoneValue {
        /// The field `matches`.
        public var matches: [Files.SearchMatch]
        /// The field `more`.
        public var more: Bool
        /// The field `start`.
        public var start: UInt64

        /// Makes a value of its fields.
        public init(matches: [Files.SearchMatch], more: Bool, start: UInt64) {
            self.matches = matches
            self.more = more
            self.start = start
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("matches more start")
            matches = try reader.list(slot)
            more = try reader.bool(slot + 1)
            start = try reader.uint64(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("matches", matches)
            writer.bool("more", more)
            writer.uint64("start", start)
        }
    }
}

extension Files {
    /// The struct `SearchV2Arg`.
    public struct SearchV2Arg: StoneValue {
        /// The field `query`.
        public var query: String
        /// The field `options`.
        public var options: Files.SearchOptions?
        /// The field `match_field_options`.
        public var matchFieldOptions: Files.SearchMatchFieldOptions?
        var _includeHighlights: Bool?
        /// The field `include_highlights`.
        @available(*, deprecated)
        public var includeHighlights: Bool? {
            get { _includeHighlights }
            set { _includeHighlights = newValue }
        }

        /// Makes a value of its fields.
        public init(
            query: String, options: Files.SearchOptions? = nil,
            matchFieldOptions: Files.SearchMatchFieldOptions? = nil, includeHighlights: Bool? = nil
        ) {
            self.query = query
            self.options = options
            self.matchFieldOptions = matchFieldOptions
            _includeHighlights = includeHighlights
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("query options match_field_options include_highlights")
            query = try reader.string(slot)
            options = try reader.optionalValue(slot + 1)
            matchFieldOptions = try reader.optionalValue(slot + 2)
            _includeHighlights = try reader.optionalBool(slot + 3)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("query", query)
            writer.value("options", options)
            writer.value("match_field_options", matchFieldOptions)
            writer.bool("include_highlights", _includeHighlights)
        }
    }
}

extension Files {
    /// The struct `SearchV2ContinueArg`.
    public struct SearchV2ContinueArg: StoneValue {
        /// The field `cursor`.
        public var cursor: String

        /// Makes a value of its fields.
        public init(cursor: String) {
            self.cursor = cursor
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor")
            cursor = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("cursor", cursor)
        }
    }
}

extension Files {
    /// The struct `SearchV2Result`.
    public struct SearchV2Result: StoneValue {
        /// The field `matches`.
        public var matches: [Files.SearchMatchV2]
        /// The field `has_more`.
        public var hasMore: Bool
        /// The field `cursor`.
        public var cursor: String?

        /// Makes a value of its fields.
        public init(matches: [Files.SearchMatchV2], hasMore: Bool, cursor: String? = nil) {
            self.matches = matches
            self.hasMore = hasMore
            self.cursor = cursor
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("matches has_more cursor")
            matches = try reader.list(slot)
            hasMore = try reader.bool(slot + 1)
            cursor = try reader.optionalString(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("matches", matches)
            writer.bool("has_more", hasMore)
            writer.string("cursor", cursor)
        }
    }
}

extension Files {
    /// The struct `SharedLink`.
    public struct SharedLink: StoneValue {
        /// The field `url`.
        public var url: String
        /// The field `password`.
        public var password: String?

        /// Makes a value of its fields.
        public init(url: String, password: String? = nil) {
            self.url = url
            self.password = password
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url password")
            url = try reader.string(slot)
            password = try reader.optionalString(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.string("password", password)
        }
    }
}

extension Files {
    /// The struct `SharedLinkFileInfo`.
    public struct SharedLinkFileInfo: StoneValue {
        /// The field `url`.
        public var url: String
        /// The field `path`.
        public var path: String?
        /// The field `password`.
        public var password: String?

        /// Makes a value of its fields.
        public init(url: String, path: String? = nil, password: String? = nil) {
            self.url = url
            self.path = path
            self.password = password
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url path password")
            url = try reader.string(slot)
            path = try reader.optionalString(slot + 1)
            password = try reader.optionalString(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.string("path", path)
            writer.string("password", password)
        }
    }
}

extension Files {
    /// The struct `SharingInfo`.
    public struct SharingInfo: StoneValue {
        /// The field `read_only`.
        public var readOnly: Bool

        /// Makes a value of its fields.
        public init(readOnly: Bool) {
            self.readOnly = readOnly
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("read_only")
            readOnly = try reader.bool(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.bool("read_only", readOnly)
        }
    }
}

extension Files {
    /// The struct `SingleUserLock`.
    public struct SingleUserLock: StoneError {
        /// The field `created`.
        public var created: Date
        /// The field `lock_holder_account_id`.
        public var lockHolderAccountID: String
        /// The field `lock_holder_team_id`.
        public var lockHolderTeamID: String?

        /// Makes a value of its fields.
        public init(created: Date, lockHolderAccountID: String, lockHolderTeamID: String? = nil) {
            self.created = created
            self.lockHolderAccountID = lockHolderAccountID
            self.lockHolderTeamID = lockHolderTeamID
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("created lock_holder_account_id lock_holder_team_id")
            created = try reader.date(slot, .seconds)
            lockHolderAccountID = try reader.string(slot + 1)
            lockHolderTeamID = try reader.optionalString(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.date("created", created, .seconds)
            writer.string("lock_holder_account_id", lockHolderAccountID)
            writer.string("lock_holder_team_id", lockHolderTeamID)
        }
    }
}

extension Files {
    /// The struct `SymlinkInfo`.
    public struct SymlinkInfo: StoneValue {
        /// The field `target`.
        public var target: String

        /// Makes a value of its fields.
        public init(target: String) {
            self.target = target
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("target")
            target = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("target", target)
        }
    }
}

extension Files {
    /// The union `SyncSetting`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SyncSetting: StoneValue {
        /// The tag `default`.
        case `default`
        /// The tag `not_synced`.
        case notSynced
        /// The tag `not_synced_inactive`.
        case notSyncedInactive
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("default not_synced not_synced_inactive")
            switch tag.number {
            case 0: self = .`default`
            case 1: self = .notSynced
            case 2: self = .notSyncedInactive
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `SyncSettingArg`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SyncSettingArg: StoneValue {
        /// The tag `default`.
        case `default`
        /// The tag `not_synced`.
        case notSynced
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("default not_synced")
            switch tag.number {
            case 0: self = .`default`
            case 1: self = .notSynced
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `SyncSettingsError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SyncSettingsError: StoneValue {
        /// The tag `path`.
        case path(Files.LookupError)
        /// The tag `unsupported_combination`.
        case unsupportedCombination
        /// The tag `unsupported_configuration`.
        case unsupportedConfiguration
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path unsupported_combination unsupported_configuration")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .unsupportedCombination
            case 2: self = .unsupportedConfiguration
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `Tag`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Tag: StoneValue {
        /// The tag `user_generated_tag`.
        case userGeneratedTag(Files.UserGeneratedTag)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_generated_tag")
            switch tag.number {
            case 0: self = .userGeneratedTag(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `ThumbnailArg`.
    public struct ThumbnailArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `format`.
        public var format: Files.ThumbnailFormat
        /// The field `size`.
        public var size: Files.ThumbnailSize
        /// The field `mode`.
        public var mode: Files.ThumbnailMode
        /// The field `exclude_media_info`.
        public var excludeMediaInfo: Bool?

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path format size mode exclude_media_info")
            path = try reader.string(slot)
            format = try reader.optionalValue(slot + 1) ?? Files.ThumbnailFormat.jpeg
            size = try reader.optionalValue(slot + 2) ?? Files.ThumbnailSize.w64h64
            mode = try reader.optionalValue(slot + 3) ?? Files.ThumbnailMode.strict
            excludeMediaInfo = try reader.optionalBool(slot + 4)
        }

        /// Writes the fields.
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
    /// The union `ThumbnailError`.
    public enum ThumbnailError: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)
        /// The tag `unsupported_extension`.
        case unsupportedExtension
        /// The tag `unsupported_image`.
        case unsupportedImage
        /// The tag `encrypted_content`.
        case encryptedContent
        /// The tag `conversion_error`.
        case conversionError

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The union `ThumbnailFormat`.
    public enum ThumbnailFormat: StoneValue, CaseIterable {
        /// The tag `jpeg`.
        case jpeg
        /// The tag `png`.
        case png
        /// The tag `webp`.
        case webp

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("jpeg png webp")
            switch tag.number {
            case 0: self = .jpeg
            case 1: self = .png
            case 2: self = .webp
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `ThumbnailMode`.
    public enum ThumbnailMode: StoneValue, CaseIterable {
        /// The tag `strict`.
        case strict
        /// The tag `bestfit`.
        case bestfit
        /// The tag `fitone_bestfit`.
        case fitoneBestfit
        /// The tag `original`.
        case original

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The union `ThumbnailQuality`.
    public enum ThumbnailQuality: StoneValue, CaseIterable {
        /// The tag `quality_80`.
        case quality80
        /// The tag `quality_90`.
        case quality90

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("quality_80 quality_90")
            switch tag.number {
            case 0: self = .quality80
            case 1: self = .quality90
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .quality80: writer.tag("quality_80")
            case .quality90: writer.tag("quality_90")
            }
        }
    }
}

extension Files {
    /// The union `ThumbnailSize`.
    public enum ThumbnailSize: StoneValue, CaseIterable {
        /// The tag `w32h32`.
        case w32h32
        /// The tag `w64h64`.
        case w64h64
        /// The tag `w128h128`.
        case w128h128
        /// The tag `w256h256`.
        case w256h256
        /// The tag `w480h320`.
        case w480h320
        /// The tag `w640h480`.
        case w640h480
        /// The tag `w960h640`.
        case w960h640
        /// The tag `w1024h768`.
        case w1024h768
        /// The tag `w2048h1536`.
        case w2048h1536

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The struct `ThumbnailV2Arg`.
    public struct ThumbnailV2Arg: StoneValue {
        /// The field `resource`.
        public var resource: Files.PathOrLink
        /// The field `format`.
        public var format: Files.ThumbnailFormat
        /// The field `size`.
        public var size: Files.ThumbnailSize
        /// The field `mode`.
        public var mode: Files.ThumbnailMode
        /// The field `exclude_media_info`.
        public var excludeMediaInfo: Bool?

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("resource format size mode exclude_media_info")
            resource = try reader.value(slot)
            format = try reader.optionalValue(slot + 1) ?? Files.ThumbnailFormat.jpeg
            size = try reader.optionalValue(slot + 2) ?? Files.ThumbnailSize.w64h64
            mode = try reader.optionalValue(slot + 3) ?? Files.ThumbnailMode.strict
            excludeMediaInfo = try reader.optionalBool(slot + 4)
        }

        /// Writes the fields.
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
    /// The union `ThumbnailV2Error`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ThumbnailV2Error: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)
        /// The tag `unsupported_extension`.
        case unsupportedExtension
        /// The tag `unsupported_image`.
        case unsupportedImage
        /// The tag `encrypted_content`.
        case encryptedContent
        /// The tag `conversion_error`.
        case conversionError
        /// The tag `access_denied`.
        case accessDenied
        /// The tag `not_found`.
        case notFound
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The struct `UnlockFileArg`.
    public struct UnlockFileArg: StoneValue {
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
    /// The struct `UnlockFileBatchArg`.
    public struct UnlockFileBatchArg: StoneValue {
        /// The field `entries`.
        public var entries: [Files.UnlockFileArg]

        /// Makes a value of its fields.
        public init(entries: [Files.UnlockFileArg]) {
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
    /// The struct `UploadArg`.
    public struct UploadArg: StoneValue {
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
        /// The field `content_hash`.
        public var contentHash: String?

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
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

        /// Writes the fields.
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
    /// The union `UploadError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadError: StoneError {
        /// The tag `path`.
        case path(Files.UploadWriteFailed)
        /// The tag `properties_error`.
        case propertiesError(FileProperties.InvalidPropertyGroupError)
        /// The tag `payload_too_large`.
        case payloadTooLarge
        /// The tag `content_hash_mismatch`.
        case contentHashMismatch
        /// The tag `encryption_not_supported`.
        case encryptionNotSupported
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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

        /// What the tag carries that can be why a call fails.
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
    /// The struct `UploadSessionAppendArg`.
    public struct UploadSessionAppendArg: StoneValue {
        /// The field `cursor`.
        public var cursor: Files.UploadSessionCursor
        /// The field `close`.
        public var close: Bool
        /// The field `content_hash`.
        public var contentHash: String?

        /// Makes a value of its fields.
        public init(cursor: Files.UploadSessionCursor, close: Bool = false, contentHash: String? = nil) {
            self.cursor = cursor
            self.close = close
            self.contentHash = contentHash
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor close content_hash")
            cursor = try reader.value(slot)
            close = try reader.optionalBool(slot + 1) ?? false
            contentHash = try reader.optionalString(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("cursor", cursor)
            writer.bool("close", close)
            writer.string("content_hash", contentHash)
        }
    }
}

extension Files {
    /// The struct `UploadSessionAppendBatchArg`.
    public struct UploadSessionAppendBatchArg: StoneValue {
        /// The field `entries`.
        public var entries: [Files.UploadSessionAppendBatchArgEntry]
        /// The field `content_hash`.
        public var contentHash: String?

        /// Makes a value of its fields.
        public init(entries: [Files.UploadSessionAppendBatchArgEntry], contentHash: String? = nil) {
            self.entries = entries
            self.contentHash = contentHash
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries content_hash")
            entries = try reader.list(slot)
            contentHash = try reader.optionalString(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
            writer.string("content_hash", contentHash)
        }
    }
}

extension Files {
    /// The struct `UploadSessionAppendBatchArgEntry`.
    public struct UploadSessionAppendBatchArgEntry: StoneValue {
        /// The field `cursor`.
        public var cursor: Files.UploadSessionCursor
        /// The field `length`.
        public var length: UInt64
        /// The field `close`.
        public var close: Bool

        /// Makes a value of its fields.
        public init(cursor: Files.UploadSessionCursor, length: UInt64, close: Bool = false) {
            self.cursor = cursor
            self.length = length
            self.close = close
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor length close")
            cursor = try reader.value(slot)
            length = try reader.uint64(slot + 1)
            close = try reader.optionalBool(slot + 2) ?? false
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("cursor", cursor)
            writer.uint64("length", length)
            writer.bool("close", close)
        }
    }
}

extension Files {
    /// The union `UploadSessionAppendBatchEntryError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadSessionAppendBatchEntryError: StoneValue {
        /// The tag `not_found`.
        case notFound
        /// The tag `incorrect_offset`.
        case incorrectOffset(Files.UploadSessionOffsetError)
        /// The tag `closed`.
        case closed
        /// The tag `too_large`.
        case tooLarge
        /// The tag `concurrent_session_invalid_offset`.
        case concurrentSessionInvalidOffset
        /// The tag `concurrent_session_invalid_data_size`.
        case concurrentSessionInvalidDataSize
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
