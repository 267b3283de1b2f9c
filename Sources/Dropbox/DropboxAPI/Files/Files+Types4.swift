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
    /// The union `UploadSessionAppendBatchError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadSessionAppendBatchError: StoneError {
        /// The tag `payload_too_large`.
        case payloadTooLarge
        /// The tag `content_hash_mismatch`.
        case contentHashMismatch
        /// The tag `length_mismatch`.
        case lengthMismatch
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("payload_too_large content_hash_mismatch length_mismatch")
            switch tag.number {
            case 0: self = .payloadTooLarge
            case 1: self = .contentHashMismatch
            case 2: self = .lengthMismatch
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `UploadSessionAppendBatchResult`.
    public struct UploadSessionAppendBatchResult: StoneValue {
        /// The field `entries`.
        public var entries: [Files.UploadSessionAppendBatchResultEntry]

        /// Makes a value of its fields.
        public init(entries: [Files.UploadSessionAppendBatchResultEntry]) {
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
    /// The union `UploadSessionAppendBatchResultEntry`.
    public enum UploadSessionAppendBatchResultEntry: StoneValue {
        /// The tag `success`.
        case success
        /// The tag `failure`.
        case failure(Files.UploadSessionAppendBatchEntryError)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("success failure")
            switch tag.number {
            case 0: self = .success
            case 1: self = .failure(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `UploadSessionAppendError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadSessionAppendError: StoneError {
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
        /// The tag `payload_too_large`.
        case payloadTooLarge
        /// The tag `content_hash_mismatch`.
        case contentHashMismatch
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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
            case .payloadTooLarge: writer.tag("payload_too_large")
            case .contentHashMismatch: writer.tag("content_hash_mismatch")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .incorrectOffset(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    /// The struct `UploadSessionCursor`.
    public struct UploadSessionCursor: StoneValue {
        /// The field `session_id`.
        public var sessionID: String
        /// The field `offset`.
        public var offset: UInt64

        /// Makes a value of its fields.
        public init(sessionID: String, offset: UInt64) {
            self.sessionID = sessionID
            self.offset = offset
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("session_id offset")
            sessionID = try reader.string(slot)
            offset = try reader.uint64(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("session_id", sessionID)
            writer.uint64("offset", offset)
        }
    }
}

extension Files {
    /// The struct `UploadSessionFinishArg`.
    public struct UploadSessionFinishArg: StoneValue {
        /// The field `cursor`.
        public var cursor: Files.UploadSessionCursor
        /// The field `commit`.
        public var commit: Files.CommitInfo
        /// The field `content_hash`.
        public var contentHash: String?

        /// Makes a value of its fields.
        public init(cursor: Files.UploadSessionCursor, commit: Files.CommitInfo, contentHash: String? = nil) {
            self.cursor = cursor
            self.commit = commit
            self.contentHash = contentHash
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor commit content_hash")
            cursor = try reader.value(slot)
            commit = try reader.value(slot + 1)
            contentHash = try reader.optionalString(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("cursor", cursor)
            writer.value("commit", commit)
            writer.string("content_hash", contentHash)
        }
    }
}

extension Files {
    /// The struct `UploadSessionFinishBatchArg`.
    public struct UploadSessionFinishBatchArg: StoneValue {
        /// The field `entries`.
        public var entries: [Files.UploadSessionFinishArg]

        /// Makes a value of its fields.
        public init(entries: [Files.UploadSessionFinishArg]) {
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
    /// The union `UploadSessionFinishBatchJobStatus`.
    public enum UploadSessionFinishBatchJobStatus: StoneValue {
        /// The tag `in_progress`.
        case inProgress
        /// The tag `complete`.
        case complete(Files.UploadSessionFinishBatchResult)

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
    /// The union `UploadSessionFinishBatchLaunch`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadSessionFinishBatchLaunch: StoneValue {
        /// The tag `async_job_id`.
        case asyncJobID(String)
        /// The tag `complete`.
        case complete(Files.UploadSessionFinishBatchResult)
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
    /// The struct `UploadSessionFinishBatchResult`.
    public struct UploadSessionFinishBatchResult: StoneValue {
        /// The field `entries`.
        public var entries: [Files.UploadSessionFinishBatchResultEntry]

        /// Makes a value of its fields.
        public init(entries: [Files.UploadSessionFinishBatchResultEntry]) {
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
    /// The union `UploadSessionFinishBatchResultEntry`.
    public enum UploadSessionFinishBatchResultEntry: StoneValue {
        /// The tag `success`.
        case success(Files.FileMetadata)
        /// The tag `failure`.
        case failure(Files.UploadSessionFinishError)

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
    /// The union `UploadSessionFinishError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadSessionFinishError: StoneError {
        /// The tag `lookup_failed`.
        case lookupFailed(Files.UploadSessionLookupError)
        /// The tag `path`.
        case path(Files.WriteError)
        /// The tag `properties_error`.
        case propertiesError(FileProperties.InvalidPropertyGroupError)
        /// The tag `too_many_shared_folder_targets`.
        ///
        /// It should not be used any more.
        @available(*, deprecated)
        case tooManySharedFolderTargets
        /// The tag `too_many_write_operations`.
        case tooManyWriteOperations
        /// The tag `concurrent_session_data_not_allowed`.
        case concurrentSessionDataNotAllowed
        /// The tag `concurrent_session_not_closed`.
        case concurrentSessionNotClosed
        /// The tag `concurrent_session_missing_data`.
        case concurrentSessionMissingData
        /// The tag `payload_too_large`.
        case payloadTooLarge
        /// The tag `content_hash_mismatch`.
        case contentHashMismatch
        /// The tag `encryption_not_supported`.
        case encryptionNotSupported
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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

        /// What the tag carries that can be why a call fails.
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
    /// The union `UploadSessionLookupError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadSessionLookupError: StoneError {
        /// The tag `not_found`.
        case notFound
        /// The tag `incorrect_offset`.
        case incorrectOffset(Files.UploadSessionOffsetError)
        /// The tag `closed`.
        case closed
        /// The tag `not_closed`.
        case notClosed
        /// The tag `too_large`.
        case tooLarge
        /// The tag `concurrent_session_invalid_offset`.
        case concurrentSessionInvalidOffset
        /// The tag `concurrent_session_invalid_data_size`.
        case concurrentSessionInvalidDataSize
        /// The tag `payload_too_large`.
        case payloadTooLarge
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .incorrectOffset(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    /// The struct `UploadSessionOffsetError`.
    public struct UploadSessionOffsetError: StoneError {
        /// The field `correct_offset`.
        public var correctOffset: UInt64

        /// Makes a value of its fields.
        public init(correctOffset: UInt64) {
            self.correctOffset = correctOffset
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("correct_offset")
            correctOffset = try reader.uint64(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.uint64("correct_offset", correctOffset)
        }
    }
}

extension Files {
    /// The struct `UploadSessionStartArg`.
    public struct UploadSessionStartArg: StoneValue {
        /// The field `close`.
        public var close: Bool
        /// The field `session_type`.
        public var sessionType: Files.UploadSessionType?
        /// The field `content_hash`.
        public var contentHash: String?

        /// Makes a value of its fields.
        public init(close: Bool = false, sessionType: Files.UploadSessionType? = nil, contentHash: String? = nil) {
            self.close = close
            self.sessionType = sessionType
            self.contentHash = contentHash
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("close session_type content_hash")
            close = try reader.optionalBool(slot) ?? false
            sessionType = try reader.optionalValue(slot + 1)
            contentHash = try reader.optionalString(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.bool("close", close)
            writer.value("session_type", sessionType)
            writer.string("content_hash", contentHash)
        }
    }
}

extension Files {
    /// The struct `UploadSessionStartBatchArg`.
    public struct UploadSessionStartBatchArg: StoneValue {
        /// The field `num_sessions`.
        public var numSessions: UInt64
        /// The field `session_type`.
        public var sessionType: Files.UploadSessionType?

        /// Makes a value of its fields.
        public init(numSessions: UInt64, sessionType: Files.UploadSessionType? = nil) {
            self.numSessions = numSessions
            self.sessionType = sessionType
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("num_sessions session_type")
            numSessions = try reader.uint64(slot)
            sessionType = try reader.optionalValue(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.uint64("num_sessions", numSessions)
            writer.value("session_type", sessionType)
        }
    }
}

extension Files {
    /// The struct `UploadSessionStartBatchResult`.
    public struct UploadSessionStartBatchResult: StoneValue {
        /// The field `session_ids`.
        public var sessionIDs: [String]

        /// Makes a value of its fields.
        public init(sessionIDs: [String]) {
            self.sessionIDs = sessionIDs
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("session_ids")
            sessionIDs = try reader.strings(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.strings("session_ids", sessionIDs)
        }
    }
}

extension Files {
    /// The union `UploadSessionStartError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadSessionStartError: StoneError {
        /// The tag `concurrent_session_data_not_allowed`.
        case concurrentSessionDataNotAllowed
        /// The tag `concurrent_session_close_not_allowed`.
        case concurrentSessionCloseNotAllowed
        /// The tag `payload_too_large`.
        case payloadTooLarge
        /// The tag `content_hash_mismatch`.
        case contentHashMismatch
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The struct `UploadSessionStartResult`.
    public struct UploadSessionStartResult: StoneValue {
        /// The field `session_id`.
        public var sessionID: String

        /// Makes a value of its fields.
        public init(sessionID: String) {
            self.sessionID = sessionID
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("session_id")
            sessionID = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("session_id", sessionID)
        }
    }
}

extension Files {
    /// The union `UploadSessionType`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UploadSessionType: StoneValue {
        /// The tag `sequential`.
        case sequential
        /// The tag `concurrent`.
        case concurrent
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("sequential concurrent")
            switch tag.number {
            case 0: self = .sequential
            case 1: self = .concurrent
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `UploadWriteFailed`.
    public struct UploadWriteFailed: StoneError {
        /// The field `reason`.
        public var reason: Files.WriteError
        /// The field `upload_session_id`.
        public var uploadSessionID: String

        /// Makes a value of its fields.
        public init(reason: Files.WriteError, uploadSessionID: String) {
            self.reason = reason
            self.uploadSessionID = uploadSessionID
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("reason upload_session_id")
            reason = try reader.value(slot)
            uploadSessionID = try reader.string(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("reason", reason)
            writer.string("upload_session_id", uploadSessionID)
        }

        /// The fields that can be why a call fails.
        public var innerErrors: [any Error] { [reason] }
    }
}

extension Files {
    /// The struct `UserGeneratedTag`.
    public struct UserGeneratedTag: StoneValue {
        /// The field `tag_text`.
        public var tagText: String

        /// Makes a value of its fields.
        public init(tagText: String) {
            self.tagText = tagText
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("tag_text")
            tagText = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("tag_text", tagText)
        }
    }
}

extension Files {
    /// The struct `VideoMetadata`.
    public struct VideoMetadata: StoneValue {
        /// The field `dimensions`.
        public var dimensions: Files.Dimensions?
        /// The field `location`.
        public var location: Files.GpsCoordinates?
        /// The field `time_taken`.
        public var timeTaken: Date?
        /// The field `duration`.
        public var duration: UInt64?

        /// Makes a value of its fields.
        public init(
            dimensions: Files.Dimensions? = nil, location: Files.GpsCoordinates? = nil, timeTaken: Date? = nil,
            duration: UInt64? = nil
        ) {
            self.dimensions = dimensions
            self.location = location
            self.timeTaken = timeTaken
            self.duration = duration
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("dimensions location time_taken duration")
            dimensions = try reader.optionalValue(slot)
            location = try reader.optionalValue(slot + 1)
            timeTaken = try reader.optionalDate(slot + 2, .seconds)
            duration = try reader.optionalUInt64(slot + 3)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("dimensions", dimensions)
            writer.value("location", location)
            writer.date("time_taken", timeTaken, .seconds)
            writer.uint64("duration", duration)
        }
    }
}

extension Files {
    /// The union `WriteConflictError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum WriteConflictError: StoneError {
        /// The tag `file`.
        case file
        /// The tag `folder`.
        case folder
        /// The tag `file_ancestor`.
        case fileAncestor
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("file folder file_ancestor")
            switch tag.number {
            case 0: self = .file
            case 1: self = .folder
            case 2: self = .fileAncestor
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `WriteError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum WriteError: StoneError {
        /// The tag `malformed_path`.
        case malformedPath(String?)
        /// The tag `conflict`.
        case conflict(Files.WriteConflictError)
        /// The tag `no_write_permission`.
        case noWritePermission
        /// The tag `insufficient_space`.
        case insufficientSpace
        /// The tag `disallowed_name`.
        case disallowedName
        /// The tag `team_folder`.
        case teamFolder
        /// The tag `operation_suppressed`.
        case operationSuppressed
        /// The tag `too_many_write_operations`.
        case tooManyWriteOperations
        /// The tag `access_restricted`.
        case accessRestricted
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .conflict(let value): [value]
            default: []
            }
        }
    }
}

extension Files {
    /// The union `WriteMode`.
    public enum WriteMode: StoneValue {
        /// The tag `add`.
        case add
        /// The tag `overwrite`.
        case overwrite
        /// The tag `update`.
        case update(String)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("add overwrite update")
            switch tag.number {
            case 0: self = .add
            case 1: self = .overwrite
            case 2: self = .update(try reader.string(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
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
