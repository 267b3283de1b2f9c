// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Account {
    public struct AccountPhotoGetArg: StoneValue {
        public var dbxAccountID: String
        public var size: String
        public var circleCrop: Bool
        public var expectAccountPhoto: Bool

        public init(dbxAccountID: String, size: String, circleCrop: Bool, expectAccountPhoto: Bool) {
            self.dbxAccountID = dbxAccountID
            self.size = size
            self.circleCrop = circleCrop
            self.expectAccountPhoto = expectAccountPhoto
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("dbx_account_id size circle_crop expect_account_photo")
            dbxAccountID = try reader.string(slot)
            size = try reader.string(slot + 1)
            circleCrop = try reader.bool(slot + 2)
            expectAccountPhoto = try reader.bool(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.string("dbx_account_id", dbxAccountID)
            writer.string("size", size)
            writer.bool("circle_crop", circleCrop)
            writer.bool("expect_account_photo", expectAccountPhoto)
        }
    }
}

extension Account {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AccountPhotoGetError: StoneError {
        case thumbnailError(Account.ThumbnailError)
        case accountPhotoMissing
        case expectedAccountPhotoMissing
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("thumbnail_error account_photo_missing expected_account_photo_missing")
            switch tag.number {
            case 0: self = .thumbnailError(try reader.value(reader.payload(tag)))
            case 1: self = .accountPhotoMissing
            case 2: self = .expectedAccountPhotoMissing
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .thumbnailError(let value):
                writer.tag("thumbnail_error")
                writer.value("thumbnail_error", value)
            case .accountPhotoMissing: writer.tag("account_photo_missing")
            case .expectedAccountPhotoMissing: writer.tag("expected_account_photo_missing")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .thumbnailError(let value): [value]
            default: []
            }
        }
    }
}

extension Account {
    public struct AccountPhotoGetResult: StoneValue {
        public var contentType: String

        public init(contentType: String) {
            self.contentType = contentType
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("content_type")
            contentType = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("content_type", contentType)
        }
    }
}

extension Account {
    public struct DeleteProfilePhotoArg: StoneValue {
        public init() {
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            _ = try reader.fields("")
        }

        public func write(to writer: StoneWriter) {}
    }
}

extension Account {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteProfilePhotoError: StoneError {
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("")
            switch tag.number {
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Account {
    public struct DeleteProfilePhotoResult: StoneValue {
        public init() {
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            _ = try reader.fields("")
        }

        public func write(to writer: StoneWriter) {}
    }
}

extension Account {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PhotoSourceArg: StoneValue {
        case base64Data(String)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("base64_data")
            switch tag.number {
            case 0: self = .base64Data(try reader.string(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .base64Data(let value):
                writer.tag("base64_data")
                writer.string("base64_data", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Account {
    public struct SetProfilePhotoArg: StoneValue {
        public var photo: Account.PhotoSourceArg

        public init(photo: Account.PhotoSourceArg) {
            self.photo = photo
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("photo")
            photo = try reader.value(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.value("photo", photo)
        }
    }
}

extension Account {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SetProfilePhotoError: StoneError {
        case fileTypeError
        case fileSizeError
        case dimensionError
        case thumbnailError
        case transientError
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("file_type_error file_size_error dimension_error thumbnail_error transient_error")
            switch tag.number {
            case 0: self = .fileTypeError
            case 1: self = .fileSizeError
            case 2: self = .dimensionError
            case 3: self = .thumbnailError
            case 4: self = .transientError
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .fileTypeError: writer.tag("file_type_error")
            case .fileSizeError: writer.tag("file_size_error")
            case .dimensionError: writer.tag("dimension_error")
            case .thumbnailError: writer.tag("thumbnail_error")
            case .transientError: writer.tag("transient_error")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Account {
    public struct SetProfilePhotoResult: StoneValue {
        public var profilePhotoURL: String

        public init(profilePhotoURL: String) {
            self.profilePhotoURL = profilePhotoURL
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("profile_photo_url")
            profilePhotoURL = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("profile_photo_url", profilePhotoURL)
        }
    }
}

extension Account {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ThumbnailError: StoneError {
        case permanentFailure
        case temporaryFailure
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("permanent_failure temporary_failure")
            switch tag.number {
            case 0: self = .permanentFailure
            case 1: self = .temporaryFailure
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .permanentFailure: writer.tag("permanent_failure")
            case .temporaryFailure: writer.tag("temporary_failure")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}
