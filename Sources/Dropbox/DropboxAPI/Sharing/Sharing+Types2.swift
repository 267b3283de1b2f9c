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
    /// The struct `LinkPermissions`.
    public struct LinkPermissions: StoneError {
        /// The field `can_revoke`.
        public var canRevoke: Bool
        /// The field `visibility_policies`.
        public var visibilityPolicies: [Sharing.VisibilityPolicy]
        /// The field `can_set_expiry`.
        public var canSetExpiry: Bool
        /// The field `can_remove_expiry`.
        public var canRemoveExpiry: Bool
        /// The field `allow_download`.
        public var allowDownload: Bool
        /// The field `can_allow_download`.
        public var canAllowDownload: Bool
        /// The field `can_disallow_download`.
        public var canDisallowDownload: Bool
        var _allowComments: Bool
        /// The field `allow_comments`.
        @available(*, deprecated)
        public var allowComments: Bool {
            get { _allowComments }
            set { _allowComments = newValue }
        }
        var _teamRestrictsComments: Bool
        /// The field `team_restricts_comments`.
        @available(*, deprecated)
        public var teamRestrictsComments: Bool {
            get { _teamRestrictsComments }
            set { _teamRestrictsComments = newValue }
        }
        /// The field `resolved_visibility`.
        public var resolvedVisibility: Sharing.ResolvedVisibility?
        /// The field `requested_visibility`.
        public var requestedVisibility: Sharing.RequestedVisibility?
        /// The field `revoke_failure_reason`.
        public var revokeFailureReason: Sharing.SharedLinkAccessFailureReason?
        /// The field `effective_audience`.
        public var effectiveAudience: Sharing.LinkAudience?
        /// The field `link_access_level`.
        public var linkAccessLevel: Sharing.LinkAccessLevel?
        /// The field `audience_options`.
        public var audienceOptions: [Sharing.LinkAudienceOption]?
        /// The field `can_set_password`.
        public var canSetPassword: Bool?
        /// The field `can_remove_password`.
        public var canRemovePassword: Bool?
        /// The field `require_password`.
        public var requirePassword: Bool?
        /// The field `can_use_extended_sharing_controls`.
        public var canUseExtendedSharingControls: Bool?
        /// The field `can_sync`.
        public var canSync: Bool?
        /// The field `can_request_access`.
        public var canRequestAccess: Bool?
        /// The field `enforce_shared_link_password_policy`.
        public var enforceSharedLinkPasswordPolicy: TeamPolicies.EnforceLinkPasswordPolicy?
        /// The field `days_to_expire_policy`.
        public var daysToExpirePolicy: TeamPolicies.DefaultLinkExpirationDaysPolicy?
        /// The field `change_shared_link_expiration_policy`.
        public var changeSharedLinkExpirationPolicy: Sharing.ChangeLinkExpirationPolicy?

        /// Makes a value of its fields.
        public init(
            canRevoke: Bool, visibilityPolicies: [Sharing.VisibilityPolicy], canSetExpiry: Bool, canRemoveExpiry: Bool,
            allowDownload: Bool, canAllowDownload: Bool, canDisallowDownload: Bool, allowComments: Bool,
            teamRestrictsComments: Bool, resolvedVisibility: Sharing.ResolvedVisibility? = nil,
            requestedVisibility: Sharing.RequestedVisibility? = nil,
            revokeFailureReason: Sharing.SharedLinkAccessFailureReason? = nil,
            effectiveAudience: Sharing.LinkAudience? = nil, linkAccessLevel: Sharing.LinkAccessLevel? = nil,
            audienceOptions: [Sharing.LinkAudienceOption]? = nil, canSetPassword: Bool? = nil,
            canRemovePassword: Bool? = nil, requirePassword: Bool? = nil, canUseExtendedSharingControls: Bool? = nil,
            canSync: Bool? = nil, canRequestAccess: Bool? = nil,
            enforceSharedLinkPasswordPolicy: TeamPolicies.EnforceLinkPasswordPolicy? = nil,
            daysToExpirePolicy: TeamPolicies.DefaultLinkExpirationDaysPolicy? = nil,
            changeSharedLinkExpirationPolicy: Sharing.ChangeLinkExpirationPolicy? = nil
        ) {
            self.canRevoke = canRevoke
            self.visibilityPolicies = visibilityPolicies
            self.canSetExpiry = canSetExpiry
            self.canRemoveExpiry = canRemoveExpiry
            self.allowDownload = allowDownload
            self.canAllowDownload = canAllowDownload
            self.canDisallowDownload = canDisallowDownload
            _allowComments = allowComments
            _teamRestrictsComments = teamRestrictsComments
            self.resolvedVisibility = resolvedVisibility
            self.requestedVisibility = requestedVisibility
            self.revokeFailureReason = revokeFailureReason
            self.effectiveAudience = effectiveAudience
            self.linkAccessLevel = linkAccessLevel
            self.audienceOptions = audienceOptions
            self.canSetPassword = canSetPassword
            self.canRemovePassword = canRemovePassword
            self.requirePassword = requirePassword
            self.canUseExtendedSharingControls = canUseExtendedSharingControls
            self.canSync = canSync
            self.canRequestAccess = canRequestAccess
            self.enforceSharedLinkPasswordPolicy = enforceSharedLinkPasswordPolicy
            self.daysToExpirePolicy = daysToExpirePolicy
            self.changeSharedLinkExpirationPolicy = changeSharedLinkExpirationPolicy
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("can_revoke visibility_policies can_set_expiry can_remove_expiry allow_download can_allow_download can_disallow_download allow_comments team_restricts_comments resolved_visibility requested_visibility revoke_failure_reason effective_audience link_access_level audience_options can_set_password can_remove_password require_password can_use_extended_sharing_controls can_sync can_request_access enforce_shared_link_password_policy days_to_expire_policy change_shared_link_expiration_policy")
            canRevoke = try reader.bool(slot)
            visibilityPolicies = try reader.list(slot + 1)
            canSetExpiry = try reader.bool(slot + 2)
            canRemoveExpiry = try reader.bool(slot + 3)
            allowDownload = try reader.bool(slot + 4)
            canAllowDownload = try reader.bool(slot + 5)
            canDisallowDownload = try reader.bool(slot + 6)
            _allowComments = try reader.bool(slot + 7)
            _teamRestrictsComments = try reader.bool(slot + 8)
            resolvedVisibility = try reader.optionalValue(slot + 9)
            requestedVisibility = try reader.optionalValue(slot + 10)
            revokeFailureReason = try reader.optionalValue(slot + 11)
            effectiveAudience = try reader.optionalValue(slot + 12)
            linkAccessLevel = try reader.optionalValue(slot + 13)
            audienceOptions = try reader.optionalList(slot + 14)
            canSetPassword = try reader.optionalBool(slot + 15)
            canRemovePassword = try reader.optionalBool(slot + 16)
            requirePassword = try reader.optionalBool(slot + 17)
            canUseExtendedSharingControls = try reader.optionalBool(slot + 18)
            canSync = try reader.optionalBool(slot + 19)
            canRequestAccess = try reader.optionalBool(slot + 20)
            enforceSharedLinkPasswordPolicy = try reader.optionalValue(slot + 21)
            daysToExpirePolicy = try reader.optionalValue(slot + 22)
            changeSharedLinkExpirationPolicy = try reader.optionalValue(slot + 23)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.bool("can_revoke", canRevoke)
            writer.list("visibility_policies", visibilityPolicies)
            writer.bool("can_set_expiry", canSetExpiry)
            writer.bool("can_remove_expiry", canRemoveExpiry)
            writer.bool("allow_download", allowDownload)
            writer.bool("can_allow_download", canAllowDownload)
            writer.bool("can_disallow_download", canDisallowDownload)
            writer.bool("allow_comments", _allowComments)
            writer.bool("team_restricts_comments", _teamRestrictsComments)
            writer.value("resolved_visibility", resolvedVisibility)
            writer.value("requested_visibility", requestedVisibility)
            writer.value("revoke_failure_reason", revokeFailureReason)
            writer.value("effective_audience", effectiveAudience)
            writer.value("link_access_level", linkAccessLevel)
            writer.list("audience_options", audienceOptions)
            writer.bool("can_set_password", canSetPassword)
            writer.bool("can_remove_password", canRemovePassword)
            writer.bool("require_password", requirePassword)
            writer.bool("can_use_extended_sharing_controls", canUseExtendedSharingControls)
            writer.bool("can_sync", canSync)
            writer.bool("can_request_access", canRequestAccess)
            writer.value("enforce_shared_link_password_policy", enforceSharedLinkPasswordPolicy)
            writer.value("days_to_expire_policy", daysToExpirePolicy)
            writer.value("change_shared_link_expiration_policy", changeSharedLinkExpirationPolicy)
        }

        /// The fields that can be why a call fails.
        public var innerErrors: [any Error] { visibilityPolicies + [resolvedVisibility].compactMap { $0 } + [requestedVisibility].compactMap { $0 } + [revokeFailureReason].compactMap { $0 } + [effectiveAudience].compactMap { $0 } + [linkAccessLevel].compactMap { $0 } + [enforceSharedLinkPasswordPolicy].compactMap { $0 } + [daysToExpirePolicy].compactMap { $0 } + [changeSharedLinkExpirationPolicy].compactMap { $0 } }
    }
}

extension Sharing {
    /// The struct `LinkSettings`.
    public struct LinkSettings: StoneValue {
        /// The field `access_level`.
        public var accessLevel: Sharing.AccessLevel?
        /// The field `audience`.
        public var audience: Sharing.LinkAudience?
        /// The field `expiry`.
        public var expiry: Sharing.LinkExpiry?
        /// The field `password`.
        public var password: Sharing.LinkPassword?

        /// Makes a value of its fields.
        public init(
            accessLevel: Sharing.AccessLevel? = nil, audience: Sharing.LinkAudience? = nil,
            expiry: Sharing.LinkExpiry? = nil, password: Sharing.LinkPassword? = nil
        ) {
            self.accessLevel = accessLevel
            self.audience = audience
            self.expiry = expiry
            self.password = password
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("access_level audience expiry password")
            accessLevel = try reader.optionalValue(slot)
            audience = try reader.optionalValue(slot + 1)
            expiry = try reader.optionalValue(slot + 2)
            password = try reader.optionalValue(slot + 3)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("access_level", accessLevel)
            writer.value("audience", audience)
            writer.value("expiry", expiry)
            writer.value("password", password)
        }
    }
}

extension Sharing {
    /// The struct `ListFileMembersArg`.
    public struct ListFileMembersArg: StoneValue {
        /// The field `file`.
        public var file: String
        /// The field `actions`.
        public var actions: [Sharing.MemberAction]?
        /// The field `include_inherited`.
        public var includeInherited: Bool
        /// The field `limit`.
        public var limit: UInt32

        /// Makes a value of its fields.
        public init(
            file: String, actions: [Sharing.MemberAction]? = nil, includeInherited: Bool = true, limit: UInt32 = 100
        ) {
            self.file = file
            self.actions = actions
            self.includeInherited = includeInherited
            self.limit = limit
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file actions include_inherited limit")
            file = try reader.string(slot)
            actions = try reader.optionalList(slot + 1)
            includeInherited = try reader.optionalBool(slot + 2) ?? true
            limit = try reader.optionalUInt32(slot + 3) ?? 100
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("file", file)
            writer.list("actions", actions)
            writer.bool("include_inherited", includeInherited)
            writer.uint32("limit", limit)
        }
    }
}

extension Sharing {
    /// The struct `ListFileMembersBatchArg`.
    public struct ListFileMembersBatchArg: StoneValue {
        /// The field `files`.
        public var files: [String]
        /// The field `limit`.
        public var limit: UInt32

        /// Makes a value of its fields.
        public init(files: [String], limit: UInt32 = 1000) {
            self.files = files
            self.limit = limit
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("files limit")
            files = try reader.strings(slot)
            limit = try reader.optionalUInt32(slot + 1) ?? 1000
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.strings("files", files)
            writer.uint32("limit", limit)
        }
    }
}

extension Sharing {
    /// The struct `ListFileMembersBatchResult`.
    public struct ListFileMembersBatchResult: StoneValue {
        /// The field `file`.
        public var file: String
        /// The field `result`.
        public var result: Sharing.ListFileMembersIndividualResult

        /// Makes a value of its fields.
        public init(file: String, result: Sharing.ListFileMembersIndividualResult) {
            self.file = file
            self.result = result
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file result")
            file = try reader.string(slot)
            result = try reader.value(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("file", file)
            writer.value("result", result)
        }
    }
}

extension Sharing {
    /// The struct `ListFileMembersContinueArg`.
    public struct ListFileMembersContinueArg: StoneValue {
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

extension Sharing {
    /// The union `ListFileMembersContinueError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFileMembersContinueError: StoneError {
        /// The tag `user_error`.
        case userError(Sharing.SharingUserError)
        /// The tag `access_error`.
        case accessError(Sharing.SharingFileAccessError)
        /// The tag `invalid_cursor`.
        case invalidCursor
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_error access_error invalid_cursor")
            switch tag.number {
            case 0: self = .userError(try reader.value(reader.payload(tag)))
            case 1: self = .accessError(try reader.value(reader.payload(tag)))
            case 2: self = .invalidCursor
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .userError(let value):
                writer.tag("user_error")
                writer.value("user_error", value)
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .invalidCursor: writer.tag("invalid_cursor")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
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
    /// The struct `ListFileMembersCountResult`.
    public struct ListFileMembersCountResult: StoneValue {
        /// The field `members`.
        public var members: Sharing.SharedFileMembers
        /// The field `member_count`.
        public var memberCount: UInt32

        /// Makes a value of its fields.
        public init(members: Sharing.SharedFileMembers, memberCount: UInt32) {
            self.members = members
            self.memberCount = memberCount
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("members member_count")
            members = try reader.value(slot)
            memberCount = try reader.uint32(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("members", members)
            writer.uint32("member_count", memberCount)
        }
    }
}

extension Sharing {
    /// The union `ListFileMembersError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFileMembersError: StoneError {
        /// The tag `user_error`.
        case userError(Sharing.SharingUserError)
        /// The tag `access_error`.
        case accessError(Sharing.SharingFileAccessError)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_error access_error")
            switch tag.number {
            case 0: self = .userError(try reader.value(reader.payload(tag)))
            case 1: self = .accessError(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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

        /// What the tag carries that can be why a call fails.
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
    /// The union `ListFileMembersIndividualResult`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFileMembersIndividualResult: StoneValue {
        /// The tag `result`.
        case result(Sharing.ListFileMembersCountResult)
        /// The tag `access_error`.
        case accessError(Sharing.SharingFileAccessError)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("result access_error")
            switch tag.number {
            case 0: self = .result(try reader.flattened(tag))
            case 1: self = .accessError(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .result(let value):
                writer.tag("result")
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
    /// The struct `ListFilesArg`.
    public struct ListFilesArg: StoneValue {
        /// The field `limit`.
        public var limit: UInt32
        /// The field `actions`.
        public var actions: [Sharing.FileAction]?

        /// Makes a value of its fields.
        public init(limit: UInt32 = 100, actions: [Sharing.FileAction]? = nil) {
            self.limit = limit
            self.actions = actions
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("limit actions")
            limit = try reader.optionalUInt32(slot) ?? 100
            actions = try reader.optionalList(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.uint32("limit", limit)
            writer.list("actions", actions)
        }
    }
}

extension Sharing {
    /// The struct `ListFilesContinueArg`.
    public struct ListFilesContinueArg: StoneValue {
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

extension Sharing {
    /// The union `ListFilesContinueError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFilesContinueError: StoneError {
        /// The tag `user_error`.
        case userError(Sharing.SharingUserError)
        /// The tag `invalid_cursor`.
        case invalidCursor
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_error invalid_cursor")
            switch tag.number {
            case 0: self = .userError(try reader.value(reader.payload(tag)))
            case 1: self = .invalidCursor
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .userError(let value):
                writer.tag("user_error")
                writer.value("user_error", value)
            case .invalidCursor: writer.tag("invalid_cursor")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .userError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    /// The struct `ListFilesResult`.
    public struct ListFilesResult: StoneValue {
        /// The field `entries`.
        public var entries: [Sharing.SharedFileMetadata]
        /// The field `cursor`.
        public var cursor: String?

        /// Makes a value of its fields.
        public init(entries: [Sharing.SharedFileMetadata], cursor: String? = nil) {
            self.entries = entries
            self.cursor = cursor
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries cursor")
            entries = try reader.list(slot)
            cursor = try reader.optionalString(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
            writer.string("cursor", cursor)
        }
    }
}

extension Sharing {
    /// The struct `ListFolderMembersArgs`.
    public struct ListFolderMembersArgs: StoneValue {
        /// The field `shared_folder_id`.
        public var sharedFolderID: String
        /// The field `actions`.
        public var actions: [Sharing.MemberAction]?
        /// The field `limit`.
        public var limit: UInt32
        /// The field `path`.
        public var path: String?

        /// Makes a value of its fields.
        public init(
            sharedFolderID: String, actions: [Sharing.MemberAction]? = nil, limit: UInt32 = 1000, path: String? = nil
        ) {
            self.sharedFolderID = sharedFolderID
            self.actions = actions
            self.limit = limit
            self.path = path
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id actions limit path")
            sharedFolderID = try reader.string(slot)
            actions = try reader.optionalList(slot + 1)
            limit = try reader.optionalUInt32(slot + 2) ?? 1000
            path = try reader.optionalString(slot + 3)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.list("actions", actions)
            writer.uint32("limit", limit)
            writer.string("path", path)
        }
    }
}

extension Sharing {
    /// The struct `ListFolderMembersContinueArg`.
    public struct ListFolderMembersContinueArg: StoneValue {
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

extension Sharing {
    /// The union `ListFolderMembersContinueError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFolderMembersContinueError: StoneError {
        /// The tag `access_error`.
        case accessError(Sharing.SharedFolderAccessError)
        /// The tag `invalid_cursor`.
        case invalidCursor
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error invalid_cursor")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .invalidCursor
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .invalidCursor: writer.tag("invalid_cursor")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    /// The struct `ListFolderMembersCursorArg`.
    public struct ListFolderMembersCursorArg: StoneValue {
        /// The field `actions`.
        public var actions: [Sharing.MemberAction]?
        /// The field `limit`.
        public var limit: UInt32

        /// Makes a value of its fields.
        public init(actions: [Sharing.MemberAction]? = nil, limit: UInt32 = 1000) {
            self.actions = actions
            self.limit = limit
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("actions limit")
            actions = try reader.optionalList(slot)
            limit = try reader.optionalUInt32(slot + 1) ?? 1000
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("actions", actions)
            writer.uint32("limit", limit)
        }
    }
}

extension Sharing {
    /// The struct `ListFoldersArgs`.
    public struct ListFoldersArgs: StoneValue {
        /// The field `limit`.
        public var limit: UInt32
        /// The field `actions`.
        public var actions: [Sharing.FolderAction]?

        /// Makes a value of its fields.
        public init(limit: UInt32 = 1000, actions: [Sharing.FolderAction]? = nil) {
            self.limit = limit
            self.actions = actions
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("limit actions")
            limit = try reader.optionalUInt32(slot) ?? 1000
            actions = try reader.optionalList(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.uint32("limit", limit)
            writer.list("actions", actions)
        }
    }
}

extension Sharing {
    /// The struct `ListFoldersContinueArg`.
    public struct ListFoldersContinueArg: StoneValue {
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

extension Sharing {
    /// The union `ListFoldersContinueError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFoldersContinueError: StoneError {
        /// The tag `invalid_cursor`.
        case invalidCursor
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("invalid_cursor")
            switch tag.number {
            case 0: self = .invalidCursor
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .invalidCursor: writer.tag("invalid_cursor")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    /// The struct `ListFoldersResult`.
    public struct ListFoldersResult: StoneValue {
        /// The field `entries`.
        public var entries: [Sharing.SharedFolderMetadata]
        /// The field `cursor`.
        public var cursor: String?

        /// Makes a value of its fields.
        public init(entries: [Sharing.SharedFolderMetadata], cursor: String? = nil) {
            self.entries = entries
            self.cursor = cursor
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries cursor")
            entries = try reader.list(slot)
            cursor = try reader.optionalString(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
            writer.string("cursor", cursor)
        }
    }
}

extension Sharing {
    /// The struct `ListSharedLinksArg`.
    public struct ListSharedLinksArg: StoneValue {
        /// The field `path`.
        public var path: String?
        /// The field `cursor`.
        public var cursor: String?
        /// The field `direct_only`.
        public var directOnly: Bool?

        /// Makes a value of its fields.
        public init(path: String? = nil, cursor: String? = nil, directOnly: Bool? = nil) {
            self.path = path
            self.cursor = cursor
            self.directOnly = directOnly
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path cursor direct_only")
            path = try reader.optionalString(slot)
            cursor = try reader.optionalString(slot + 1)
            directOnly = try reader.optionalBool(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("cursor", cursor)
            writer.bool("direct_only", directOnly)
        }
    }
}

extension Sharing {
    /// The union `ListSharedLinksError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListSharedLinksError: StoneError {
        /// The tag `path`.
        case path(Files.LookupError)
        /// The tag `reset`.
        case reset
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path reset")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .reset
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .reset: writer.tag("reset")
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

extension Sharing {
    /// The struct `ListSharedLinksResult`.
    public struct ListSharedLinksResult: StoneValue {
        /// The field `links`.
        public var links: [Sharing.SharedLinkMetadata]
        /// The field `has_more`.
        public var hasMore: Bool
        /// The field `cursor`.
        public var cursor: String?

        /// Makes a value of its fields.
        public init(links: [Sharing.SharedLinkMetadata], hasMore: Bool, cursor: String? = nil) {
            self.links = links
            self.hasMore = hasMore
            self.cursor = cursor
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("links has_more cursor")
            links = try reader.list(slot)
            hasMore = try reader.bool(slot + 1)
            cursor = try reader.optionalString(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("links", links)
            writer.bool("has_more", hasMore)
            writer.string("cursor", cursor)
        }
    }
}

extension Sharing {
    /// The struct `MemberAccessLevelResult`.
    public struct MemberAccessLevelResult: StoneError {
        /// The field `access_level`.
        public var accessLevel: Sharing.AccessLevel?
        /// The field `warning`.
        public var warning: String?
        /// The field `access_details`.
        public var accessDetails: [Sharing.ParentFolderAccessInfo]?

        /// Makes a value of its fields.
        public init(
            accessLevel: Sharing.AccessLevel? = nil, warning: String? = nil,
            accessDetails: [Sharing.ParentFolderAccessInfo]? = nil
        ) {
            self.accessLevel = accessLevel
            self.warning = warning
            self.accessDetails = accessDetails
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("access_level warning access_details")
            accessLevel = try reader.optionalValue(slot)
            warning = try reader.optionalString(slot + 1)
            accessDetails = try reader.optionalList(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("access_level", accessLevel)
            writer.string("warning", warning)
            writer.list("access_details", accessDetails)
        }

        /// The fields that can be why a call fails.
        public var innerErrors: [any Error] { [accessLevel].compactMap { $0 } }
    }
}

extension Sharing {
    /// The union `MemberAction`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum MemberAction: StoneError {
        /// The tag `leave_a_copy`.
        case leaveACopy
        /// The tag `make_editor`.
        case makeEditor
        /// The tag `make_owner`.
        case makeOwner
        /// The tag `make_viewer`.
        case makeViewer
        /// The tag `make_viewer_no_comment`.
        case makeViewerNoComment
        /// The tag `remove`.
        case remove
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("leave_a_copy make_editor make_owner make_viewer make_viewer_no_comment remove")
            switch tag.number {
            case 0: self = .leaveACopy
            case 1: self = .makeEditor
            case 2: self = .makeOwner
            case 3: self = .makeViewer
            case 4: self = .makeViewerNoComment
            case 5: self = .remove
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .leaveACopy: writer.tag("leave_a_copy")
            case .makeEditor: writer.tag("make_editor")
            case .makeOwner: writer.tag("make_owner")
            case .makeViewer: writer.tag("make_viewer")
            case .makeViewerNoComment: writer.tag("make_viewer_no_comment")
            case .remove: writer.tag("remove")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    /// The struct `MemberPermission`.
    public struct MemberPermission: StoneError {
        /// The field `action`.
        public var action: Sharing.MemberAction
        /// The field `allow`.
        public var allow: Bool
        /// The field `reason`.
        public var reason: Sharing.PermissionDeniedReason?

        /// Makes a value of its fields.
        public init(action: Sharing.MemberAction, allow: Bool, reason: Sharing.PermissionDeniedReason? = nil) {
            self.action = action
            self.allow = allow
            self.reason = reason
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("action allow reason")
            action = try reader.value(slot)
            allow = try reader.bool(slot + 1)
            reason = try reader.optionalValue(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("action", action)
            writer.bool("allow", allow)
            writer.value("reason", reason)
        }

        /// The fields that can be why a call fails.
        public var innerErrors: [any Error] { [action] + [reason].compactMap { $0 } }
    }
}

extension Sharing {
    /// The union `MemberPolicy`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum MemberPolicy: StoneError {
        /// The tag `team`.
        case team
        /// The tag `anyone`.
        case anyone
        /// The tag `team_and_approved`.
        case teamAndApproved
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("team anyone team_and_approved")
            switch tag.number {
            case 0: self = .team
            case 1: self = .anyone
            case 2: self = .teamAndApproved
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .team: writer.tag("team")
            case .anyone: writer.tag("anyone")
            case .teamAndApproved: writer.tag("team_and_approved")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    /// The union `MemberSelector`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum MemberSelector: StoneValue {
        /// The tag `dropbox_id`.
        case dropboxID(String)
        /// The tag `email`.
        case email(String)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("dropbox_id email")
            switch tag.number {
            case 0: self = .dropboxID(try reader.string(reader.payload(tag)))
            case 1: self = .email(try reader.string(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .dropboxID(let value):
                writer.tag("dropbox_id")
                writer.string("dropbox_id", value)
            case .email(let value):
                writer.tag("email")
                writer.string("email", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    /// The struct `MembershipInfo`.
    public struct MembershipInfo: StoneValue {
        /// The field `access_type`.
        public var accessType: Sharing.AccessLevel
        /// The field `permissions`.
        public var permissions: [Sharing.MemberPermission]?
        var _initials: String?
        /// The field `initials`.
        @available(*, deprecated)
        public var initials: String? {
            get { _initials }
            set { _initials = newValue }
        }
        /// The field `is_inherited`.
        public var isInherited: Bool

        /// Makes a value of its fields.
        public init(
            accessType: Sharing.AccessLevel, permissions: [Sharing.MemberPermission]? = nil, initials: String? = nil,
            isInherited: Bool = false
        ) {
            self.accessType = accessType
            self.permissions = permissions
            _initials = initials
            self.isInherited = isInherited
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("access_type permissions initials is_inherited")
            accessType = try reader.value(slot)
            permissions = try reader.optionalList(slot + 1)
            _initials = try reader.optionalString(slot + 2)
            isInherited = try reader.optionalBool(slot + 3) ?? false
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.value("access_type", accessType)
            writer.list("permissions", permissions)
            writer.string("initials", _initials)
            writer.bool("is_inherited", isInherited)
        }
    }
}

extension Sharing {
    /// The struct `ModifySharedLinkSettingsArgs`.
    public struct ModifySharedLinkSettingsArgs: StoneValue {
        /// The field `url`.
        public var url: String
        /// The field `settings`.
        public var settings: Sharing.SharedLinkSettings
        /// The field `remove_expiration`.
        public var removeExpiration: Bool

        /// Makes a value of its fields.
        public init(url: String, settings: Sharing.SharedLinkSettings, removeExpiration: Bool = false) {
            self.url = url
            self.settings = settings
            self.removeExpiration = removeExpiration
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url settings remove_expiration")
            url = try reader.string(slot)
            settings = try reader.value(slot + 1)
            removeExpiration = try reader.optionalBool(slot + 2) ?? false
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.value("settings", settings)
            writer.bool("remove_expiration", removeExpiration)
        }
    }
}

extension Sharing {
    /// The union `ModifySharedLinkSettingsError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ModifySharedLinkSettingsError: StoneError {
        /// The tag `shared_link_not_found`.
        case sharedLinkNotFound
        /// The tag `shared_link_access_denied`.
        case sharedLinkAccessDenied
        /// The tag `unsupported_link_type`.
        case unsupportedLinkType
        /// The tag `unsupported_parameter_field`.
        case unsupportedParameterField
        /// The tag `settings_error`.
        case settingsError(Sharing.SharedLinkSettingsError)
        /// The tag `email_not_verified`.
        case emailNotVerified
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("shared_link_not_found shared_link_access_denied unsupported_link_type unsupported_parameter_field settings_error email_not_verified")
            switch tag.number {
            case 0: self = .sharedLinkNotFound
            case 1: self = .sharedLinkAccessDenied
            case 2: self = .unsupportedLinkType
            case 3: self = .unsupportedParameterField
            case 4: self = .settingsError(try reader.value(reader.payload(tag)))
            case 5: self = .emailNotVerified
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .sharedLinkNotFound: writer.tag("shared_link_not_found")
            case .sharedLinkAccessDenied: writer.tag("shared_link_access_denied")
            case .unsupportedLinkType: writer.tag("unsupported_link_type")
            case .unsupportedParameterField: writer.tag("unsupported_parameter_field")
            case .settingsError(let value):
                writer.tag("settings_error")
                writer.value("settings_error", value)
            case .emailNotVerified: writer.tag("email_not_verified")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .settingsError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    /// The struct `MountFolderArg`.
    public struct MountFolderArg: StoneValue {
        /// The field `shared_folder_id`.
        public var sharedFolderID: String

        /// Makes a value of its fields.
        public init(sharedFolderID: String) {
            self.sharedFolderID = sharedFolderID
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id")
            sharedFolderID = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
        }
    }
}

extension Sharing {
    /// The union `MountFolderError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum MountFolderError: StoneError {
        /// The tag `access_error`.
        case accessError(Sharing.SharedFolderAccessError)
        /// The tag `inside_shared_folder`.
        case insideSharedFolder
        /// The tag `insufficient_quota`.
        case insufficientQuota(Sharing.InsufficientQuotaAmounts)
        /// The tag `already_mounted`.
        case alreadyMounted
        /// The tag `no_permission`.
        case noPermission
        /// The tag `not_mountable`.
        case notMountable
        /// The tag `must_automount`.
        case mustAutomount
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error inside_shared_folder insufficient_quota already_mounted no_permission not_mountable must_automount")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .insideSharedFolder
            case 2: self = .insufficientQuota(try reader.flattened(tag))
            case 3: self = .alreadyMounted
            case 4: self = .noPermission
            case 5: self = .notMountable
            case 6: self = .mustAutomount
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .insideSharedFolder: writer.tag("inside_shared_folder")
            case .insufficientQuota(let value):
                writer.tag("insufficient_quota")
                value.write(to: writer)
            case .alreadyMounted: writer.tag("already_mounted")
            case .noPermission: writer.tag("no_permission")
            case .notMountable: writer.tag("not_mountable")
            case .mustAutomount: writer.tag("must_automount")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            case .insufficientQuota(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    /// The struct `ParentFolderAccessInfo`.
    public struct ParentFolderAccessInfo: StoneError {
        /// The field `folder_name`.
        public var folderName: String
        /// The field `shared_folder_id`.
        public var sharedFolderID: String
        /// The field `permissions`.
        public var permissions: [Sharing.MemberPermission]
        /// The field `path`.
        public var path: String

        /// Makes a value of its fields.
        public init(folderName: String, sharedFolderID: String, permissions: [Sharing.MemberPermission], path: String) {
            self.folderName = folderName
            self.sharedFolderID = sharedFolderID
            self.permissions = permissions
            self.path = path
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("folder_name shared_folder_id permissions path")
            folderName = try reader.string(slot)
            sharedFolderID = try reader.string(slot + 1)
            permissions = try reader.list(slot + 2)
            path = try reader.string(slot + 3)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("folder_name", folderName)
            writer.string("shared_folder_id", sharedFolderID)
            writer.list("permissions", permissions)
            writer.string("path", path)
        }

        /// The fields that can be why a call fails.
        public var innerErrors: [any Error] { permissions }
    }
}

extension Sharing {
    /// The struct `PathLinkMetadata`.
    public struct PathLinkMetadata: StoneValue {
        /// The field `url`.
        public var url: String
        /// The field `visibility`.
        public var visibility: Sharing.Visibility
        /// The field `path`.
        public var path: String
        /// The field `expires`.
        public var expires: Date?

        /// Makes a value of its fields.
        public init(url: String, visibility: Sharing.Visibility, path: String, expires: Date? = nil) {
            self.url = url
            self.visibility = visibility
            self.path = path
            self.expires = expires
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url visibility path expires")
            url = try reader.string(slot)
            visibility = try reader.value(slot + 1)
            path = try reader.string(slot + 2)
            expires = try reader.optionalDate(slot + 3, .seconds)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.value("visibility", visibility)
            writer.string("path", path)
            writer.date("expires", expires, .seconds)
        }
    }
}

extension Sharing {
    /// The union `PendingUploadMode`.
    public enum PendingUploadMode: StoneValue, CaseIterable {
        /// The tag `file`.
        case file
        /// The tag `folder`.
        case folder

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("file folder")
            switch tag.number {
            case 0: self = .file
            case 1: self = .folder
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .file: writer.tag("file")
            case .folder: writer.tag("folder")
            }
        }
    }
}

extension Sharing {
    /// The union `PermissionDeniedReason`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PermissionDeniedReason: StoneError {
        /// The tag `user_not_same_team_as_owner`.
        case userNotSameTeamAsOwner
        /// The tag `user_not_allowed_by_owner`.
        case userNotAllowedByOwner
        /// The tag `target_is_indirect_member`.
        case targetIsIndirectMember
        /// The tag `target_is_owner`.
        case targetIsOwner
        /// The tag `target_is_self`.
        case targetIsSelf
        /// The tag `target_not_active`.
        case targetNotActive
        /// The tag `folder_is_limited_team_folder`.
        case folderIsLimitedTeamFolder
        /// The tag `owner_not_on_team`.
        case ownerNotOnTeam
        /// The tag `permission_denied`.
        case permissionDenied
        /// The tag `restricted_by_team`.
        case restrictedByTeam
        /// The tag `user_account_type`.
        case userAccountType
        /// The tag `user_not_on_team`.
        case userNotOnTeam
        /// The tag `folder_is_inside_shared_folder`.
        case folderIsInsideSharedFolder
        /// The tag `restricted_by_parent_folder`.
        case restrictedByParentFolder
        /// The tag `insufficient_plan`.
        case insufficientPlan(Sharing.InsufficientPlan)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_not_same_team_as_owner user_not_allowed_by_owner target_is_indirect_member target_is_owner target_is_self target_not_active folder_is_limited_team_folder owner_not_on_team permission_denied restricted_by_team user_account_type user_not_on_team folder_is_inside_shared_folder restricted_by_parent_folder insufficient_plan")
            switch tag.number {
            case 0: self = .userNotSameTeamAsOwner
            case 1: self = .userNotAllowedByOwner
            case 2: self = .targetIsIndirectMember
            case 3: self = .targetIsOwner
            case 4: self = .targetIsSelf
            case 5: self = .targetNotActive
            case 6: self = .folderIsLimitedTeamFolder
            case 7: self = .ownerNotOnTeam
            case 8: self = .permissionDenied
            case 9: self = .restrictedByTeam
            case 10: self = .userAccountType
            case 11: self = .userNotOnTeam
            case 12: self = .folderIsInsideSharedFolder
            case 13: self = .restrictedByParentFolder
            case 14: self = .insufficientPlan(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .userNotSameTeamAsOwner: writer.tag("user_not_same_team_as_owner")
            case .userNotAllowedByOwner: writer.tag("user_not_allowed_by_owner")
            case .targetIsIndirectMember: writer.tag("target_is_indirect_member")
            case .targetIsOwner: writer.tag("target_is_owner")
            case .targetIsSelf: writer.tag("target_is_self")
            case .targetNotActive: writer.tag("target_not_active")
            case .folderIsLimitedTeamFolder: writer.tag("folder_is_limited_team_folder")
            case .ownerNotOnTeam: writer.tag("owner_not_on_team")
            case .permissionDenied: writer.tag("permission_denied")
            case .restrictedByTeam: writer.tag("restricted_by_team")
            case .userAccountType: writer.tag("user_account_type")
            case .userNotOnTeam: writer.tag("user_not_on_team")
            case .folderIsInsideSharedFolder: writer.tag("folder_is_inside_shared_folder")
            case .restrictedByParentFolder: writer.tag("restricted_by_parent_folder")
            case .insufficientPlan(let value):
                writer.tag("insufficient_plan")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .insufficientPlan(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    /// The struct `RelinquishAccessArg`.
    public struct RelinquishAccessArg: StoneValue {
        /// The field `file_id`.
        public var fileID: String

        /// Makes a value of its fields.
        public init(fileID: String) {
            self.fileID = fileID
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file_id")
            fileID = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("file_id", fileID)
        }
    }
}

extension Sharing {
    /// The union `RelinquishAccessError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RelinquishAccessError: StoneError {
        /// The tag `invalid_file_id`.
        case invalidFileID
        /// The tag `email_unverified`.
        case emailUnverified
        /// The tag `owner`.
        case owner
        /// The tag `no_explicit_access`.
        case noExplicitAccess
        /// The tag `team_folder`.
        case teamFolder
        /// The tag `no_permission`.
        case noPermission
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("invalid_file_id email_unverified owner no_explicit_access team_folder no_permission")
            switch tag.number {
            case 0: self = .invalidFileID
            case 1: self = .emailUnverified
            case 2: self = .owner
            case 3: self = .noExplicitAccess
            case 4: self = .teamFolder
            case 5: self = .noPermission
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .invalidFileID: writer.tag("invalid_file_id")
            case .emailUnverified: writer.tag("email_unverified")
            case .owner: writer.tag("owner")
            case .noExplicitAccess: writer.tag("no_explicit_access")
            case .teamFolder: writer.tag("team_folder")
            case .noPermission: writer.tag("no_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    /// The struct `RelinquishAccessResult`.
    public struct RelinquishAccessResult: StoneValue {
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

extension Sharing {
    /// The struct `RelinquishFileMembershipArg`.
    public struct RelinquishFileMembershipArg: StoneValue {
        /// The field `file`.
        public var file: String

        /// Makes a value of its fields.
        public init(file: String) {
            self.file = file
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file")
            file = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("file", file)
        }
    }
}

extension Sharing {
    /// The union `RelinquishFileMembershipError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RelinquishFileMembershipError: StoneError {
        /// The tag `access_error`.
        case accessError(Sharing.SharingFileAccessError)
        /// The tag `group_access`.
        case groupAccess
        /// The tag `no_permission`.
        case noPermission
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error group_access no_permission")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .groupAccess
            case 2: self = .noPermission
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .groupAccess: writer.tag("group_access")
            case .noPermission: writer.tag("no_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    /// The struct `RelinquishFolderMembershipArg`.
    public struct RelinquishFolderMembershipArg: StoneValue {
        /// The field `shared_folder_id`.
        public var sharedFolderID: String
        /// The field `leave_a_copy`.
        public var leaveACopy: Bool

        /// Makes a value of its fields.
        public init(sharedFolderID: String, leaveACopy: Bool = false) {
            self.sharedFolderID = sharedFolderID
            self.leaveACopy = leaveACopy
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id leave_a_copy")
            sharedFolderID = try reader.string(slot)
            leaveACopy = try reader.optionalBool(slot + 1) ?? false
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.bool("leave_a_copy", leaveACopy)
        }
    }
}

extension Sharing {
    /// The union `RelinquishFolderMembershipError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RelinquishFolderMembershipError: StoneError {
        /// The tag `access_error`.
        case accessError(Sharing.SharedFolderAccessError)
        /// The tag `folder_owner`.
        case folderOwner
        /// The tag `mounted`.
        case mounted
        /// The tag `group_access`.
        case groupAccess
        /// The tag `team_folder`.
        case teamFolder
        /// The tag `no_permission`.
        case noPermission
        /// The tag `no_explicit_access`.
        case noExplicitAccess
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error folder_owner mounted group_access team_folder no_permission no_explicit_access")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .folderOwner
            case 2: self = .mounted
            case 3: self = .groupAccess
            case 4: self = .teamFolder
            case 5: self = .noPermission
            case 6: self = .noExplicitAccess
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .folderOwner: writer.tag("folder_owner")
            case .mounted: writer.tag("mounted")
            case .groupAccess: writer.tag("group_access")
            case .teamFolder: writer.tag("team_folder")
            case .noPermission: writer.tag("no_permission")
            case .noExplicitAccess: writer.tag("no_explicit_access")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    /// The struct `RemoveFileMemberArg`.
    public struct RemoveFileMemberArg: StoneValue {
        /// The field `file`.
        public var file: String
        /// The field `member`.
        public var member: Sharing.MemberSelector

        /// Makes a value of its fields.
        public init(file: String, member: Sharing.MemberSelector) {
            self.file = file
            self.member = member
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file member")
            file = try reader.string(slot)
            member = try reader.value(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("file", file)
            writer.value("member", member)
        }
    }
}

extension Sharing {
    /// The union `RemoveFileMemberError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RemoveFileMemberError: StoneError {
        /// The tag `user_error`.
        case userError(Sharing.SharingUserError)
        /// The tag `access_error`.
        case accessError(Sharing.SharingFileAccessError)
        /// The tag `no_explicit_access`.
        case noExplicitAccess(Sharing.MemberAccessLevelResult)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_error access_error no_explicit_access")
            switch tag.number {
            case 0: self = .userError(try reader.value(reader.payload(tag)))
            case 1: self = .accessError(try reader.value(reader.payload(tag)))
            case 2: self = .noExplicitAccess(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .userError(let value):
                writer.tag("user_error")
                writer.value("user_error", value)
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .noExplicitAccess(let value):
                writer.tag("no_explicit_access")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .userError(let value): [value]
            case .accessError(let value): [value]
            case .noExplicitAccess(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    /// The struct `RemoveFolderMemberArg`.
    public struct RemoveFolderMemberArg: StoneValue {
        /// The field `shared_folder_id`.
        public var sharedFolderID: String
        /// The field `member`.
        public var member: Sharing.MemberSelector
        /// The field `leave_a_copy`.
        public var leaveACopy: Bool

        /// Makes a value of its fields.
        public init(sharedFolderID: String, member: Sharing.MemberSelector, leaveACopy: Bool) {
            self.sharedFolderID = sharedFolderID
            self.member = member
            self.leaveACopy = leaveACopy
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id member leave_a_copy")
            sharedFolderID = try reader.string(slot)
            member = try reader.value(slot + 1)
            leaveACopy = try reader.bool(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.value("member", member)
            writer.bool("leave_a_copy", leaveACopy)
        }
    }
}

extension Sharing {
    /// The union `RemoveFolderMemberError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RemoveFolderMemberError: StoneError {
        /// The tag `access_error`.
        case accessError(Sharing.SharedFolderAccessError)
        /// The tag `member_error`.
        case memberError(Sharing.SharedFolderMemberError)
        /// The tag `folder_owner`.
        case folderOwner
        /// The tag `group_access`.
        case groupAccess
        /// The tag `team_folder`.
        case teamFolder
        /// The tag `no_permission`.
        case noPermission
        /// The tag `too_many_files`.
        case tooManyFiles
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error member_error folder_owner group_access team_folder no_permission too_many_files")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .memberError(try reader.value(reader.payload(tag)))
            case 2: self = .folderOwner
            case 3: self = .groupAccess
            case 4: self = .teamFolder
            case 5: self = .noPermission
            case 6: self = .tooManyFiles
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .memberError(let value):
                writer.tag("member_error")
                writer.value("member_error", value)
            case .folderOwner: writer.tag("folder_owner")
            case .groupAccess: writer.tag("group_access")
            case .teamFolder: writer.tag("team_folder")
            case .noPermission: writer.tag("no_permission")
            case .tooManyFiles: writer.tag("too_many_files")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            case .memberError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    /// The union `RemoveMemberJobStatus`.
    public enum RemoveMemberJobStatus: StoneValue {
        /// The tag `in_progress`.
        case inProgress
        /// The tag `complete`.
        case complete(Sharing.MemberAccessLevelResult)
        /// The tag `failed`.
        case failed(Sharing.RemoveFolderMemberError)

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

extension Sharing {
    /// The union `RequestedLinkAccessLevel`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RequestedLinkAccessLevel: StoneValue {
        /// The tag `viewer`.
        case viewer
        /// The tag `editor`.
        case editor
        /// The tag `max`.
        case max
        /// The tag `default`.
        case `default`
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("viewer editor max default")
            switch tag.number {
            case 0: self = .viewer
            case 1: self = .editor
            case 2: self = .max
            case 3: self = .`default`
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .viewer: writer.tag("viewer")
            case .editor: writer.tag("editor")
            case .max: writer.tag("max")
            case .`default`: writer.tag("default")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    /// The union `RequestedVisibility`.
    public enum RequestedVisibility: StoneError, CaseIterable {
        /// The tag `public`.
        case `public`
        /// The tag `team_only`.
        case teamOnly
        /// The tag `password`.
        case password

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("public team_only password")
            switch tag.number {
            case 0: self = .`public`
            case 1: self = .teamOnly
            case 2: self = .password
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .`public`: writer.tag("public")
            case .teamOnly: writer.tag("team_only")
            case .password: writer.tag("password")
            }
        }
    }
}

extension Sharing {
    /// The union `ResolvedVisibility`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ResolvedVisibility: StoneError {
        /// The tag `public`.
        case `public`
        /// The tag `team_only`.
        case teamOnly
        /// The tag `password`.
        case password
        /// The tag `team_and_password`.
        case teamAndPassword
        /// The tag `shared_folder_only`.
        case sharedFolderOnly
        /// The tag `no_one`.
        case noOne
        /// The tag `only_you`.
        case onlyYou
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The struct `RevokeSharedLinkArg`.
    public struct RevokeSharedLinkArg: StoneValue {
        /// The field `url`.
        public var url: String

        /// Makes a value of its fields.
        public init(url: String) {
            self.url = url
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url")
            url = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("url", url)
        }
    }
}

extension Sharing {
    /// The union `RevokeSharedLinkError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RevokeSharedLinkError: StoneError {
        /// The tag `shared_link_not_found`.
        case sharedLinkNotFound
        /// The tag `shared_link_access_denied`.
        case sharedLinkAccessDenied
        /// The tag `unsupported_link_type`.
        case unsupportedLinkType
        /// The tag `unsupported_parameter_field`.
        case unsupportedParameterField
        /// The tag `shared_link_malformed`.
        case sharedLinkMalformed
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("shared_link_not_found shared_link_access_denied unsupported_link_type unsupported_parameter_field shared_link_malformed")
            switch tag.number {
            case 0: self = .sharedLinkNotFound
            case 1: self = .sharedLinkAccessDenied
            case 2: self = .unsupportedLinkType
            case 3: self = .unsupportedParameterField
            case 4: self = .sharedLinkMalformed
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .sharedLinkNotFound: writer.tag("shared_link_not_found")
            case .sharedLinkAccessDenied: writer.tag("shared_link_access_denied")
            case .unsupportedLinkType: writer.tag("unsupported_link_type")
            case .unsupportedParameterField: writer.tag("unsupported_parameter_field")
            case .sharedLinkMalformed: writer.tag("shared_link_malformed")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    /// The struct `SetAccessInheritanceArg`.
    public struct SetAccessInheritanceArg: StoneValue {
        /// The field `shared_folder_id`.
        public var sharedFolderID: String
        /// The field `access_inheritance`.
        public var accessInheritance: Sharing.AccessInheritance

        /// Makes a value of its fields.
        public init(
            sharedFolderID: String, accessInheritance: Sharing.AccessInheritance = Sharing.AccessInheritance.inherit
        ) {
            self.sharedFolderID = sharedFolderID
            self.accessInheritance = accessInheritance
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id access_inheritance")
            sharedFolderID = try reader.string(slot)
            accessInheritance = try reader.optionalValue(slot + 1) ?? Sharing.AccessInheritance.inherit
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.value("access_inheritance", accessInheritance)
        }
    }
}

extension Sharing {
    /// The union `SetAccessInheritanceError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SetAccessInheritanceError: StoneError {
        /// The tag `access_error`.
        case accessError(Sharing.SharedFolderAccessError)
        /// The tag `no_permission`.
        case noPermission
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error no_permission")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .noPermission
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .noPermission: writer.tag("no_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    /// The struct `ShareFolderArg`.
    public struct ShareFolderArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `acl_update_policy`.
        public var aclUpdatePolicy: Sharing.AclUpdatePolicy?
        /// The field `force_async`.
        public var forceAsync: Bool
        /// The field `member_policy`.
        public var memberPolicy: Sharing.MemberPolicy?
        /// The field `shared_link_policy`.
        public var sharedLinkPolicy: Sharing.SharedLinkPolicy?
        /// The field `viewer_info_policy`.
        public var viewerInfoPolicy: Sharing.ViewerInfoPolicy?
        /// The field `access_inheritance`.
        public var accessInheritance: Sharing.AccessInheritance
        /// The field `actions`.
        public var actions: [Sharing.FolderAction]?
        /// The field `link_settings`.
        public var linkSettings: Sharing.LinkSettings?

        /// Makes a value of its fields.
        public init(
            path: String, aclUpdatePolicy: Sharing.AclUpdatePolicy? = nil, forceAsync: Bool = false,
            memberPolicy: Sharing.MemberPolicy? = nil, sharedLinkPolicy: Sharing.SharedLinkPolicy? = nil,
            viewerInfoPolicy: Sharing.ViewerInfoPolicy? = nil,
            accessInheritance: Sharing.AccessInheritance = Sharing.AccessInheritance.inherit,
            actions: [Sharing.FolderAction]? = nil, linkSettings: Sharing.LinkSettings? = nil
        ) {
            self.path = path
            self.aclUpdatePolicy = aclUpdatePolicy
            self.forceAsync = forceAsync
            self.memberPolicy = memberPolicy
            self.sharedLinkPolicy = sharedLinkPolicy
            self.viewerInfoPolicy = viewerInfoPolicy
            self.accessInheritance = accessInheritance
            self.actions = actions
            self.linkSettings = linkSettings
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path acl_update_policy force_async member_policy shared_link_policy viewer_info_policy access_inheritance actions link_settings")
            path = try reader.string(slot)
            aclUpdatePolicy = try reader.optionalValue(slot + 1)
            forceAsync = try reader.optionalBool(slot + 2) ?? false
            memberPolicy = try reader.optionalValue(slot + 3)
            sharedLinkPolicy = try reader.optionalValue(slot + 4)
            viewerInfoPolicy = try reader.optionalValue(slot + 5)
            accessInheritance = try reader.optionalValue(slot + 6) ?? Sharing.AccessInheritance.inherit
            actions = try reader.optionalList(slot + 7)
            linkSettings = try reader.optionalValue(slot + 8)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.value("acl_update_policy", aclUpdatePolicy)
            writer.bool("force_async", forceAsync)
            writer.value("member_policy", memberPolicy)
            writer.value("shared_link_policy", sharedLinkPolicy)
            writer.value("viewer_info_policy", viewerInfoPolicy)
            writer.value("access_inheritance", accessInheritance)
            writer.list("actions", actions)
            writer.value("link_settings", linkSettings)
        }
    }
}

extension Sharing {
    /// The struct `ShareFolderArgBase`.
    public struct ShareFolderArgBase: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `acl_update_policy`.
        public var aclUpdatePolicy: Sharing.AclUpdatePolicy?
        /// The field `force_async`.
        public var forceAsync: Bool
        /// The field `member_policy`.
        public var memberPolicy: Sharing.MemberPolicy?
        /// The field `shared_link_policy`.
        public var sharedLinkPolicy: Sharing.SharedLinkPolicy?
        /// The field `viewer_info_policy`.
        public var viewerInfoPolicy: Sharing.ViewerInfoPolicy?
        /// The field `access_inheritance`.
        public var accessInheritance: Sharing.AccessInheritance

        /// Makes a value of its fields.
        public init(
            path: String, aclUpdatePolicy: Sharing.AclUpdatePolicy? = nil, forceAsync: Bool = false,
            memberPolicy: Sharing.MemberPolicy? = nil, sharedLinkPolicy: Sharing.SharedLinkPolicy? = nil,
            viewerInfoPolicy: Sharing.ViewerInfoPolicy? = nil,
            accessInheritance: Sharing.AccessInheritance = Sharing.AccessInheritance.inherit
        ) {
            self.path = path
            self.aclUpdatePolicy = aclUpdatePolicy
            self.forceAsync = forceAsync
            self.memberPolicy = memberPolicy
            self.sharedLinkPolicy = sharedLinkPolicy
            self.viewerInfoPolicy = viewerInfoPolicy
            self.accessInheritance = accessInheritance
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path acl_update_policy force_async member_policy shared_link_policy viewer_info_policy access_inheritance")
            path = try reader.string(slot)
            aclUpdatePolicy = try reader.optionalValue(slot + 1)
            forceAsync = try reader.optionalBool(slot + 2) ?? false
            memberPolicy = try reader.optionalValue(slot + 3)
            sharedLinkPolicy = try reader.optionalValue(slot + 4)
            viewerInfoPolicy = try reader.optionalValue(slot + 5)
            accessInheritance = try reader.optionalValue(slot + 6) ?? Sharing.AccessInheritance.inherit
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.value("acl_update_policy", aclUpdatePolicy)
            writer.bool("force_async", forceAsync)
            writer.value("member_policy", memberPolicy)
            writer.value("shared_link_policy", sharedLinkPolicy)
            writer.value("viewer_info_policy", viewerInfoPolicy)
            writer.value("access_inheritance", accessInheritance)
        }
    }
}
