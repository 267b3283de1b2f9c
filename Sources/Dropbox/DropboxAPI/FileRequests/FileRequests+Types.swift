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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CountFileRequestsError: StoneError {
        case disabledForTeam
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team")
            switch tag.number {
            case 0: self = .disabledForTeam
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .disabledForTeam: writer.tag("disabled_for_team")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    public struct CountFileRequestsResult: StoneValue {
        public var fileRequestCount: UInt64

        public init(fileRequestCount: UInt64) {
            self.fileRequestCount = fileRequestCount
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file_request_count")
            fileRequestCount = try reader.uint64(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.uint64("file_request_count", fileRequestCount)
        }
    }
}

extension FileRequests {
    public struct CreateFileRequestArgs: DescribedStoneValue {
        public var title: String
        public var destination: String
        public var deadline: FileRequests.FileRequestDeadline?
        public var open: Bool
        public var description: String?
        public var videoProjectID: String?

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

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("title destination deadline open description video_project_id")
            title = try reader.string(slot)
            destination = try reader.string(slot + 1)
            deadline = try reader.optionalValue(slot + 2)
            open = try reader.optionalBool(slot + 3) ?? true
            description = try reader.optionalString(slot + 4)
            videoProjectID = try reader.optionalString(slot + 5)
        }

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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CreateFileRequestError: StoneError {
        case disabledForTeam
        case notFound
        case notAFolder
        case appLacksAccess
        case noPermission
        case emailUnverified
        case validationError
        case noWritePermission
        case invalidLocation
        case rateLimit
        /// A tag that the specs do not define.
        case other(UnknownTag)

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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteAllClosedFileRequestsError: StoneError {
        case disabledForTeam
        case notFound
        case notAFolder
        case appLacksAccess
        case noPermission
        case emailUnverified
        case validationError
        case noWritePermission
        /// A tag that the specs do not define.
        case other(UnknownTag)

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
    public struct DeleteAllClosedFileRequestsResult: StoneValue {
        public var fileRequests: [FileRequests.FileRequest]

        public init(fileRequests: [FileRequests.FileRequest]) {
            self.fileRequests = fileRequests
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file_requests")
            fileRequests = try reader.list(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.list("file_requests", fileRequests)
        }
    }
}

extension FileRequests {
    public struct DeleteFileRequestArgs: StoneValue {
        public var ids: [String]

        public init(ids: [String]) {
            self.ids = ids
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("ids")
            ids = try reader.strings(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.strings("ids", ids)
        }
    }
}

extension FileRequests {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteFileRequestError: StoneError {
        case disabledForTeam
        case notFound
        case notAFolder
        case appLacksAccess
        case noPermission
        case emailUnverified
        case validationError
        case noWritePermission
        case fileRequestOpen
        /// A tag that the specs do not define.
        case other(UnknownTag)

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
    public struct DeleteFileRequestsResult: StoneValue {
        public var fileRequests: [FileRequests.FileRequest]

        public init(fileRequests: [FileRequests.FileRequest]) {
            self.fileRequests = fileRequests
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file_requests")
            fileRequests = try reader.list(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.list("file_requests", fileRequests)
        }
    }
}

extension FileRequests {
    public struct FileRequest: DescribedStoneValue {
        public var id: String
        public var url: String
        public var title: String
        public var created: Date
        public var isOpen: Bool
        public var fileCount: Int64
        public var destination: String?
        public var deadline: FileRequests.FileRequestDeadline?
        public var description: String?
        public var videoProjectID: String?

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
    public struct FileRequestDeadline: StoneValue {
        public var deadline: Date
        public var allowLateUploads: FileRequests.GracePeriod?

        public init(deadline: Date, allowLateUploads: FileRequests.GracePeriod? = nil) {
            self.deadline = deadline
            self.allowLateUploads = allowLateUploads
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("deadline allow_late_uploads")
            deadline = try reader.date(slot, .seconds)
            allowLateUploads = try reader.optionalValue(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.date("deadline", deadline, .seconds)
            writer.value("allow_late_uploads", allowLateUploads)
        }
    }
}

extension FileRequests {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileRequestError: StoneValue {
        case disabledForTeam
        case notFound
        case notAFolder
        case appLacksAccess
        case noPermission
        case emailUnverified
        case validationError
        case noWritePermission
        /// A tag that the specs do not define.
        case other(UnknownTag)

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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GeneralFileRequestsError: StoneValue {
        case disabledForTeam
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team")
            switch tag.number {
            case 0: self = .disabledForTeam
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .disabledForTeam: writer.tag("disabled_for_team")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    public struct GetFileRequestArgs: StoneValue {
        public var id: String

        public init(id: String) {
            self.id = id
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id")
            id = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("id", id)
        }
    }
}

extension FileRequests {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetFileRequestError: StoneError {
        case disabledForTeam
        case notFound
        case notAFolder
        case appLacksAccess
        case noPermission
        case emailUnverified
        case validationError
        case noWritePermission
        /// A tag that the specs do not define.
        case other(UnknownTag)

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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GracePeriod: StoneValue {
        case oneDay
        case twoDays
        case sevenDays
        case thirtyDays
        case always
        /// A tag that the specs do not define.
        case other(UnknownTag)

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
    public struct ListFileRequestsArg: StoneValue {
        public var limit: UInt64

        public init(limit: UInt64 = 1000) {
            self.limit = limit
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("limit")
            limit = try reader.optionalUInt64(slot) ?? 1000
        }

        public func write(to writer: StoneWriter) {
            writer.uint64("limit", limit)
        }
    }
}

extension FileRequests {
    public struct ListFileRequestsContinueArg: StoneValue {
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

extension FileRequests {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFileRequestsContinueError: StoneError {
        case disabledForTeam
        case invalidCursor
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team invalid_cursor")
            switch tag.number {
            case 0: self = .disabledForTeam
            case 1: self = .invalidCursor
            default: self = .other(reader.unknown(tag))
            }
        }

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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFileRequestsError: StoneError {
        case disabledForTeam
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled_for_team")
            switch tag.number {
            case 0: self = .disabledForTeam
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .disabledForTeam: writer.tag("disabled_for_team")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileRequests {
    public struct ListFileRequestsResult: StoneValue {
        public var fileRequests: [FileRequests.FileRequest]

        public init(fileRequests: [FileRequests.FileRequest]) {
            self.fileRequests = fileRequests
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file_requests")
            fileRequests = try reader.list(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.list("file_requests", fileRequests)
        }
    }
}

extension FileRequests {
    public struct ListFileRequestsV2Result: StoneValue {
        public var fileRequests: [FileRequests.FileRequest]
        public var cursor: String
        public var hasMore: Bool

        public init(fileRequests: [FileRequests.FileRequest], cursor: String, hasMore: Bool) {
            self.fileRequests = fileRequests
            self.cursor = cursor
            self.hasMore = hasMore
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file_requests cursor has_more")
            fileRequests = try reader.list(slot)
            cursor = try reader.string(slot + 1)
            hasMore = try reader.bool(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.list("file_requests", fileRequests)
            writer.string("cursor", cursor)
            writer.bool("has_more", hasMore)
        }
    }
}

extension FileRequests {
    public struct UpdateFileRequestArgs: DescribedStoneValue {
        public var id: String
        public var title: String?
        public var destination: String?
        public var deadline: FileRequests.UpdateFileRequestDeadline
        public var open: Bool?
        public var description: String?

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

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id title destination deadline open description")
            id = try reader.string(slot)
            title = try reader.optionalString(slot + 1)
            destination = try reader.optionalString(slot + 2)
            deadline = try reader.optionalValue(slot + 3) ?? FileRequests.UpdateFileRequestDeadline.noUpdate
            open = try reader.optionalBool(slot + 4)
            description = try reader.optionalString(slot + 5)
        }

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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UpdateFileRequestDeadline: StoneValue {
        case noUpdate
        case update(FileRequests.FileRequestDeadline?)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("no_update update")
            switch tag.number {
            case 0: self = .noUpdate
            case 1: self = .update(try reader.optionalFlattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UpdateFileRequestError: StoneError {
        case disabledForTeam
        case notFound
        case notAFolder
        case appLacksAccess
        case noPermission
        case emailUnverified
        case validationError
        case noWritePermission
        /// A tag that the specs do not define.
        case other(UnknownTag)

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
