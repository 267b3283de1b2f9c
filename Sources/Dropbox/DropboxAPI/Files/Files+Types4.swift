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
    public enum UploadSessionAppendBatchError: StoneError {
        case payloadTooLarge
        case contentHashMismatch
        case lengthMismatch
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("payload_too_large content_hash_mismatch length_mismatch")
            switch tag.number {
            case 0: self = .payloadTooLarge
            case 1: self = .contentHashMismatch
            case 2: self = .lengthMismatch
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .payloadTooLarge: writer.tag("payload_too_large")
            case .contentHashMismatch: writer.tag("content_hash_mismatch")
            case .lengthMismatch: writer.tag("length_mismatch")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct UploadSessionAppendBatchResult: StoneValue {
        public var entries: [Files.UploadSessionAppendBatchResultEntry]

        public init(entries: [Files.UploadSessionAppendBatchResultEntry]) {
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
    public enum UploadSessionAppendBatchResultEntry: StoneValue {
        case success
        case failure(Files.UploadSessionAppendBatchEntryError)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("success failure")
            switch tag.number {
            case 0: self = .success
            case 1: self = .failure(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .success: writer.tag("success")
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
    public enum UploadSessionAppendError: StoneError {
        case notFound
        case incorrectOffset(Files.UploadSessionOffsetError)
        case closed
        case tooLarge
        case concurrentSessionInvalidOffset
        case concurrentSessionInvalidDataSize
        case payloadTooLarge
        case contentHashMismatch
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("not_found incorrect_offset closed too_large concurrent_session_invalid_offset concurrent_session_invalid_data_size payload_too_large content_hash_mismatch")
            switch tag.number {
            case 0: self = .notFound
            case 1: self = .incorrectOffset(try reader.flattened(tag))
            case 2: self = .closed
            case 3: self = .tooLarge
            case 4: self = .concurrentSessionInvalidOffset
            case 5: self = .concurrentSessionInvalidDataSize
            case 6: self = .payloadTooLarge
            case 7: self = .contentHashMismatch
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
            case .payloadTooLarge: writer.tag("payload_too_large")
            case .contentHashMismatch: writer.tag("content_hash_mismatch")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .incorrectOffset(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    public struct UploadSessionCursor: StoneValue {
        public var sessionID: String
        public var offset: UInt64

        public init(sessionID: String, offset: UInt64) {
            self.sessionID = sessionID
            self.offset = offset
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("session_id offset")
            sessionID = try reader.string(slot)
            offset = try reader.uint64(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("session_id", sessionID)
            writer.uint64("offset", offset)
        }
    }
}

extension Files {
    public struct UploadSessionFinishArg: StoneValue {
        public var cursor: Files.UploadSessionCursor
        public var commit: Files.CommitInfo
        public var contentHash: String?

        public init(cursor: Files.UploadSessionCursor, commit: Files.CommitInfo, contentHash: String? = nil) {
            self.cursor = cursor
            self.commit = commit
            self.contentHash = contentHash
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor commit content_hash")
            cursor = try reader.value(slot)
            commit = try reader.value(slot + 1)
            contentHash = try reader.optionalString(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.value("cursor", cursor)
            writer.value("commit", commit)
            writer.string("content_hash", contentHash)
        }
    }
}

extension Files {
    public struct UploadSessionFinishBatchArg: StoneValue {
        public var entries: [Files.UploadSessionFinishArg]

        public init(entries: [Files.UploadSessionFinishArg]) {
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
    public enum UploadSessionFinishBatchJobStatus: StoneValue {
        case inProgress
        case complete(Files.UploadSessionFinishBatchResult)

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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadSessionFinishBatchLaunch: StoneValue {
        case asyncJobID(String)
        case complete(Files.UploadSessionFinishBatchResult)
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
    public struct UploadSessionFinishBatchResult: StoneValue {
        public var entries: [Files.UploadSessionFinishBatchResultEntry]

        public init(entries: [Files.UploadSessionFinishBatchResultEntry]) {
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
    public enum UploadSessionFinishBatchResultEntry: StoneValue {
        case success(Files.FileMetadata)
        case failure(Files.UploadSessionFinishError)

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
    public enum UploadSessionFinishError: StoneError {
        case lookupFailed(Files.UploadSessionLookupError)
        case path(Files.WriteError)
        case propertiesError(FileProperties.InvalidPropertyGroupError)
        /// It should not be used any more.
        @available(*, deprecated)
        case tooManySharedFolderTargets
        case tooManyWriteOperations
        case concurrentSessionDataNotAllowed
        case concurrentSessionNotClosed
        case concurrentSessionMissingData
        case payloadTooLarge
        case contentHashMismatch
        case encryptionNotSupported
        /// A tag that the specs do not define.
        case other(UnknownTag)

        @available(*, deprecated)
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("lookup_failed path properties_error too_many_shared_folder_targets too_many_write_operations concurrent_session_data_not_allowed concurrent_session_not_closed concurrent_session_missing_data payload_too_large content_hash_mismatch encryption_not_supported")
            switch tag.number {
            case 0: self = .lookupFailed(try reader.value(reader.payload(tag)))
            case 1: self = .path(try reader.value(reader.payload(tag)))
            case 2: self = .propertiesError(try reader.value(reader.payload(tag)))
            case 3: self = .tooManySharedFolderTargets
            case 4: self = .tooManyWriteOperations
            case 5: self = .concurrentSessionDataNotAllowed
            case 6: self = .concurrentSessionNotClosed
            case 7: self = .concurrentSessionMissingData
            case 8: self = .payloadTooLarge
            case 9: self = .contentHashMismatch
            case 10: self = .encryptionNotSupported
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .lookupFailed(let value):
                writer.tag("lookup_failed")
                writer.value("lookup_failed", value)
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .propertiesError(let value):
                writer.tag("properties_error")
                writer.value("properties_error", value)
            case .tooManySharedFolderTargets: writer.tag("too_many_shared_folder_targets")
            case .tooManyWriteOperations: writer.tag("too_many_write_operations")
            case .concurrentSessionDataNotAllowed: writer.tag("concurrent_session_data_not_allowed")
            case .concurrentSessionNotClosed: writer.tag("concurrent_session_not_closed")
            case .concurrentSessionMissingData: writer.tag("concurrent_session_missing_data")
            case .payloadTooLarge: writer.tag("payload_too_large")
            case .contentHashMismatch: writer.tag("content_hash_mismatch")
            case .encryptionNotSupported: writer.tag("encryption_not_supported")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .lookupFailed(let value): [value]
            case .path(let value): [value]
            case .propertiesError(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadSessionLookupError: StoneError {
        case notFound
        case incorrectOffset(Files.UploadSessionOffsetError)
        case closed
        case notClosed
        case tooLarge
        case concurrentSessionInvalidOffset
        case concurrentSessionInvalidDataSize
        case payloadTooLarge
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("not_found incorrect_offset closed not_closed too_large concurrent_session_invalid_offset concurrent_session_invalid_data_size payload_too_large")
            switch tag.number {
            case 0: self = .notFound
            case 1: self = .incorrectOffset(try reader.flattened(tag))
            case 2: self = .closed
            case 3: self = .notClosed
            case 4: self = .tooLarge
            case 5: self = .concurrentSessionInvalidOffset
            case 6: self = .concurrentSessionInvalidDataSize
            case 7: self = .payloadTooLarge
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
            case .notClosed: writer.tag("not_closed")
            case .tooLarge: writer.tag("too_large")
            case .concurrentSessionInvalidOffset: writer.tag("concurrent_session_invalid_offset")
            case .concurrentSessionInvalidDataSize: writer.tag("concurrent_session_invalid_data_size")
            case .payloadTooLarge: writer.tag("payload_too_large")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .incorrectOffset(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    public struct UploadSessionOffsetError: StoneError {
        public var correctOffset: UInt64

        public init(correctOffset: UInt64) {
            self.correctOffset = correctOffset
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("correct_offset")
            correctOffset = try reader.uint64(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.uint64("correct_offset", correctOffset)
        }
    }
}

extension Files {
    public struct UploadSessionStartArg: StoneValue {
        public var close: Bool
        public var sessionType: Files.UploadSessionType?
        public var contentHash: String?

        public init(close: Bool = false, sessionType: Files.UploadSessionType? = nil, contentHash: String? = nil) {
            self.close = close
            self.sessionType = sessionType
            self.contentHash = contentHash
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("close session_type content_hash")
            close = try reader.optionalBool(slot) ?? false
            sessionType = try reader.optionalValue(slot + 1)
            contentHash = try reader.optionalString(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.bool("close", close)
            writer.value("session_type", sessionType)
            writer.string("content_hash", contentHash)
        }
    }
}

extension Files {
    public struct UploadSessionStartBatchArg: StoneValue {
        public var numSessions: UInt64
        public var sessionType: Files.UploadSessionType?

        public init(numSessions: UInt64, sessionType: Files.UploadSessionType? = nil) {
            self.numSessions = numSessions
            self.sessionType = sessionType
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("num_sessions session_type")
            numSessions = try reader.uint64(slot)
            sessionType = try reader.optionalValue(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.uint64("num_sessions", numSessions)
            writer.value("session_type", sessionType)
        }
    }
}

extension Files {
    public struct UploadSessionStartBatchResult: StoneValue {
        public var sessionIDs: [String]

        public init(sessionIDs: [String]) {
            self.sessionIDs = sessionIDs
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("session_ids")
            sessionIDs = try reader.strings(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.strings("session_ids", sessionIDs)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadSessionStartError: StoneError {
        case concurrentSessionDataNotAllowed
        case concurrentSessionCloseNotAllowed
        case payloadTooLarge
        case contentHashMismatch
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("concurrent_session_data_not_allowed concurrent_session_close_not_allowed payload_too_large content_hash_mismatch")
            switch tag.number {
            case 0: self = .concurrentSessionDataNotAllowed
            case 1: self = .concurrentSessionCloseNotAllowed
            case 2: self = .payloadTooLarge
            case 3: self = .contentHashMismatch
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .concurrentSessionDataNotAllowed: writer.tag("concurrent_session_data_not_allowed")
            case .concurrentSessionCloseNotAllowed: writer.tag("concurrent_session_close_not_allowed")
            case .payloadTooLarge: writer.tag("payload_too_large")
            case .contentHashMismatch: writer.tag("content_hash_mismatch")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct UploadSessionStartResult: StoneValue {
        public var sessionID: String

        public init(sessionID: String) {
            self.sessionID = sessionID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("session_id")
            sessionID = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("session_id", sessionID)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadSessionType: StoneValue {
        case sequential
        case concurrent
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("sequential concurrent")
            switch tag.number {
            case 0: self = .sequential
            case 1: self = .concurrent
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .sequential: writer.tag("sequential")
            case .concurrent: writer.tag("concurrent")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    public struct UploadWriteFailed: StoneError {
        public var reason: Files.WriteError
        public var uploadSessionID: String

        public init(reason: Files.WriteError, uploadSessionID: String) {
            self.reason = reason
            self.uploadSessionID = uploadSessionID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("reason upload_session_id")
            reason = try reader.value(slot)
            uploadSessionID = try reader.string(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.value("reason", reason)
            writer.string("upload_session_id", uploadSessionID)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [reason] }
    }
}

extension Files {
    public struct UserGeneratedTag: StoneValue {
        public var tagText: String

        public init(tagText: String) {
            self.tagText = tagText
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("tag_text")
            tagText = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("tag_text", tagText)
        }
    }
}

extension Files {
    public struct VideoMetadata: StoneValue {
        public var dimensions: Files.Dimensions?
        public var location: Files.GpsCoordinates?
        public var timeTaken: Date?
        public var duration: UInt64?

        public init(
            dimensions: Files.Dimensions? = nil, location: Files.GpsCoordinates? = nil, timeTaken: Date? = nil,
            duration: UInt64? = nil
        ) {
            self.dimensions = dimensions
            self.location = location
            self.timeTaken = timeTaken
            self.duration = duration
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("dimensions location time_taken duration")
            dimensions = try reader.optionalValue(slot)
            location = try reader.optionalValue(slot + 1)
            timeTaken = try reader.optionalDate(slot + 2, .seconds)
            duration = try reader.optionalUInt64(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.value("dimensions", dimensions)
            writer.value("location", location)
            writer.date("time_taken", timeTaken, .seconds)
            writer.uint64("duration", duration)
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum WriteConflictError: StoneError {
        case file
        case folder
        case fileAncestor
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("file folder file_ancestor")
            switch tag.number {
            case 0: self = .file
            case 1: self = .folder
            case 2: self = .fileAncestor
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .file: writer.tag("file")
            case .folder: writer.tag("folder")
            case .fileAncestor: writer.tag("file_ancestor")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Files {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum WriteError: StoneError {
        case malformedPath(String?)
        case conflict(Files.WriteConflictError)
        case noWritePermission
        case insufficientSpace
        case disallowedName
        case teamFolder
        case operationSuppressed
        case tooManyWriteOperations
        case accessRestricted
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("malformed_path conflict no_write_permission insufficient_space disallowed_name team_folder operation_suppressed too_many_write_operations access_restricted")
            switch tag.number {
            case 0: self = .malformedPath(try reader.optionalString(reader.payload(tag)))
            case 1: self = .conflict(try reader.value(reader.payload(tag)))
            case 2: self = .noWritePermission
            case 3: self = .insufficientSpace
            case 4: self = .disallowedName
            case 5: self = .teamFolder
            case 6: self = .operationSuppressed
            case 7: self = .tooManyWriteOperations
            case 8: self = .accessRestricted
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .malformedPath(let value):
                writer.tag("malformed_path")
                writer.string("malformed_path", value)
            case .conflict(let value):
                writer.tag("conflict")
                writer.value("conflict", value)
            case .noWritePermission: writer.tag("no_write_permission")
            case .insufficientSpace: writer.tag("insufficient_space")
            case .disallowedName: writer.tag("disallowed_name")
            case .teamFolder: writer.tag("team_folder")
            case .operationSuppressed: writer.tag("operation_suppressed")
            case .tooManyWriteOperations: writer.tag("too_many_write_operations")
            case .accessRestricted: writer.tag("access_restricted")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .conflict(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    public enum WriteMode: StoneValue {
        case add
        case overwrite
        case update(String)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("add overwrite update")
            switch tag.number {
            case 0: self = .add
            case 1: self = .overwrite
            case 2: self = .update(try reader.string(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .add: writer.tag("add")
            case .overwrite: writer.tag("overwrite")
            case .update(let value):
                writer.tag("update")
                writer.string("update", value)
            }
        }
    }
}
