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

extension FileRequests {
    /// The union `CountFileRequestsError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CountFileRequestsError: StoneError {
        /// The tag `disabled_for_team`.
        case disabledForTeam
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team")
            switch tag.number {
            case 0: self = .disabledForTeam
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .disabledForTeam: writer.tag("disabled_for_team")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    /// The struct `CountFileRequestsResult`.
    public struct CountFileRequestsResult: StoneValue {
        /// The field `file_request_count`.
        public var fileRequestCount: UInt64

        /// Makes a value of its fields.
        public init(fileRequestCount: UInt64) {
            self.fileRequestCount = fileRequestCount
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file_request_count")
            fileRequestCount = try reader.uint64(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.uint64("file_request_count", fileRequestCount)
        }
    }
}

extension FileRequests {
    /// The struct `CreateFileRequestArgs`.
    public struct CreateFileRequestArgs: DescribedStoneValue {
        /// The field `title`.
        public var title: String
        /// The field `destination`.
        public var destination: String
        /// The field `deadline`.
        public var deadline: FileRequests.FileRequestDeadline?
        /// The field `open`.
        public var open: Bool
        /// The field `description`.
        public var description: String?
        /// The field `video_project_id`.
        public var videoProjectID: String?

        /// Makes a value of its fields.
        public init(
            title: String, destination: String, deadline: FileRequests.FileRequestDeadline? = nil, open: Bool = true,
            description: String? = nil, videoProjectID: String? = nil
        ) {
            self.title = title
            self.destination = destination
            self.deadline = deadline
            self.open = open
            self.description = description
            self.videoProjectID = videoProjectID
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("title destination deadline open description video_project_id")
            title = try reader.string(slot)
            destination = try reader.string(slot + 1)
            deadline = try reader.optionalValue(slot + 2)
            open = try reader.optionalBool(slot + 3) ?? true
            description = try reader.optionalString(slot + 4)
            videoProjectID = try reader.optionalString(slot + 5)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("title", title)
            writer.string("destination", destination)
            writer.value("deadline", deadline)
            writer.bool("open", open)
            writer.string("description", description)
            writer.string("video_project_id", videoProjectID)
        }
    }
}

extension FileRequests {
    /// The union `CreateFileRequestError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CreateFileRequestError: StoneError {
        /// The tag `disabled_for_team`.
        case disabledForTeam
        /// The tag `not_found`.
        case notFound
        /// The tag `not_a_folder`.
        case notAFolder
        /// The tag `app_lacks_access`.
        case appLacksAccess
        /// The tag `no_permission`.
        case noPermission
        /// The tag `email_unverified`.
        case emailUnverified
        /// The tag `validation_error`.
        case validationError
        /// The tag `no_write_permission`.
        case noWritePermission
        /// The tag `invalid_location`.
        case invalidLocation
        /// The tag `rate_limit`.
        case rateLimit
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team not_found not_a_folder app_lacks_access no_permission email_unverified validation_error no_write_permission invalid_location rate_limit")
            switch tag.number {
            case 0: self = .disabledForTeam
            case 1: self = .notFound
            case 2: self = .notAFolder
            case 3: self = .appLacksAccess
            case 4: self = .noPermission
            case 5: self = .emailUnverified
            case 6: self = .validationError
            case 7: self = .noWritePermission
            case 8: self = .invalidLocation
            case 9: self = .rateLimit
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .disabledForTeam: writer.tag("disabled_for_team")
            case .notFound: writer.tag("not_found")
            case .notAFolder: writer.tag("not_a_folder")
            case .appLacksAccess: writer.tag("app_lacks_access")
            case .noPermission: writer.tag("no_permission")
            case .emailUnverified: writer.tag("email_unverified")
            case .validationError: writer.tag("validation_error")
            case .noWritePermission: writer.tag("no_write_permission")
            case .invalidLocation: writer.tag("invalid_location")
            case .rateLimit: writer.tag("rate_limit")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    /// The union `DeleteAllClosedFileRequestsError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteAllClosedFileRequestsError: StoneError {
        /// The tag `disabled_for_team`.
        case disabledForTeam
        /// The tag `not_found`.
        case notFound
        /// The tag `not_a_folder`.
        case notAFolder
        /// The tag `app_lacks_access`.
        case appLacksAccess
        /// The tag `no_permission`.
        case noPermission
        /// The tag `email_unverified`.
        case emailUnverified
        /// The tag `validation_error`.
        case validationError
        /// The tag `no_write_permission`.
        case noWritePermission
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team not_found not_a_folder app_lacks_access no_permission email_unverified validation_error no_write_permission")
            switch tag.number {
            case 0: self = .disabledForTeam
            case 1: self = .notFound
            case 2: self = .notAFolder
            case 3: self = .appLacksAccess
            case 4: self = .noPermission
            case 5: self = .emailUnverified
            case 6: self = .validationError
            case 7: self = .noWritePermission
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .disabledForTeam: writer.tag("disabled_for_team")
            case .notFound: writer.tag("not_found")
            case .notAFolder: writer.tag("not_a_folder")
            case .appLacksAccess: writer.tag("app_lacks_access")
            case .noPermission: writer.tag("no_permission")
            case .emailUnverified: writer.tag("email_unverified")
            case .validationError: writer.tag("validation_error")
            case .noWritePermission: writer.tag("no_write_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    /// The struct `DeleteAllClosedFileRequestsResult`.
    public struct DeleteAllClosedFileRequestsResult: StoneValue {
        /// The field `file_requests`.
        public var fileRequests: [FileRequests.FileRequest]

        /// Makes a value of its fields.
        public init(fileRequests: [FileRequests.FileRequest]) {
            self.fileRequests = fileRequests
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file_requests")
            fileRequests = try reader.list(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("file_requests", fileRequests)
        }
    }
}

extension FileRequests {
    /// The struct `DeleteFileRequestArgs`.
    public struct DeleteFileRequestArgs: StoneValue {
        /// The field `ids`.
        public var ids: [String]

        /// Makes a value of its fields.
        public init(ids: [String]) {
            self.ids = ids
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("ids")
            ids = try reader.strings(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.strings("ids", ids)
        }
    }
}

extension FileRequests {
    /// The union `DeleteFileRequestError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteFileRequestError: StoneError {
        /// The tag `disabled_for_team`.
        case disabledForTeam
        /// The tag `not_found`.
        case notFound
        /// The tag `not_a_folder`.
        case notAFolder
        /// The tag `app_lacks_access`.
        case appLacksAccess
        /// The tag `no_permission`.
        case noPermission
        /// The tag `email_unverified`.
        case emailUnverified
        /// The tag `validation_error`.
        case validationError
        /// The tag `no_write_permission`.
        case noWritePermission
        /// The tag `file_request_open`.
        case fileRequestOpen
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team not_found not_a_folder app_lacks_access no_permission email_unverified validation_error no_write_permission file_request_open")
            switch tag.number {
            case 0: self = .disabledForTeam
            case 1: self = .notFound
            case 2: self = .notAFolder
            case 3: self = .appLacksAccess
            case 4: self = .noPermission
            case 5: self = .emailUnverified
            case 6: self = .validationError
            case 7: self = .noWritePermission
            case 8: self = .fileRequestOpen
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .disabledForTeam: writer.tag("disabled_for_team")
            case .notFound: writer.tag("not_found")
            case .notAFolder: writer.tag("not_a_folder")
            case .appLacksAccess: writer.tag("app_lacks_access")
            case .noPermission: writer.tag("no_permission")
            case .emailUnverified: writer.tag("email_unverified")
            case .validationError: writer.tag("validation_error")
            case .noWritePermission: writer.tag("no_write_permission")
            case .fileRequestOpen: writer.tag("file_request_open")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    /// The struct `DeleteFileRequestsResult`.
    public struct DeleteFileRequestsResult: StoneValue {
        /// The field `file_requests`.
        public var fileRequests: [FileRequests.FileRequest]

        /// Makes a value of its fields.
        public init(fileRequests: [FileRequests.FileRequest]) {
            self.fileRequests = fileRequests
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file_requests")
            fileRequests = try reader.list(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("file_requests", fileRequests)
        }
    }
}

extension FileRequests {
    /// The struct `FileRequest`.
    public struct FileRequest: DescribedStoneValue {
        /// The field `id`.
        public var id: String
        /// The field `url`.
        public var url: String
        /// The field `title`.
        public var title: String
        /// The field `created`.
        public var created: Date
        /// The field `is_open`.
        public var isOpen: Bool
        /// The field `file_count`.
        public var fileCount: Int64
        /// The field `destination`.
        public var destination: String?
        /// The field `deadline`.
        public var deadline: FileRequests.FileRequestDeadline?
        /// The field `description`.
        public var description: String?
        /// The field `video_project_id`.
        public var videoProjectID: String?

        /// Makes a value of its fields.
        public init(
            id: String, url: String, title: String, created: Date, isOpen: Bool, fileCount: Int64,
            destination: String? = nil, deadline: FileRequests.FileRequestDeadline? = nil, description: String? = nil,
            videoProjectID: String? = nil
        ) {
            self.id = id
            self.url = url
            self.title = title
            self.created = created
            self.isOpen = isOpen
            self.fileCount = fileCount
            self.destination = destination
            self.deadline = deadline
            self.description = description
            self.videoProjectID = videoProjectID
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id url title created is_open file_count destination deadline description video_project_id")
            id = try reader.string(slot)
            url = try reader.string(slot + 1)
            title = try reader.string(slot + 2)
            created = try reader.date(slot + 3, .seconds)
            isOpen = try reader.bool(slot + 4)
            fileCount = try reader.int64(slot + 5)
            destination = try reader.optionalString(slot + 6)
            deadline = try reader.optionalValue(slot + 7)
            description = try reader.optionalString(slot + 8)
            videoProjectID = try reader.optionalString(slot + 9)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.string("url", url)
            writer.string("title", title)
            writer.date("created", created, .seconds)
            writer.bool("is_open", isOpen)
            writer.int64("file_count", fileCount)
            writer.string("destination", destination)
            writer.value("deadline", deadline)
            writer.string("description", description)
            writer.string("video_project_id", videoProjectID)
        }
    }
}

extension FileRequests {
    /// The struct `FileRequestDeadline`.
    public struct FileRequestDeadline: StoneValue {
        /// The field `deadline`.
        public var deadline: Date
        /// The field `allow_late_uploads`.
        public var allowLateUploads: FileRequests.GracePeriod?

        /// Makes a value of its fields.
        public init(deadline: Date, allowLateUploads: FileRequests.GracePeriod? = nil) {
            self.deadline = deadline
            self.allowLateUploads = allowLateUploads
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("deadline allow_late_uploads")
            deadline = try reader.date(slot, .seconds)
            allowLateUploads = try reader.optionalValue(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.date("deadline", deadline, .seconds)
            writer.value("allow_late_uploads", allowLateUploads)
        }
    }
}

extension FileRequests {
    /// The union `FileRequestError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileRequestError: StoneValue {
        /// The tag `disabled_for_team`.
        case disabledForTeam
        /// The tag `not_found`.
        case notFound
        /// The tag `not_a_folder`.
        case notAFolder
        /// The tag `app_lacks_access`.
        case appLacksAccess
        /// The tag `no_permission`.
        case noPermission
        /// The tag `email_unverified`.
        case emailUnverified
        /// The tag `validation_error`.
        case validationError
        /// The tag `no_write_permission`.
        case noWritePermission
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team not_found not_a_folder app_lacks_access no_permission email_unverified validation_error no_write_permission")
            switch tag.number {
            case 0: self = .disabledForTeam
            case 1: self = .notFound
            case 2: self = .notAFolder
            case 3: self = .appLacksAccess
            case 4: self = .noPermission
            case 5: self = .emailUnverified
            case 6: self = .validationError
            case 7: self = .noWritePermission
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .disabledForTeam: writer.tag("disabled_for_team")
            case .notFound: writer.tag("not_found")
            case .notAFolder: writer.tag("not_a_folder")
            case .appLacksAccess: writer.tag("app_lacks_access")
            case .noPermission: writer.tag("no_permission")
            case .emailUnverified: writer.tag("email_unverified")
            case .validationError: writer.tag("validation_error")
            case .noWritePermission: writer.tag("no_write_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    /// The union `GeneralFileRequestsError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GeneralFileRequestsError: StoneValue {
        /// The tag `disabled_for_team`.
        case disabledForTeam
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team")
            switch tag.number {
            case 0: self = .disabledForTeam
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .disabledForTeam: writer.tag("disabled_for_team")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    /// The struct `GetFileRequestArgs`.
    public struct GetFileRequestArgs: StoneValue {
        /// The field `id`.
        public var id: String

        /// Makes a value of its fields.
        public init(id: String) {
            self.id = id
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id")
            id = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("id", id)
        }
    }
}

extension FileRequests {
    /// The union `GetFileRequestError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetFileRequestError: StoneError {
        /// The tag `disabled_for_team`.
        case disabledForTeam
        /// The tag `not_found`.
        case notFound
        /// The tag `not_a_folder`.
        case notAFolder
        /// The tag `app_lacks_access`.
        case appLacksAccess
        /// The tag `no_permission`.
        case noPermission
        /// The tag `email_unverified`.
        case emailUnverified
        /// The tag `validation_error`.
        case validationError
        /// The tag `no_write_permission`.
        case noWritePermission
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team not_found not_a_folder app_lacks_access no_permission email_unverified validation_error no_write_permission")
            switch tag.number {
            case 0: self = .disabledForTeam
            case 1: self = .notFound
            case 2: self = .notAFolder
            case 3: self = .appLacksAccess
            case 4: self = .noPermission
            case 5: self = .emailUnverified
            case 6: self = .validationError
            case 7: self = .noWritePermission
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .disabledForTeam: writer.tag("disabled_for_team")
            case .notFound: writer.tag("not_found")
            case .notAFolder: writer.tag("not_a_folder")
            case .appLacksAccess: writer.tag("app_lacks_access")
            case .noPermission: writer.tag("no_permission")
            case .emailUnverified: writer.tag("email_unverified")
            case .validationError: writer.tag("validation_error")
            case .noWritePermission: writer.tag("no_write_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    /// The union `GracePeriod`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GracePeriod: StoneValue {
        /// The tag `one_day`.
        case oneDay
        /// The tag `two_days`.
        case twoDays
        /// The tag `seven_days`.
        case sevenDays
        /// The tag `thirty_days`.
        case thirtyDays
        /// The tag `always`.
        case always
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("one_day two_days seven_days thirty_days always")
            switch tag.number {
            case 0: self = .oneDay
            case 1: self = .twoDays
            case 2: self = .sevenDays
            case 3: self = .thirtyDays
            case 4: self = .always
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .oneDay: writer.tag("one_day")
            case .twoDays: writer.tag("two_days")
            case .sevenDays: writer.tag("seven_days")
            case .thirtyDays: writer.tag("thirty_days")
            case .always: writer.tag("always")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    /// The struct `ListFileRequestsArg`.
    public struct ListFileRequestsArg: StoneValue {
        /// The field `limit`.
        public var limit: UInt64

        /// Makes a value of its fields.
        public init(limit: UInt64 = 1000) {
            self.limit = limit
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("limit")
            limit = try reader.optionalUInt64(slot) ?? 1000
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.uint64("limit", limit)
        }
    }
}

extension FileRequests {
    /// The struct `ListFileRequestsContinueArg`.
    public struct ListFileRequestsContinueArg: StoneValue {
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

extension FileRequests {
    /// The union `ListFileRequestsContinueError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFileRequestsContinueError: StoneError {
        /// The tag `disabled_for_team`.
        case disabledForTeam
        /// The tag `invalid_cursor`.
        case invalidCursor
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team invalid_cursor")
            switch tag.number {
            case 0: self = .disabledForTeam
            case 1: self = .invalidCursor
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .disabledForTeam: writer.tag("disabled_for_team")
            case .invalidCursor: writer.tag("invalid_cursor")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    /// The union `ListFileRequestsError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFileRequestsError: StoneError {
        /// The tag `disabled_for_team`.
        case disabledForTeam
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team")
            switch tag.number {
            case 0: self = .disabledForTeam
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .disabledForTeam: writer.tag("disabled_for_team")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    /// The struct `ListFileRequestsResult`.
    public struct ListFileRequestsResult: StoneValue {
        /// The field `file_requests`.
        public var fileRequests: [FileRequests.FileRequest]

        /// Makes a value of its fields.
        public init(fileRequests: [FileRequests.FileRequest]) {
            self.fileRequests = fileRequests
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file_requests")
            fileRequests = try reader.list(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("file_requests", fileRequests)
        }
    }
}

extension FileRequests {
    /// The struct `ListFileRequestsV2Result`.
    public struct ListFileRequestsV2Result: StoneValue {
        /// The field `file_requests`.
        public var fileRequests: [FileRequests.FileRequest]
        /// The field `cursor`.
        public var cursor: String
        /// The field `has_more`.
        public var hasMore: Bool

        /// Makes a value of its fields.
        public init(fileRequests: [FileRequests.FileRequest], cursor: String, hasMore: Bool) {
            self.fileRequests = fileRequests
            self.cursor = cursor
            self.hasMore = hasMore
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file_requests cursor has_more")
            fileRequests = try reader.list(slot)
            cursor = try reader.string(slot + 1)
            hasMore = try reader.bool(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("file_requests", fileRequests)
            writer.string("cursor", cursor)
            writer.bool("has_more", hasMore)
        }
    }
}

extension FileRequests {
    /// The struct `UpdateFileRequestArgs`.
    public struct UpdateFileRequestArgs: DescribedStoneValue {
        /// The field `id`.
        public var id: String
        /// The field `title`.
        public var title: String?
        /// The field `destination`.
        public var destination: String?
        /// The field `deadline`.
        public var deadline: FileRequests.UpdateFileRequestDeadline
        /// The field `open`.
        public var open: Bool?
        /// The field `description`.
        public var description: String?

        /// Makes a value of its fields.
        public init(
            id: String, title: String? = nil, destination: String? = nil,
            deadline: FileRequests.UpdateFileRequestDeadline = FileRequests.UpdateFileRequestDeadline.noUpdate,
            open: Bool? = nil, description: String? = nil
        ) {
            self.id = id
            self.title = title
            self.destination = destination
            self.deadline = deadline
            self.open = open
            self.description = description
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id title destination deadline open description")
            id = try reader.string(slot)
            title = try reader.optionalString(slot + 1)
            destination = try reader.optionalString(slot + 2)
            deadline = try reader.optionalValue(slot + 3) ?? FileRequests.UpdateFileRequestDeadline.noUpdate
            open = try reader.optionalBool(slot + 4)
            description = try reader.optionalString(slot + 5)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.string("title", title)
            writer.string("destination", destination)
            writer.value("deadline", deadline)
            writer.bool("open", open)
            writer.string("description", description)
        }
    }
}

extension FileRequests {
    /// The union `UpdateFileRequestDeadline`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UpdateFileRequestDeadline: StoneValue {
        /// The tag `no_update`.
        case noUpdate
        /// The tag `update`.
        case update(FileRequests.FileRequestDeadline?)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("no_update update")
            switch tag.number {
            case 0: self = .noUpdate
            case 1: self = .update(try reader.optionalFlattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .noUpdate: writer.tag("no_update")
            case .update(let value):
                writer.tag("update")
                value?.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    /// The union `UpdateFileRequestError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UpdateFileRequestError: StoneError {
        /// The tag `disabled_for_team`.
        case disabledForTeam
        /// The tag `not_found`.
        case notFound
        /// The tag `not_a_folder`.
        case notAFolder
        /// The tag `app_lacks_access`.
        case appLacksAccess
        /// The tag `no_permission`.
        case noPermission
        /// The tag `email_unverified`.
        case emailUnverified
        /// The tag `validation_error`.
        case validationError
        /// The tag `no_write_permission`.
        case noWritePermission
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team not_found not_a_folder app_lacks_access no_permission email_unverified validation_error no_write_permission")
            switch tag.number {
            case 0: self = .disabledForTeam
            case 1: self = .notFound
            case 2: self = .notAFolder
            case 3: self = .appLacksAccess
            case 4: self = .noPermission
            case 5: self = .emailUnverified
            case 6: self = .validationError
            case 7: self = .noWritePermission
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .disabledForTeam: writer.tag("disabled_for_team")
            case .notFound: writer.tag("not_found")
            case .notAFolder: writer.tag("not_a_folder")
            case .appLacksAccess: writer.tag("app_lacks_access")
            case .noPermission: writer.tag("no_permission")
            case .emailUnverified: writer.tag("email_unverified")
            case .validationError: writer.tag("validation_error")
            case .noWritePermission: writer.tag("no_write_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}
