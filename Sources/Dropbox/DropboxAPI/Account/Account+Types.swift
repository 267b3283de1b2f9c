// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Account {
    /// The struct `AccountPhotoGetArg`.
    public struct AccountPhotoGetArg: StoneValue {
        /// The field `dbx_account_id`.
        public var dbxAccountID: String
        /// The field `size`.
        public var size: String
        /// The field `circle_crop`.
        public var circleCrop: Bool
        /// The field `expect_account_photo`.
        public var expectAccountPhoto: Bool

        /// Makes a value of its fields.
        public init(dbxAccountID: String, size: String, circleCrop: Bool, expectAccountPhoto: Bool) {
            self.dbxAccountID = dbxAccountID
            self.size = size
            self.circleCrop = circleCrop
            self.expectAccountPhoto = expectAccountPhoto
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("dbx_account_id size circle_crop expect_account_photo")
            dbxAccountID = try reader.string(slot)
            size = try reader.string(slot + 1)
            circleCrop = try reader.bool(slot + 2)
            expectAccountPhoto = try reader.bool(slot + 3)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("dbx_account_id", dbxAccountID)
            writer.string("size", size)
            writer.bool("circle_crop", circleCrop)
            writer.bool("expect_account_photo", expectAccountPhoto)
        }
    }
}

extension Account {
    /// The union `AccountPhotoGetError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AccountPhotoGetError: StoneError {
        /// The tag `thumbnail_error`.
        case thumbnailError(Account.ThumbnailError)
        /// The tag `account_photo_missing`.
        case accountPhotoMissing
        /// The tag `expected_account_photo_missing`.
        case expectedAccountPhotoMissing
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("thumbnail_error account_photo_missing expected_account_photo_missing")
            switch tag.number {
            case 0: self = .thumbnailError(try reader.value(reader.payload(tag)))
            case 1: self = .accountPhotoMissing
            case 2: self = .expectedAccountPhotoMissing
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .thumbnailError(let value): [value]
            default: []
            }
        }
    }
}

extension Account {
    /// The struct `AccountPhotoGetResult`.
    public struct AccountPhotoGetResult: StoneValue {
        /// The field `content_type`.
        public var contentType: String

        /// Makes a value of its fields.
        public init(contentType: String) {
            self.contentType = contentType
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("content_type")
            contentType = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("content_type", contentType)
        }
    }
}

extension Account {
    /// The struct `DeleteProfilePhotoArg`.
    public struct DeleteProfilePhotoArg: StoneValue {
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

extension Account {
    /// The union `DeleteProfilePhotoError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteProfilePhotoError: StoneError {
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("")
            switch tag.number {
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Account {
    /// The struct `DeleteProfilePhotoResult`.
    public struct DeleteProfilePhotoResult: StoneValue {
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

extension Account {
    /// The union `PhotoSourceArg`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PhotoSourceArg: StoneValue {
        /// The tag `base64_data`.
        case base64Data(String)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("base64_data")
            switch tag.number {
            case 0: self = .base64Data(try reader.string(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `SetProfilePhotoArg`.
    public struct SetProfilePhotoArg: StoneValue {
        /// The field `photo`.
        public var photo: Account.PhotoSourceArg

        /// Makes a value of its fields.
        public init(photo: Account.PhotoSourceArg) {
            self.photo = photo
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("photo")
            photo = try reader.value(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("photo", photo)
        }
    }
}

extension Account {
    /// The union `SetProfilePhotoError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SetProfilePhotoError: StoneError {
        /// The tag `file_type_error`.
        case fileTypeError
        /// The tag `file_size_error`.
        case fileSizeError
        /// The tag `dimension_error`.
        case dimensionError
        /// The tag `thumbnail_error`.
        case thumbnailError
        /// The tag `transient_error`.
        case transientError
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The struct `SetProfilePhotoResult`.
    public struct SetProfilePhotoResult: StoneValue {
        /// The field `profile_photo_url`.
        public var profilePhotoURL: String

        /// Makes a value of its fields.
        public init(profilePhotoURL: String) {
            self.profilePhotoURL = profilePhotoURL
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("profile_photo_url")
            profilePhotoURL = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("profile_photo_url", profilePhotoURL)
        }
    }
}

extension Account {
    /// The union `ThumbnailError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ThumbnailError: StoneError {
        /// The tag `permanent_failure`.
        case permanentFailure
        /// The tag `temporary_failure`.
        case temporaryFailure
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("permanent_failure temporary_failure")
            switch tag.number {
            case 0: self = .permanentFailure
            case 1: self = .temporaryFailure
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .permanentFailure: writer.tag("permanent_failure")
            case .temporaryFailure: writer.tag("temporary_failure")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}
