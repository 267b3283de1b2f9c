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

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AccessInheritance: StoneError {
        case inherit
        case noInherit
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("inherit no_inherit")
            switch tag.number {
            case 0: self = .inherit
            case 1: self = .noInherit
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .inherit: writer.tag("inherit")
            case .noInherit: writer.tag("no_inherit")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AccessLevel: StoneError {
        case owner
        case editor
        case viewer
        case viewerNoComment
        case traverse
        case noAccess
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("owner editor viewer viewer_no_comment traverse no_access")
            switch tag.number {
            case 0: self = .owner
            case 1: self = .editor
            case 2: self = .viewer
            case 3: self = .viewerNoComment
            case 4: self = .traverse
            case 5: self = .noAccess
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .owner: writer.tag("owner")
            case .editor: writer.tag("editor")
            case .viewer: writer.tag("viewer")
            case .viewerNoComment: writer.tag("viewer_no_comment")
            case .traverse: writer.tag("traverse")
            case .noAccess: writer.tag("no_access")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AclUpdatePolicy: StoneError {
        case owner
        case editors
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("owner editors")
            switch tag.number {
            case 0: self = .owner
            case 1: self = .editors
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .owner: writer.tag("owner")
            case .editors: writer.tag("editors")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct AddFileMemberArgs: StoneValue {
        public var file: String
        public var members: [Sharing.MemberSelector]
        public var customMessage: String?
        public var quiet: Bool
        public var accessLevel: Sharing.AccessLevel?
        public var addMessageAsComment: Bool

        public init(
            file: String, members: [Sharing.MemberSelector], customMessage: String? = nil, quiet: Bool = false,
            accessLevel: Sharing.AccessLevel? = nil, addMessageAsComment: Bool = false
        ) {
            self.file = file
            self.members = members
            self.customMessage = customMessage
            self.quiet = quiet
            self.accessLevel = accessLevel
            self.addMessageAsComment = addMessageAsComment
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file members custom_message quiet access_level add_message_as_comment")
            file = try reader.string(slot)
            members = try reader.list(slot + 1)
            customMessage = try reader.optionalString(slot + 2)
            quiet = try reader.optionalBool(slot + 3) ?? false
            accessLevel = try reader.optionalValue(slot + 4)
            addMessageAsComment = try reader.optionalBool(slot + 5) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.string("file", file)
            writer.list("members", members)
            writer.string("custom_message", customMessage)
            writer.bool("quiet", quiet)
            writer.value("access_level", accessLevel)
            writer.bool("add_message_as_comment", addMessageAsComment)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AddFileMemberError: StoneError {
        case userError(Sharing.SharingUserError)
        case accessError(Sharing.SharingFileAccessError)
        case rateLimit
        case invalidComment
        case bannedMember
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_error access_error rate_limit invalid_comment banned_member")
            switch tag.number {
            case 0: self = .userError(try reader.value(reader.payload(tag)))
            case 1: self = .accessError(try reader.value(reader.payload(tag)))
            case 2: self = .rateLimit
            case 3: self = .invalidComment
            case 4: self = .bannedMember
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .userError(let value):
                writer.tag("user_error")
                writer.value("user_error", value)
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .rateLimit: writer.tag("rate_limit")
            case .invalidComment: writer.tag("invalid_comment")
            case .bannedMember: writer.tag("banned_member")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .userError(let value): [value]
            case .accessError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct AddFolderMemberArg: StoneValue {
        public var sharedFolderID: String
        public var members: [Sharing.AddMember]
        public var quiet: Bool
        public var customMessage: String?

        public init(
            sharedFolderID: String, members: [Sharing.AddMember], quiet: Bool = false, customMessage: String? = nil
        ) {
            self.sharedFolderID = sharedFolderID
            self.members = members
            self.quiet = quiet
            self.customMessage = customMessage
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id members quiet custom_message")
            sharedFolderID = try reader.string(slot)
            members = try reader.list(slot + 1)
            quiet = try reader.optionalBool(slot + 2) ?? false
            customMessage = try reader.optionalString(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.list("members", members)
            writer.bool("quiet", quiet)
            writer.string("custom_message", customMessage)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AddFolderMemberError: StoneError {
        case accessError(Sharing.SharedFolderAccessError)
        case emailUnverified
        case bannedMember
        case badMember(Sharing.AddMemberSelectorError)
        case cantShareOutsideTeam
        case tooManyMembers(UInt64)
        case tooManyPendingInvites(UInt64)
        case rateLimit
        case tooManyInvitees
        case insufficientPlan
        case teamFolder
        case noPermission
        /// It should not be used any more.
        @available(*, deprecated)
        case invalidSharedFolder
        /// A tag that the specs do not define.
        case other(UnknownTag)

        @available(*, deprecated)
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error email_unverified banned_member bad_member cant_share_outside_team too_many_members too_many_pending_invites rate_limit too_many_invitees insufficient_plan team_folder no_permission invalid_shared_folder")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .emailUnverified
            case 2: self = .bannedMember
            case 3: self = .badMember(try reader.value(reader.payload(tag)))
            case 4: self = .cantShareOutsideTeam
            case 5: self = .tooManyMembers(try reader.uint64(reader.payload(tag)))
            case 6: self = .tooManyPendingInvites(try reader.uint64(reader.payload(tag)))
            case 7: self = .rateLimit
            case 8: self = .tooManyInvitees
            case 9: self = .insufficientPlan
            case 10: self = .teamFolder
            case 11: self = .noPermission
            case 12: self = .invalidSharedFolder
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .emailUnverified: writer.tag("email_unverified")
            case .bannedMember: writer.tag("banned_member")
            case .badMember(let value):
                writer.tag("bad_member")
                writer.value("bad_member", value)
            case .cantShareOutsideTeam: writer.tag("cant_share_outside_team")
            case .tooManyMembers(let value):
                writer.tag("too_many_members")
                writer.uint64("too_many_members", value)
            case .tooManyPendingInvites(let value):
                writer.tag("too_many_pending_invites")
                writer.uint64("too_many_pending_invites", value)
            case .rateLimit: writer.tag("rate_limit")
            case .tooManyInvitees: writer.tag("too_many_invitees")
            case .insufficientPlan: writer.tag("insufficient_plan")
            case .teamFolder: writer.tag("team_folder")
            case .noPermission: writer.tag("no_permission")
            case .invalidSharedFolder: writer.tag("invalid_shared_folder")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            case .badMember(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct AddMember: StoneValue {
        public var member: Sharing.MemberSelector
        public var accessLevel: Sharing.AccessLevel?

        public init(member: Sharing.MemberSelector, accessLevel: Sharing.AccessLevel? = nil) {
            self.member = member
            self.accessLevel = accessLevel
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("member access_level")
            member = try reader.value(slot)
            accessLevel = try reader.optionalValue(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.value("member", member)
            writer.value("access_level", accessLevel)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AddMemberSelectorError: StoneError {
        case automaticGroup
        case invalidDropboxID(String)
        case invalidEmail(String)
        case invalidGroup
        case unverifiedDropboxID(String)
        case groupDeleted
        case groupNotOnTeam
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("automatic_group invalid_dropbox_id invalid_email invalid_group unverified_dropbox_id group_deleted group_not_on_team")
            switch tag.number {
            case 0: self = .automaticGroup
            case 1: self = .invalidDropboxID(try reader.string(reader.payload(tag)))
            case 2: self = .invalidEmail(try reader.string(reader.payload(tag)))
            case 3: self = .invalidGroup
            case 4: self = .unverifiedDropboxID(try reader.string(reader.payload(tag)))
            case 5: self = .groupDeleted
            case 6: self = .groupNotOnTeam
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .automaticGroup: writer.tag("automatic_group")
            case .invalidDropboxID(let value):
                writer.tag("invalid_dropbox_id")
                writer.string("invalid_dropbox_id", value)
            case .invalidEmail(let value):
                writer.tag("invalid_email")
                writer.string("invalid_email", value)
            case .invalidGroup: writer.tag("invalid_group")
            case .unverifiedDropboxID(let value):
                writer.tag("unverified_dropbox_id")
                writer.string("unverified_dropbox_id", value)
            case .groupDeleted: writer.tag("group_deleted")
            case .groupNotOnTeam: writer.tag("group_not_on_team")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AlphaResolvedVisibility: StoneError {
        case `public`
        case teamOnly
        case password
        case teamAndPassword
        case sharedFolderOnly
        case noOne
        case onlyYou
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("public team_only password team_and_password shared_folder_only no_one only_you")
            switch tag.number {
            case 0: self = .`public`
            case 1: self = .teamOnly
            case 2: self = .password
            case 3: self = .teamAndPassword
            case 4: self = .sharedFolderOnly
            case 5: self = .noOne
            case 6: self = .onlyYou
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .`public`: writer.tag("public")
            case .teamOnly: writer.tag("team_only")
            case .password: writer.tag("password")
            case .teamAndPassword: writer.tag("team_and_password")
            case .sharedFolderOnly: writer.tag("shared_folder_only")
            case .noOne: writer.tag("no_one")
            case .onlyYou: writer.tag("only_you")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct AudienceExceptionContentInfo: StoneError {
        public var name: String

        public init(name: String) {
            self.name = name
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name")
            name = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("name", name)
        }
    }
}

extension Sharing {
    public struct AudienceExceptions: StoneError {
        public var count: UInt32
        public var exceptions: [Sharing.AudienceExceptionContentInfo]

        public init(count: UInt32, exceptions: [Sharing.AudienceExceptionContentInfo]) {
            self.count = count
            self.exceptions = exceptions
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("count exceptions")
            count = try reader.uint32(slot)
            exceptions = try reader.list(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.uint32("count", count)
            writer.list("exceptions", exceptions)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { exceptions }
    }
}

extension Sharing {
    public struct AudienceRestrictingSharedFolder: StoneError {
        public var sharedFolderID: String
        public var name: String
        public var audience: Sharing.LinkAudience

        public init(sharedFolderID: String, name: String, audience: Sharing.LinkAudience) {
            self.sharedFolderID = sharedFolderID
            self.name = name
            self.audience = audience
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id name audience")
            sharedFolderID = try reader.string(slot)
            name = try reader.string(slot + 1)
            audience = try reader.value(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.string("name", name)
            writer.value("audience", audience)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [audience] }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ChangeLinkExpirationPolicy: StoneError {
        case allowed
        case notAllowed
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("allowed not_allowed")
            switch tag.number {
            case 0: self = .allowed
            case 1: self = .notAllowed
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .allowed: writer.tag("allowed")
            case .notAllowed: writer.tag("not_allowed")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct CollectionLinkMetadata: StoneValue {
        public var url: String
        public var visibility: Sharing.Visibility
        public var expires: Date?

        public init(url: String, visibility: Sharing.Visibility, expires: Date? = nil) {
            self.url = url
            self.visibility = visibility
            self.expires = expires
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url visibility expires")
            url = try reader.string(slot)
            visibility = try reader.value(slot + 1)
            expires = try reader.optionalDate(slot + 2, .seconds)
        }

        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.value("visibility", visibility)
            writer.date("expires", expires, .seconds)
        }
    }
}

extension Sharing {
    public struct CreateSharedLinkArg: StoneValue {
        public var path: String
        var _shortURL: Bool
        @available(*, deprecated)
        public var shortURL: Bool {
            get { _shortURL }
            set { _shortURL = newValue }
        }
        public var pendingUpload: Sharing.PendingUploadMode?

        public init(path: String, shortURL: Bool = false, pendingUpload: Sharing.PendingUploadMode? = nil) {
            self.path = path
            _shortURL = shortURL
            self.pendingUpload = pendingUpload
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path short_url pending_upload")
            path = try reader.string(slot)
            _shortURL = try reader.optionalBool(slot + 1) ?? false
            pendingUpload = try reader.optionalValue(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.bool("short_url", _shortURL)
            writer.value("pending_upload", pendingUpload)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CreateSharedLinkError: StoneError {
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

extension Sharing {
    public struct CreateSharedLinkWithSettingsArg: StoneValue {
        public var path: String
        public var settings: Sharing.SharedLinkSettings?

        public init(path: String, settings: Sharing.SharedLinkSettings? = nil) {
            self.path = path
            self.settings = settings
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path settings")
            path = try reader.string(slot)
            settings = try reader.optionalValue(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.value("settings", settings)
        }
    }
}

extension Sharing {
    public enum CreateSharedLinkWithSettingsError: StoneError {
        case path(Files.LookupError)
        case emailNotVerified
        case sharedLinkAlreadyExists(Sharing.SharedLinkAlreadyExistsMetadata?)
        case settingsError(Sharing.SharedLinkSettingsError)
        case accessDenied
        case bannedMember
        case tooManySharedFolders

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path email_not_verified shared_link_already_exists settings_error access_denied banned_member too_many_shared_folders")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .emailNotVerified
            case 2: self = .sharedLinkAlreadyExists(try reader.optionalValue(reader.payload(tag)))
            case 3: self = .settingsError(try reader.value(reader.payload(tag)))
            case 4: self = .accessDenied
            case 5: self = .bannedMember
            case 6: self = .tooManySharedFolders
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .emailNotVerified: writer.tag("email_not_verified")
            case .sharedLinkAlreadyExists(let value):
                writer.tag("shared_link_already_exists")
                writer.value("shared_link_already_exists", value)
            case .settingsError(let value):
                writer.tag("settings_error")
                writer.value("settings_error", value)
            case .accessDenied: writer.tag("access_denied")
            case .bannedMember: writer.tag("banned_member")
            case .tooManySharedFolders: writer.tag("too_many_shared_folders")
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            case .sharedLinkAlreadyExists(let value): [value].compactMap { $0 }
            case .settingsError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct ExpectedSharedContentLinkMetadata: StoneValue {
        public var audienceOptions: [Sharing.LinkAudience]
        public var currentAudience: Sharing.LinkAudience
        public var linkPermissions: [Sharing.LinkPermission]
        public var passwordProtected: Bool
        public var accessLevel: Sharing.AccessLevel?
        public var audienceRestrictingSharedFolder: Sharing.AudienceRestrictingSharedFolder?
        public var expiry: Date?

        public init(
            audienceOptions: [Sharing.LinkAudience], currentAudience: Sharing.LinkAudience,
            linkPermissions: [Sharing.LinkPermission], passwordProtected: Bool,
            accessLevel: Sharing.AccessLevel? = nil,
            audienceRestrictingSharedFolder: Sharing.AudienceRestrictingSharedFolder? = nil, expiry: Date? = nil
        ) {
            self.audienceOptions = audienceOptions
            self.currentAudience = currentAudience
            self.linkPermissions = linkPermissions
            self.passwordProtected = passwordProtected
            self.accessLevel = accessLevel
            self.audienceRestrictingSharedFolder = audienceRestrictingSharedFolder
            self.expiry = expiry
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("audience_options current_audience link_permissions password_protected access_level audience_restricting_shared_folder expiry")
            audienceOptions = try reader.list(slot)
            currentAudience = try reader.value(slot + 1)
            linkPermissions = try reader.list(slot + 2)
            passwordProtected = try reader.bool(slot + 3)
            accessLevel = try reader.optionalValue(slot + 4)
            audienceRestrictingSharedFolder = try reader.optionalValue(slot + 5)
            expiry = try reader.optionalDate(slot + 6, .seconds)
        }

        public func write(to writer: StoneWriter) {
            writer.list("audience_options", audienceOptions)
            writer.value("current_audience", currentAudience)
            writer.list("link_permissions", linkPermissions)
            writer.bool("password_protected", passwordProtected)
            writer.value("access_level", accessLevel)
            writer.value("audience_restricting_shared_folder", audienceRestrictingSharedFolder)
            writer.date("expiry", expiry, .seconds)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileAction: StoneValue {
        case disableViewerInfo
        case editContents
        case enableViewerInfo
        case inviteViewer
        case inviteViewerNoComment
        case inviteEditor
        case unshare
        case relinquishMembership
        /// It should not be used any more.
        @available(*, deprecated)
        case shareLink
        /// It should not be used any more.
        @available(*, deprecated)
        case createLink
        case createViewLink
        case createEditLink
        /// A tag that the specs do not define.
        case other(UnknownTag)

        @available(*, deprecated)
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disable_viewer_info edit_contents enable_viewer_info invite_viewer invite_viewer_no_comment invite_editor unshare relinquish_membership share_link create_link create_view_link create_edit_link")
            switch tag.number {
            case 0: self = .disableViewerInfo
            case 1: self = .editContents
            case 2: self = .enableViewerInfo
            case 3: self = .inviteViewer
            case 4: self = .inviteViewerNoComment
            case 5: self = .inviteEditor
            case 6: self = .unshare
            case 7: self = .relinquishMembership
            case 8: self = .shareLink
            case 9: self = .createLink
            case 10: self = .createViewLink
            case 11: self = .createEditLink
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .disableViewerInfo: writer.tag("disable_viewer_info")
            case .editContents: writer.tag("edit_contents")
            case .enableViewerInfo: writer.tag("enable_viewer_info")
            case .inviteViewer: writer.tag("invite_viewer")
            case .inviteViewerNoComment: writer.tag("invite_viewer_no_comment")
            case .inviteEditor: writer.tag("invite_editor")
            case .unshare: writer.tag("unshare")
            case .relinquishMembership: writer.tag("relinquish_membership")
            case .shareLink: writer.tag("share_link")
            case .createLink: writer.tag("create_link")
            case .createViewLink: writer.tag("create_view_link")
            case .createEditLink: writer.tag("create_edit_link")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileErrorResult: StoneValue {
        case fileNotFoundError(String)
        case invalidFileActionError(String)
        case permissionDeniedError(String)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("file_not_found_error invalid_file_action_error permission_denied_error")
            switch tag.number {
            case 0: self = .fileNotFoundError(try reader.string(reader.payload(tag)))
            case 1: self = .invalidFileActionError(try reader.string(reader.payload(tag)))
            case 2: self = .permissionDeniedError(try reader.string(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .fileNotFoundError(let value):
                writer.tag("file_not_found_error")
                writer.string("file_not_found_error", value)
            case .invalidFileActionError(let value):
                writer.tag("invalid_file_action_error")
                writer.string("invalid_file_action_error", value)
            case .permissionDeniedError(let value):
                writer.tag("permission_denied_error")
                writer.string("permission_denied_error", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct FileLinkMetadata: StoneError {
        public var url: String
        public var name: String
        public var linkPermissions: Sharing.LinkPermissions
        public var clientModified: Date
        public var serverModified: Date
        public var rev: String
        public var size: UInt64
        public var id: String?
        public var expires: Date?
        public var pathLower: String?
        public var teamMemberInfo: Sharing.TeamMemberInfo?
        public var contentOwnerTeamInfo: Users.Team_?

        public init(
            url: String, name: String, linkPermissions: Sharing.LinkPermissions, clientModified: Date,
            serverModified: Date, rev: String, size: UInt64, id: String? = nil, expires: Date? = nil,
            pathLower: String? = nil, teamMemberInfo: Sharing.TeamMemberInfo? = nil,
            contentOwnerTeamInfo: Users.Team_? = nil
        ) {
            self.url = url
            self.name = name
            self.linkPermissions = linkPermissions
            self.clientModified = clientModified
            self.serverModified = serverModified
            self.rev = rev
            self.size = size
            self.id = id
            self.expires = expires
            self.pathLower = pathLower
            self.teamMemberInfo = teamMemberInfo
            self.contentOwnerTeamInfo = contentOwnerTeamInfo
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url name link_permissions client_modified server_modified rev size id expires path_lower team_member_info content_owner_team_info")
            url = try reader.string(slot)
            name = try reader.string(slot + 1)
            linkPermissions = try reader.value(slot + 2)
            clientModified = try reader.date(slot + 3, .seconds)
            serverModified = try reader.date(slot + 4, .seconds)
            rev = try reader.string(slot + 5)
            size = try reader.uint64(slot + 6)
            id = try reader.optionalString(slot + 7)
            expires = try reader.optionalDate(slot + 8, .seconds)
            pathLower = try reader.optionalString(slot + 9)
            teamMemberInfo = try reader.optionalValue(slot + 10)
            contentOwnerTeamInfo = try reader.optionalValue(slot + 11)
        }

        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.string("name", name)
            writer.value("link_permissions", linkPermissions)
            writer.date("client_modified", clientModified, .seconds)
            writer.date("server_modified", serverModified, .seconds)
            writer.string("rev", rev)
            writer.uint64("size", size)
            writer.string("id", id)
            writer.date("expires", expires, .seconds)
            writer.string("path_lower", pathLower)
            writer.value("team_member_info", teamMemberInfo)
            writer.value("content_owner_team_info", contentOwnerTeamInfo)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [linkPermissions] + [teamMemberInfo].compactMap { $0 } + [contentOwnerTeamInfo].compactMap { $0 } }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileMemberActionError: StoneError {
        case invalidMember
        case noPermission
        case accessError(Sharing.SharingFileAccessError)
        case noExplicitAccess(Sharing.MemberAccessLevelResult)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("invalid_member no_permission access_error no_explicit_access")
            switch tag.number {
            case 0: self = .invalidMember
            case 1: self = .noPermission
            case 2: self = .accessError(try reader.value(reader.payload(tag)))
            case 3: self = .noExplicitAccess(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .invalidMember: writer.tag("invalid_member")
            case .noPermission: writer.tag("no_permission")
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .noExplicitAccess(let value):
                writer.tag("no_explicit_access")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            case .noExplicitAccess(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public enum FileMemberActionIndividualResult: StoneValue {
        case success(Sharing.AccessLevel?)
        case memberError(Sharing.FileMemberActionError)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("success member_error")
            switch tag.number {
            case 0: self = .success(try reader.optionalValue(reader.payload(tag)))
            case 1: self = .memberError(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .success(let value):
                writer.tag("success")
                writer.value("success", value)
            case .memberError(let value):
                writer.tag("member_error")
                writer.value("member_error", value)
            }
        }
    }
}

extension Sharing {
    public struct FileMemberActionResult: StoneValue {
        public var member: Sharing.MemberSelector
        public var result: Sharing.FileMemberActionIndividualResult
        public var sckeySha1: String?
        public var invitationSignature: [String]?

        public init(
            member: Sharing.MemberSelector, result: Sharing.FileMemberActionIndividualResult, sckeySha1: String? = nil,
            invitationSignature: [String]? = nil
        ) {
            self.member = member
            self.result = result
            self.sckeySha1 = sckeySha1
            self.invitationSignature = invitationSignature
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("member result sckey_sha1 invitation_signature")
            member = try reader.value(slot)
            result = try reader.value(slot + 1)
            sckeySha1 = try reader.optionalString(slot + 2)
            invitationSignature = try reader.optionalStrings(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.value("member", member)
            writer.value("result", result)
            writer.string("sckey_sha1", sckeySha1)
            writer.strings("invitation_signature", invitationSignature)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileMemberRemoveActionResult: StoneValue {
        case success(Sharing.MemberAccessLevelResult)
        case memberError(Sharing.FileMemberActionError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("success member_error")
            switch tag.number {
            case 0: self = .success(try reader.flattened(tag))
            case 1: self = .memberError(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .success(let value):
                writer.tag("success")
                value.write(to: writer)
            case .memberError(let value):
                writer.tag("member_error")
                writer.value("member_error", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct FilePermission: StoneValue {
        public var action: Sharing.FileAction
        public var allow: Bool
        public var reason: Sharing.PermissionDeniedReason?

        public init(action: Sharing.FileAction, allow: Bool, reason: Sharing.PermissionDeniedReason? = nil) {
            self.action = action
            self.allow = allow
            self.reason = reason
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("action allow reason")
            action = try reader.value(slot)
            allow = try reader.bool(slot + 1)
            reason = try reader.optionalValue(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.value("action", action)
            writer.bool("allow", allow)
            writer.value("reason", reason)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FolderAction: StoneError {
        case changeOptions
        case disableViewerInfo
        case editContents
        case enableViewerInfo
        case inviteEditor
        case inviteViewer
        case inviteViewerNoComment
        case relinquishMembership
        case unmount
        case unshare
        case leaveACopy
        /// It should not be used any more.
        @available(*, deprecated)
        case shareLink
        /// It should not be used any more.
        @available(*, deprecated)
        case createLink
        case createViewLink
        case createEditLink
        case setAccessInheritance
        /// A tag that the specs do not define.
        case other(UnknownTag)

        @available(*, deprecated)
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("change_options disable_viewer_info edit_contents enable_viewer_info invite_editor invite_viewer invite_viewer_no_comment relinquish_membership unmount unshare leave_a_copy share_link create_link create_view_link create_edit_link set_access_inheritance")
            switch tag.number {
            case 0: self = .changeOptions
            case 1: self = .disableViewerInfo
            case 2: self = .editContents
            case 3: self = .enableViewerInfo
            case 4: self = .inviteEditor
            case 5: self = .inviteViewer
            case 6: self = .inviteViewerNoComment
            case 7: self = .relinquishMembership
            case 8: self = .unmount
            case 9: self = .unshare
            case 10: self = .leaveACopy
            case 11: self = .shareLink
            case 12: self = .createLink
            case 13: self = .createViewLink
            case 14: self = .createEditLink
            case 15: self = .setAccessInheritance
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .changeOptions: writer.tag("change_options")
            case .disableViewerInfo: writer.tag("disable_viewer_info")
            case .editContents: writer.tag("edit_contents")
            case .enableViewerInfo: writer.tag("enable_viewer_info")
            case .inviteEditor: writer.tag("invite_editor")
            case .inviteViewer: writer.tag("invite_viewer")
            case .inviteViewerNoComment: writer.tag("invite_viewer_no_comment")
            case .relinquishMembership: writer.tag("relinquish_membership")
            case .unmount: writer.tag("unmount")
            case .unshare: writer.tag("unshare")
            case .leaveACopy: writer.tag("leave_a_copy")
            case .shareLink: writer.tag("share_link")
            case .createLink: writer.tag("create_link")
            case .createViewLink: writer.tag("create_view_link")
            case .createEditLink: writer.tag("create_edit_link")
            case .setAccessInheritance: writer.tag("set_access_inheritance")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct FolderLinkMetadata: StoneError {
        public var url: String
        public var name: String
        public var linkPermissions: Sharing.LinkPermissions
        public var id: String?
        public var expires: Date?
        public var pathLower: String?
        public var teamMemberInfo: Sharing.TeamMemberInfo?
        public var contentOwnerTeamInfo: Users.Team_?

        public init(
            url: String, name: String, linkPermissions: Sharing.LinkPermissions, id: String? = nil,
            expires: Date? = nil, pathLower: String? = nil, teamMemberInfo: Sharing.TeamMemberInfo? = nil,
            contentOwnerTeamInfo: Users.Team_? = nil
        ) {
            self.url = url
            self.name = name
            self.linkPermissions = linkPermissions
            self.id = id
            self.expires = expires
            self.pathLower = pathLower
            self.teamMemberInfo = teamMemberInfo
            self.contentOwnerTeamInfo = contentOwnerTeamInfo
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url name link_permissions id expires path_lower team_member_info content_owner_team_info")
            url = try reader.string(slot)
            name = try reader.string(slot + 1)
            linkPermissions = try reader.value(slot + 2)
            id = try reader.optionalString(slot + 3)
            expires = try reader.optionalDate(slot + 4, .seconds)
            pathLower = try reader.optionalString(slot + 5)
            teamMemberInfo = try reader.optionalValue(slot + 6)
            contentOwnerTeamInfo = try reader.optionalValue(slot + 7)
        }

        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.string("name", name)
            writer.value("link_permissions", linkPermissions)
            writer.string("id", id)
            writer.date("expires", expires, .seconds)
            writer.string("path_lower", pathLower)
            writer.value("team_member_info", teamMemberInfo)
            writer.value("content_owner_team_info", contentOwnerTeamInfo)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [linkPermissions] + [teamMemberInfo].compactMap { $0 } + [contentOwnerTeamInfo].compactMap { $0 } }
    }
}

extension Sharing {
    public struct FolderPermission: StoneError {
        public var action: Sharing.FolderAction
        public var allow: Bool
        public var reason: Sharing.PermissionDeniedReason?

        public init(action: Sharing.FolderAction, allow: Bool, reason: Sharing.PermissionDeniedReason? = nil) {
            self.action = action
            self.allow = allow
            self.reason = reason
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("action allow reason")
            action = try reader.value(slot)
            allow = try reader.bool(slot + 1)
            reason = try reader.optionalValue(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.value("action", action)
            writer.bool("allow", allow)
            writer.value("reason", reason)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [action] + [reason].compactMap { $0 } }
    }
}

extension Sharing {
    public struct FolderPolicy: StoneError {
        public var aclUpdatePolicy: Sharing.AclUpdatePolicy
        public var sharedLinkPolicy: Sharing.SharedLinkPolicy
        public var memberPolicy: Sharing.MemberPolicy?
        public var resolvedMemberPolicy: Sharing.MemberPolicy?
        public var viewerInfoPolicy: Sharing.ViewerInfoPolicy?

        public init(
            aclUpdatePolicy: Sharing.AclUpdatePolicy, sharedLinkPolicy: Sharing.SharedLinkPolicy,
            memberPolicy: Sharing.MemberPolicy? = nil, resolvedMemberPolicy: Sharing.MemberPolicy? = nil,
            viewerInfoPolicy: Sharing.ViewerInfoPolicy? = nil
        ) {
            self.aclUpdatePolicy = aclUpdatePolicy
            self.sharedLinkPolicy = sharedLinkPolicy
            self.memberPolicy = memberPolicy
            self.resolvedMemberPolicy = resolvedMemberPolicy
            self.viewerInfoPolicy = viewerInfoPolicy
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("acl_update_policy shared_link_policy member_policy resolved_member_policy viewer_info_policy")
            aclUpdatePolicy = try reader.value(slot)
            sharedLinkPolicy = try reader.value(slot + 1)
            memberPolicy = try reader.optionalValue(slot + 2)
            resolvedMemberPolicy = try reader.optionalValue(slot + 3)
            viewerInfoPolicy = try reader.optionalValue(slot + 4)
        }

        public func write(to writer: StoneWriter) {
            writer.value("acl_update_policy", aclUpdatePolicy)
            writer.value("shared_link_policy", sharedLinkPolicy)
            writer.value("member_policy", memberPolicy)
            writer.value("resolved_member_policy", resolvedMemberPolicy)
            writer.value("viewer_info_policy", viewerInfoPolicy)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [aclUpdatePolicy] + [sharedLinkPolicy] + [memberPolicy].compactMap { $0 } + [resolvedMemberPolicy].compactMap { $0 } + [viewerInfoPolicy].compactMap { $0 } }
    }
}

extension Sharing {
    public struct GetFileMetadataArg: StoneValue {
        public var file: String
        public var actions: [Sharing.FileAction]?

        public init(file: String, actions: [Sharing.FileAction]? = nil) {
            self.file = file
            self.actions = actions
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file actions")
            file = try reader.string(slot)
            actions = try reader.optionalList(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("file", file)
            writer.list("actions", actions)
        }
    }
}

extension Sharing {
    public struct GetFileMetadataBatchArg: StoneValue {
        public var files: [String]
        public var actions: [Sharing.FileAction]?

        public init(files: [String], actions: [Sharing.FileAction]? = nil) {
            self.files = files
            self.actions = actions
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("files actions")
            files = try reader.strings(slot)
            actions = try reader.optionalList(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.strings("files", files)
            writer.list("actions", actions)
        }
    }
}

extension Sharing {
    public struct GetFileMetadataBatchResult: StoneValue {
        public var file: String
        public var result: Sharing.GetFileMetadataIndividualResult

        public init(file: String, result: Sharing.GetFileMetadataIndividualResult) {
            self.file = file
            self.result = result
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file result")
            file = try reader.string(slot)
            result = try reader.value(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("file", file)
            writer.value("result", result)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetFileMetadataError: StoneError {
        case userError(Sharing.SharingUserError)
        case accessError(Sharing.SharingFileAccessError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_error access_error")
            switch tag.number {
            case 0: self = .userError(try reader.value(reader.payload(tag)))
            case 1: self = .accessError(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .userError(let value):
                writer.tag("user_error")
                writer.value("user_error", value)
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .userError(let value): [value]
            case .accessError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetFileMetadataIndividualResult: StoneValue {
        case metadata(Sharing.SharedFileMetadata)
        case accessError(Sharing.SharingFileAccessError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("metadata access_error")
            switch tag.number {
            case 0: self = .metadata(try reader.flattened(tag))
            case 1: self = .accessError(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .metadata(let value):
                writer.tag("metadata")
                value.write(to: writer)
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct GetMetadataArgs: StoneValue {
        public var sharedFolderID: String
        public var actions: [Sharing.FolderAction]?

        public init(sharedFolderID: String, actions: [Sharing.FolderAction]? = nil) {
            self.sharedFolderID = sharedFolderID
            self.actions = actions
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id actions")
            sharedFolderID = try reader.string(slot)
            actions = try reader.optionalList(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.list("actions", actions)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetSharedLinkFileError: StoneError {
        case sharedLinkNotFound
        case sharedLinkAccessDenied
        case unsupportedLinkType
        case unsupportedParameterField
        case sharedLinkIsDirectory
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("shared_link_not_found shared_link_access_denied unsupported_link_type unsupported_parameter_field shared_link_is_directory")
            switch tag.number {
            case 0: self = .sharedLinkNotFound
            case 1: self = .sharedLinkAccessDenied
            case 2: self = .unsupportedLinkType
            case 3: self = .unsupportedParameterField
            case 4: self = .sharedLinkIsDirectory
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .sharedLinkNotFound: writer.tag("shared_link_not_found")
            case .sharedLinkAccessDenied: writer.tag("shared_link_access_denied")
            case .unsupportedLinkType: writer.tag("unsupported_link_type")
            case .unsupportedParameterField: writer.tag("unsupported_parameter_field")
            case .sharedLinkIsDirectory: writer.tag("shared_link_is_directory")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct GetSharedLinkMetadataArg: StoneValue {
        public var url: String
        public var path: String?
        public var linkPassword: String?

        public init(url: String, path: String? = nil, linkPassword: String? = nil) {
            self.url = url
            self.path = path
            self.linkPassword = linkPassword
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url path link_password")
            url = try reader.string(slot)
            path = try reader.optionalString(slot + 1)
            linkPassword = try reader.optionalString(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.string("path", path)
            writer.string("link_password", linkPassword)
        }
    }
}

extension Sharing {
    public struct GetSharedLinksArg: StoneValue {
        public var path: String?

        public init(path: String? = nil) {
            self.path = path
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path")
            path = try reader.optionalString(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetSharedLinksError: StoneError {
        case path(String?)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path")
            switch tag.number {
            case 0: self = .path(try reader.optionalString(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.string("path", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct GetSharedLinksResult: StoneValue {
        public var links: [Sharing.LinkMetadata]

        public init(links: [Sharing.LinkMetadata]) {
            self.links = links
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("links")
            links = try reader.list(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.list("links", links)
        }
    }
}

extension Sharing {
    public struct GroupInfo: StoneValue {
        public var groupName: String
        public var groupID: String
        public var groupManagementType: TeamCommon.GroupManagementType
        var _groupType: TeamCommon.GroupType
        @available(*, deprecated)
        public var groupType: TeamCommon.GroupType {
            get { _groupType }
            set { _groupType = newValue }
        }
        public var isMember: Bool
        public var isOwner: Bool
        public var sameTeam: Bool
        public var groupExternalID: String?
        public var memberCount: UInt32?

        public init(
            groupName: String, groupID: String, groupManagementType: TeamCommon.GroupManagementType,
            groupType: TeamCommon.GroupType, isMember: Bool, isOwner: Bool, sameTeam: Bool,
            groupExternalID: String? = nil, memberCount: UInt32? = nil
        ) {
            self.groupName = groupName
            self.groupID = groupID
            self.groupManagementType = groupManagementType
            _groupType = groupType
            self.isMember = isMember
            self.isOwner = isOwner
            self.sameTeam = sameTeam
            self.groupExternalID = groupExternalID
            self.memberCount = memberCount
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("group_name group_id group_management_type group_type is_member is_owner same_team group_external_id member_count")
            groupName = try reader.string(slot)
            groupID = try reader.string(slot + 1)
            groupManagementType = try reader.value(slot + 2)
            _groupType = try reader.value(slot + 3)
            isMember = try reader.bool(slot + 4)
            isOwner = try reader.bool(slot + 5)
            sameTeam = try reader.bool(slot + 6)
            groupExternalID = try reader.optionalString(slot + 7)
            memberCount = try reader.optionalUInt32(slot + 8)
        }

        public func write(to writer: StoneWriter) {
            writer.string("group_name", groupName)
            writer.string("group_id", groupID)
            writer.value("group_management_type", groupManagementType)
            writer.value("group_type", _groupType)
            writer.bool("is_member", isMember)
            writer.bool("is_owner", isOwner)
            writer.bool("same_team", sameTeam)
            writer.string("group_external_id", groupExternalID)
            writer.uint32("member_count", memberCount)
        }
    }
}

extension Sharing {
    public struct GroupMembershipInfo: StoneValue {
        public var accessType: Sharing.AccessLevel
        public var group: Sharing.GroupInfo
        public var permissions: [Sharing.MemberPermission]?
        var _initials: String?
        @available(*, deprecated)
        public var initials: String? {
            get { _initials }
            set { _initials = newValue }
        }
        public var isInherited: Bool

        public init(
            accessType: Sharing.AccessLevel, group: Sharing.GroupInfo, permissions: [Sharing.MemberPermission]? = nil,
            initials: String? = nil, isInherited: Bool = false
        ) {
            self.accessType = accessType
            self.group = group
            self.permissions = permissions
            _initials = initials
            self.isInherited = isInherited
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("access_type group permissions initials is_inherited")
            accessType = try reader.value(slot)
            group = try reader.value(slot + 1)
            permissions = try reader.optionalList(slot + 2)
            _initials = try reader.optionalString(slot + 3)
            isInherited = try reader.optionalBool(slot + 4) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.value("access_type", accessType)
            writer.value("group", group)
            writer.list("permissions", permissions)
            writer.string("initials", _initials)
            writer.bool("is_inherited", isInherited)
        }
    }
}

extension Sharing {
    public struct InsufficientPlan: StoneError {
        public var message: String
        public var upsellURL: String?

        public init(message: String, upsellURL: String? = nil) {
            self.message = message
            self.upsellURL = upsellURL
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("message upsell_url")
            message = try reader.string(slot)
            upsellURL = try reader.optionalString(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("message", message)
            writer.string("upsell_url", upsellURL)
        }
    }
}

extension Sharing {
    public struct InsufficientQuotaAmounts: StoneError {
        public var spaceNeeded: UInt64
        public var spaceShortage: UInt64
        public var spaceLeft: UInt64

        public init(spaceNeeded: UInt64, spaceShortage: UInt64, spaceLeft: UInt64) {
            self.spaceNeeded = spaceNeeded
            self.spaceShortage = spaceShortage
            self.spaceLeft = spaceLeft
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("space_needed space_shortage space_left")
            spaceNeeded = try reader.uint64(slot)
            spaceShortage = try reader.uint64(slot + 1)
            spaceLeft = try reader.uint64(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.uint64("space_needed", spaceNeeded)
            writer.uint64("space_shortage", spaceShortage)
            writer.uint64("space_left", spaceLeft)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum InviteeInfo: StoneValue {
        case email(String)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("email")
            switch tag.number {
            case 0: self = .email(try reader.string(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .email(let value):
                writer.tag("email")
                writer.string("email", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct InviteeMembershipInfo: StoneValue {
        public var accessType: Sharing.AccessLevel
        public var invitee: Sharing.InviteeInfo
        public var permissions: [Sharing.MemberPermission]?
        var _initials: String?
        @available(*, deprecated)
        public var initials: String? {
            get { _initials }
            set { _initials = newValue }
        }
        public var isInherited: Bool
        public var user: Sharing.UserInfo?

        public init(
            accessType: Sharing.AccessLevel, invitee: Sharing.InviteeInfo,
            permissions: [Sharing.MemberPermission]? = nil, initials: String? = nil, isInherited: Bool = false,
            user: Sharing.UserInfo? = nil
        ) {
            self.accessType = accessType
            self.invitee = invitee
            self.permissions = permissions
            _initials = initials
            self.isInherited = isInherited
            self.user = user
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("access_type invitee permissions initials is_inherited user")
            accessType = try reader.value(slot)
            invitee = try reader.value(slot + 1)
            permissions = try reader.optionalList(slot + 2)
            _initials = try reader.optionalString(slot + 3)
            isInherited = try reader.optionalBool(slot + 4) ?? false
            user = try reader.optionalValue(slot + 5)
        }

        public func write(to writer: StoneWriter) {
            writer.value("access_type", accessType)
            writer.value("invitee", invitee)
            writer.list("permissions", permissions)
            writer.string("initials", _initials)
            writer.bool("is_inherited", isInherited)
            writer.value("user", user)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum JobError: StoneError {
        case unshareFolderError(Sharing.UnshareFolderError)
        case removeFolderMemberError(Sharing.RemoveFolderMemberError)
        case relinquishFolderMembershipError(Sharing.RelinquishFolderMembershipError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("unshare_folder_error remove_folder_member_error relinquish_folder_membership_error")
            switch tag.number {
            case 0: self = .unshareFolderError(try reader.value(reader.payload(tag)))
            case 1: self = .removeFolderMemberError(try reader.value(reader.payload(tag)))
            case 2: self = .relinquishFolderMembershipError(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .unshareFolderError(let value):
                writer.tag("unshare_folder_error")
                writer.value("unshare_folder_error", value)
            case .removeFolderMemberError(let value):
                writer.tag("remove_folder_member_error")
                writer.value("remove_folder_member_error", value)
            case .relinquishFolderMembershipError(let value):
                writer.tag("relinquish_folder_membership_error")
                writer.value("relinquish_folder_membership_error", value)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .unshareFolderError(let value): [value]
            case .removeFolderMemberError(let value): [value]
            case .relinquishFolderMembershipError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public enum JobStatus: StoneValue {
        case inProgress
        case complete
        case failed(Sharing.JobError)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("in_progress complete failed")
            switch tag.number {
            case 0: self = .inProgress
            case 1: self = .complete
            case 2: self = .failed(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .inProgress: writer.tag("in_progress")
            case .complete: writer.tag("complete")
            case .failed(let value):
                writer.tag("failed")
                writer.value("failed", value)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LinkAccessLevel: StoneError {
        case viewer
        case editor
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("viewer editor")
            switch tag.number {
            case 0: self = .viewer
            case 1: self = .editor
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .viewer: writer.tag("viewer")
            case .editor: writer.tag("editor")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LinkAction: StoneError {
        case changeAccessLevel
        case changeAudience
        case removeExpiry
        case removePassword
        case setExpiry
        case setPassword
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("change_access_level change_audience remove_expiry remove_password set_expiry set_password")
            switch tag.number {
            case 0: self = .changeAccessLevel
            case 1: self = .changeAudience
            case 2: self = .removeExpiry
            case 3: self = .removePassword
            case 4: self = .setExpiry
            case 5: self = .setPassword
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .changeAccessLevel: writer.tag("change_access_level")
            case .changeAudience: writer.tag("change_audience")
            case .removeExpiry: writer.tag("remove_expiry")
            case .removePassword: writer.tag("remove_password")
            case .setExpiry: writer.tag("set_expiry")
            case .setPassword: writer.tag("set_password")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LinkAudience: StoneError {
        case `public`
        case team
        case noOne
        /// It should not be used any more.
        @available(*, deprecated)
        case password
        /// It should not be used any more.
        @available(*, deprecated)
        case members
        /// A tag that the specs do not define.
        case other(UnknownTag)

        @available(*, deprecated)
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("public team no_one password members")
            switch tag.number {
            case 0: self = .`public`
            case 1: self = .team
            case 2: self = .noOne
            case 3: self = .password
            case 4: self = .members
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .`public`: writer.tag("public")
            case .team: writer.tag("team")
            case .noOne: writer.tag("no_one")
            case .password: writer.tag("password")
            case .members: writer.tag("members")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LinkAudienceDisallowedReason: StoneError {
        case deleteAndRecreate
        case restrictedBySharedFolder
        case restrictedByTeam
        case userNotOnTeam
        case userAccountType
        case permissionDenied
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("delete_and_recreate restricted_by_shared_folder restricted_by_team user_not_on_team user_account_type permission_denied")
            switch tag.number {
            case 0: self = .deleteAndRecreate
            case 1: self = .restrictedBySharedFolder
            case 2: self = .restrictedByTeam
            case 3: self = .userNotOnTeam
            case 4: self = .userAccountType
            case 5: self = .permissionDenied
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .deleteAndRecreate: writer.tag("delete_and_recreate")
            case .restrictedBySharedFolder: writer.tag("restricted_by_shared_folder")
            case .restrictedByTeam: writer.tag("restricted_by_team")
            case .userNotOnTeam: writer.tag("user_not_on_team")
            case .userAccountType: writer.tag("user_account_type")
            case .permissionDenied: writer.tag("permission_denied")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct LinkAudienceOption: StoneError {
        public var audience: Sharing.LinkAudience
        public var allowed: Bool
        public var disallowedReason: Sharing.LinkAudienceDisallowedReason?

        public init(
            audience: Sharing.LinkAudience, allowed: Bool,
            disallowedReason: Sharing.LinkAudienceDisallowedReason? = nil
        ) {
            self.audience = audience
            self.allowed = allowed
            self.disallowedReason = disallowedReason
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("audience allowed disallowed_reason")
            audience = try reader.value(slot)
            allowed = try reader.bool(slot + 1)
            disallowedReason = try reader.optionalValue(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.value("audience", audience)
            writer.bool("allowed", allowed)
            writer.value("disallowed_reason", disallowedReason)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [audience] + [disallowedReason].compactMap { $0 } }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LinkExpiry: StoneValue {
        case removeExpiry
        case setExpiry(Date)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("remove_expiry set_expiry")
            switch tag.number {
            case 0: self = .removeExpiry
            case 1: self = .setExpiry(try reader.date(reader.payload(tag), .seconds))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .removeExpiry: writer.tag("remove_expiry")
            case .setExpiry(let value):
                writer.tag("set_expiry")
                writer.date("set_expiry", value, .seconds)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LinkMetadata: StoneValue {
        case path(Sharing.PathLinkMetadata)
        case collection(Sharing.CollectionLinkMetadata)
        /// A tag that the specs do not define.
        case other(UnknownTag, base: Sharing.LinkMetadataBase)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path collection")
            switch tag.number {
            case 0: self = .path(try reader.flattened(tag))
            case 1: self = .collection(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag), base: try reader.flattened(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                value.write(to: writer)
            case .collection(let value):
                writer.tag("collection")
                value.write(to: writer)
            case .other(let tag, _): writer.unknown(tag)
            }
        }

        public var url: String {
            switch self {
            case .path(let value): value.url
            case .collection(let value): value.url
            case .other(_, let base): base.url
            }
        }

        public var visibility: Sharing.Visibility {
            switch self {
            case .path(let value): value.visibility
            case .collection(let value): value.visibility
            case .other(_, let base): base.visibility
            }
        }

        public var expires: Date? {
            switch self {
            case .path(let value): value.expires
            case .collection(let value): value.expires
            case .other(_, let base): base.expires
            }
        }
    }

    /// The fields that all subtypes of `LinkMetadata` have.
    public struct LinkMetadataBase: StoneValue {
        public var url: String
        public var visibility: Sharing.Visibility
        public var expires: Date?

        public init(url: String, visibility: Sharing.Visibility, expires: Date? = nil) {
            self.url = url
            self.visibility = visibility
            self.expires = expires
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url visibility expires")
            url = try reader.string(slot)
            visibility = try reader.value(slot + 1)
            expires = try reader.optionalDate(slot + 2, .seconds)
        }

        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.value("visibility", visibility)
            writer.date("expires", expires, .seconds)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LinkPassword: StoneValue {
        case removePassword
        case setPassword(String)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("remove_password set_password")
            switch tag.number {
            case 0: self = .removePassword
            case 1: self = .setPassword(try reader.string(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .removePassword: writer.tag("remove_password")
            case .setPassword(let value):
                writer.tag("set_password")
                writer.string("set_password", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct LinkPermission: StoneError {
        public var action: Sharing.LinkAction
        public var allow: Bool
        public var reason: Sharing.PermissionDeniedReason?

        public init(action: Sharing.LinkAction, allow: Bool, reason: Sharing.PermissionDeniedReason? = nil) {
            self.action = action
            self.allow = allow
            self.reason = reason
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("action allow reason")
            action = try reader.value(slot)
            allow = try reader.bool(slot + 1)
            reason = try reader.optionalValue(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.value("action", action)
            writer.bool("allow", allow)
            writer.value("reason", reason)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [action] + [reason].compactMap { $0 } }
    }
}
