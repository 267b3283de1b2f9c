// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Users {
    public struct Account_: StoneValue {
        public var accountID: String
        public var name: Users.Name
        public var email: String
        public var emailVerified: Bool
        public var disabled: Bool
        public var profilePhotoURL: String?

        public init(
            accountID: String, name: Users.Name, email: String, emailVerified: Bool, disabled: Bool,
            profilePhotoURL: String? = nil
        ) {
            self.accountID = accountID
            self.name = name
            self.email = email
            self.emailVerified = emailVerified
            self.disabled = disabled
            self.profilePhotoURL = profilePhotoURL
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("account_id name email email_verified disabled profile_photo_url")
            accountID = try reader.string(slot)
            name = try reader.value(slot + 1)
            email = try reader.string(slot + 2)
            emailVerified = try reader.bool(slot + 3)
            disabled = try reader.bool(slot + 4)
            profilePhotoURL = try reader.optionalString(slot + 5)
        }

        public func write(to writer: StoneWriter) {
            writer.string("account_id", accountID)
            writer.value("name", name)
            writer.string("email", email)
            writer.bool("email_verified", emailVerified)
            writer.bool("disabled", disabled)
            writer.string("profile_photo_url", profilePhotoURL)
        }
    }
}

extension Users {
    public struct BasicAccount: StoneValue {
        public var accountID: String
        public var name: Users.Name
        public var email: String
        public var emailVerified: Bool
        public var disabled: Bool
        public var isTeammate: Bool
        public var profilePhotoURL: String?
        public var teamMemberID: String?

        public init(
            accountID: String, name: Users.Name, email: String, emailVerified: Bool, disabled: Bool, isTeammate: Bool,
            profilePhotoURL: String? = nil, teamMemberID: String? = nil
        ) {
            self.accountID = accountID
            self.name = name
            self.email = email
            self.emailVerified = emailVerified
            self.disabled = disabled
            self.isTeammate = isTeammate
            self.profilePhotoURL = profilePhotoURL
            self.teamMemberID = teamMemberID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("account_id name email email_verified disabled is_teammate profile_photo_url team_member_id")
            accountID = try reader.string(slot)
            name = try reader.value(slot + 1)
            email = try reader.string(slot + 2)
            emailVerified = try reader.bool(slot + 3)
            disabled = try reader.bool(slot + 4)
            isTeammate = try reader.bool(slot + 5)
            profilePhotoURL = try reader.optionalString(slot + 6)
            teamMemberID = try reader.optionalString(slot + 7)
        }

        public func write(to writer: StoneWriter) {
            writer.string("account_id", accountID)
            writer.value("name", name)
            writer.string("email", email)
            writer.bool("email_verified", emailVerified)
            writer.bool("disabled", disabled)
            writer.bool("is_teammate", isTeammate)
            writer.string("profile_photo_url", profilePhotoURL)
            writer.string("team_member_id", teamMemberID)
        }
    }
}

extension Users {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DistinctMemberHomeValue: StoneValue {
        case enabled(Bool)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("enabled")
            switch tag.number {
            case 0: self = .enabled(try reader.bool(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .enabled(let value):
                writer.tag("enabled")
                writer.bool("enabled", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Users {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileLockingValue: StoneValue {
        case enabled(Bool)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("enabled")
            switch tag.number {
            case 0: self = .enabled(try reader.bool(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .enabled(let value):
                writer.tag("enabled")
                writer.bool("enabled", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Users {
    public struct FullAccount: StoneValue {
        public var accountID: String
        public var name: Users.Name
        public var email: String
        public var emailVerified: Bool
        public var disabled: Bool
        public var locale: String
        public var referralLink: String
        public var isPaired: Bool
        public var accountType: UsersCommon.AccountType
        public var rootInfo: Common.RootInfo
        public var profilePhotoURL: String?
        public var country: String?
        public var team: Users.FullTeam?
        public var teamMemberID: String?

        public init(
            accountID: String, name: Users.Name, email: String, emailVerified: Bool, disabled: Bool, locale: String,
            referralLink: String, isPaired: Bool, accountType: UsersCommon.AccountType, rootInfo: Common.RootInfo,
            profilePhotoURL: String? = nil, country: String? = nil, team: Users.FullTeam? = nil,
            teamMemberID: String? = nil
        ) {
            self.accountID = accountID
            self.name = name
            self.email = email
            self.emailVerified = emailVerified
            self.disabled = disabled
            self.locale = locale
            self.referralLink = referralLink
            self.isPaired = isPaired
            self.accountType = accountType
            self.rootInfo = rootInfo
            self.profilePhotoURL = profilePhotoURL
            self.country = country
            self.team = team
            self.teamMemberID = teamMemberID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("account_id name email email_verified disabled locale referral_link is_paired account_type root_info profile_photo_url country team team_member_id")
            accountID = try reader.string(slot)
            name = try reader.value(slot + 1)
            email = try reader.string(slot + 2)
            emailVerified = try reader.bool(slot + 3)
            disabled = try reader.bool(slot + 4)
            locale = try reader.string(slot + 5)
            referralLink = try reader.string(slot + 6)
            isPaired = try reader.bool(slot + 7)
            accountType = try reader.value(slot + 8)
            rootInfo = try reader.value(slot + 9)
            profilePhotoURL = try reader.optionalString(slot + 10)
            country = try reader.optionalString(slot + 11)
            team = try reader.optionalValue(slot + 12)
            teamMemberID = try reader.optionalString(slot + 13)
        }

        public func write(to writer: StoneWriter) {
            writer.string("account_id", accountID)
            writer.value("name", name)
            writer.string("email", email)
            writer.bool("email_verified", emailVerified)
            writer.bool("disabled", disabled)
            writer.string("locale", locale)
            writer.string("referral_link", referralLink)
            writer.bool("is_paired", isPaired)
            writer.value("account_type", accountType)
            writer.value("root_info", rootInfo)
            writer.string("profile_photo_url", profilePhotoURL)
            writer.string("country", country)
            writer.value("team", team)
            writer.string("team_member_id", teamMemberID)
        }
    }
}

extension Users {
    public struct FullTeam: StoneValue {
        public var id: String
        public var name: String
        public var sharingPolicies: TeamPolicies.TeamSharingPolicies
        public var officeAddinPolicy: TeamPolicies.OfficeAddInPolicy
        public var topLevelContentPolicy: TeamPolicies.TopLevelContentPolicy

        public init(
            id: String, name: String, sharingPolicies: TeamPolicies.TeamSharingPolicies,
            officeAddinPolicy: TeamPolicies.OfficeAddInPolicy,
            topLevelContentPolicy: TeamPolicies.TopLevelContentPolicy
        ) {
            self.id = id
            self.name = name
            self.sharingPolicies = sharingPolicies
            self.officeAddinPolicy = officeAddinPolicy
            self.topLevelContentPolicy = topLevelContentPolicy
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id name sharing_policies office_addin_policy top_level_content_policy")
            id = try reader.string(slot)
            name = try reader.string(slot + 1)
            sharingPolicies = try reader.value(slot + 2)
            officeAddinPolicy = try reader.value(slot + 3)
            topLevelContentPolicy = try reader.value(slot + 4)
        }

        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.string("name", name)
            writer.value("sharing_policies", sharingPolicies)
            writer.value("office_addin_policy", officeAddinPolicy)
            writer.value("top_level_content_policy", topLevelContentPolicy)
        }
    }
}

extension Users {
    public struct GetAccountArg: StoneValue {
        public var accountID: String

        public init(accountID: String) {
            self.accountID = accountID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("account_id")
            accountID = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("account_id", accountID)
        }
    }
}

extension Users {
    public struct GetAccountBatchArg: StoneValue {
        public var accountIDs: [String]

        public init(accountIDs: [String]) {
            self.accountIDs = accountIDs
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("account_ids")
            accountIDs = try reader.strings(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.strings("account_ids", accountIDs)
        }
    }
}

extension Users {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetAccountBatchError: StoneError {
        case noAccount(String)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("no_account")
            switch tag.number {
            case 0: self = .noAccount(try reader.string(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .noAccount(let value):
                writer.tag("no_account")
                writer.string("no_account", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Users {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetAccountError: StoneError {
        case noAccount
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("no_account")
            switch tag.number {
            case 0: self = .noAccount
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .noAccount: writer.tag("no_account")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Users {
    public struct IndividualSpaceAllocation: StoneValue {
        public var allocated: UInt64

        public init(allocated: UInt64) {
            self.allocated = allocated
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("allocated")
            allocated = try reader.uint64(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.uint64("allocated", allocated)
        }
    }
}

extension Users {
    public struct Name: StoneValue {
        public var givenName: String
        public var surname: String
        public var familiarName: String
        public var displayName: String
        public var abbreviatedName: String

        public init(
            givenName: String, surname: String, familiarName: String, displayName: String, abbreviatedName: String
        ) {
            self.givenName = givenName
            self.surname = surname
            self.familiarName = familiarName
            self.displayName = displayName
            self.abbreviatedName = abbreviatedName
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("given_name surname familiar_name display_name abbreviated_name")
            givenName = try reader.string(slot)
            surname = try reader.string(slot + 1)
            familiarName = try reader.string(slot + 2)
            displayName = try reader.string(slot + 3)
            abbreviatedName = try reader.string(slot + 4)
        }

        public func write(to writer: StoneWriter) {
            writer.string("given_name", givenName)
            writer.string("surname", surname)
            writer.string("familiar_name", familiarName)
            writer.string("display_name", displayName)
            writer.string("abbreviated_name", abbreviatedName)
        }
    }
}

extension Users {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PaperAsFilesValue: StoneValue {
        case enabled(Bool)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("enabled")
            switch tag.number {
            case 0: self = .enabled(try reader.bool(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .enabled(let value):
                writer.tag("enabled")
                writer.bool("enabled", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Users {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SpaceAllocation: StoneValue {
        case individual(Users.IndividualSpaceAllocation)
        case team(Users.TeamSpaceAllocation)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("individual team")
            switch tag.number {
            case 0: self = .individual(try reader.flattened(tag))
            case 1: self = .team(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .individual(let value):
                writer.tag("individual")
                value.write(to: writer)
            case .team(let value):
                writer.tag("team")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Users {
    public struct SpaceUsage: StoneValue {
        public var used: UInt64
        public var allocation: Users.SpaceAllocation

        public init(used: UInt64, allocation: Users.SpaceAllocation) {
            self.used = used
            self.allocation = allocation
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("used allocation")
            used = try reader.uint64(slot)
            allocation = try reader.value(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.uint64("used", used)
            writer.value("allocation", allocation)
        }
    }
}

extension Users {
    public struct Team_: StoneError {
        public var id: String
        public var name: String

        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id name")
            id = try reader.string(slot)
            name = try reader.string(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.string("name", name)
        }
    }
}

extension Users {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TeamSharedDropboxValue: StoneValue {
        case enabled(Bool)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("enabled")
            switch tag.number {
            case 0: self = .enabled(try reader.bool(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .enabled(let value):
                writer.tag("enabled")
                writer.bool("enabled", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Users {
    public struct TeamSpaceAllocation: StoneValue {
        public var used: UInt64
        public var allocated: UInt64
        public var userWithinTeamSpaceAllocated: UInt64
        public var userWithinTeamSpaceLimitType: TeamCommon.MemberSpaceLimitType
        public var userWithinTeamSpaceUsedCached: UInt64

        public init(
            used: UInt64, allocated: UInt64, userWithinTeamSpaceAllocated: UInt64,
            userWithinTeamSpaceLimitType: TeamCommon.MemberSpaceLimitType, userWithinTeamSpaceUsedCached: UInt64
        ) {
            self.used = used
            self.allocated = allocated
            self.userWithinTeamSpaceAllocated = userWithinTeamSpaceAllocated
            self.userWithinTeamSpaceLimitType = userWithinTeamSpaceLimitType
            self.userWithinTeamSpaceUsedCached = userWithinTeamSpaceUsedCached
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("used allocated user_within_team_space_allocated user_within_team_space_limit_type user_within_team_space_used_cached")
            used = try reader.uint64(slot)
            allocated = try reader.uint64(slot + 1)
            userWithinTeamSpaceAllocated = try reader.uint64(slot + 2)
            userWithinTeamSpaceLimitType = try reader.value(slot + 3)
            userWithinTeamSpaceUsedCached = try reader.uint64(slot + 4)
        }

        public func write(to writer: StoneWriter) {
            writer.uint64("used", used)
            writer.uint64("allocated", allocated)
            writer.uint64("user_within_team_space_allocated", userWithinTeamSpaceAllocated)
            writer.value("user_within_team_space_limit_type", userWithinTeamSpaceLimitType)
            writer.uint64("user_within_team_space_used_cached", userWithinTeamSpaceUsedCached)
        }
    }
}

extension Users {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UserFeature: StoneValue {
        case paperAsFiles
        case fileLocking
        case teamSharedDropbox
        case distinctMemberHome
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("paper_as_files file_locking team_shared_dropbox distinct_member_home")
            switch tag.number {
            case 0: self = .paperAsFiles
            case 1: self = .fileLocking
            case 2: self = .teamSharedDropbox
            case 3: self = .distinctMemberHome
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .paperAsFiles: writer.tag("paper_as_files")
            case .fileLocking: writer.tag("file_locking")
            case .teamSharedDropbox: writer.tag("team_shared_dropbox")
            case .distinctMemberHome: writer.tag("distinct_member_home")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Users {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UserFeatureValue: StoneValue {
        case paperAsFiles(Users.PaperAsFilesValue)
        case fileLocking(Users.FileLockingValue)
        case teamSharedDropbox(Users.TeamSharedDropboxValue)
        case distinctMemberHome(Users.DistinctMemberHomeValue)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("paper_as_files file_locking team_shared_dropbox distinct_member_home")
            switch tag.number {
            case 0: self = .paperAsFiles(try reader.value(reader.payload(tag)))
            case 1: self = .fileLocking(try reader.value(reader.payload(tag)))
            case 2: self = .teamSharedDropbox(try reader.value(reader.payload(tag)))
            case 3: self = .distinctMemberHome(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .paperAsFiles(let value):
                writer.tag("paper_as_files")
                writer.value("paper_as_files", value)
            case .fileLocking(let value):
                writer.tag("file_locking")
                writer.value("file_locking", value)
            case .teamSharedDropbox(let value):
                writer.tag("team_shared_dropbox")
                writer.value("team_shared_dropbox", value)
            case .distinctMemberHome(let value):
                writer.tag("distinct_member_home")
                writer.value("distinct_member_home", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Users {
    public struct UserFeaturesGetValuesBatchArg: StoneValue {
        public var features: [Users.UserFeature]

        public init(features: [Users.UserFeature]) {
            self.features = features
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("features")
            features = try reader.list(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.list("features", features)
        }
    }
}

extension Users {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UserFeaturesGetValuesBatchError: StoneError {
        case emptyFeaturesList
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("empty_features_list")
            switch tag.number {
            case 0: self = .emptyFeaturesList
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .emptyFeaturesList: writer.tag("empty_features_list")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Users {
    public struct UserFeaturesGetValuesBatchResult: StoneValue {
        public var values: [Users.UserFeatureValue]

        public init(values: [Users.UserFeatureValue]) {
            self.values = values
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("values")
            values = try reader.list(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.list("values", values)
        }
    }
}
