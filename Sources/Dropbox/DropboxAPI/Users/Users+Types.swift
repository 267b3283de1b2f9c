// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Users {
    /// The struct `Account`.
    public struct Account_: StoneValue {
        /// The field `account_id`.
        public var accountID: String
        /// The field `name`.
        public var name: Users.Name
        /// The field `email`.
        public var email: String
        /// The field `email_verified`.
        public var emailVerified: Bool
        /// The field `disabled`.
        public var disabled: Bool
        /// The field `profile_photo_url`.
        public var profilePhotoURL: String?

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("account_id name email email_verified disabled profile_photo_url")
            accountID = try reader.string(slot)
            name = try reader.value(slot + 1)
            email = try reader.string(slot + 2)
            emailVerified = try reader.bool(slot + 3)
            disabled = try reader.bool(slot + 4)
            profilePhotoURL = try reader.optionalString(slot + 5)
        }

        /// Writes the fields.
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
    /// The struct `BasicAccount`.
    public struct BasicAccount: StoneValue {
        /// The field `account_id`.
        public var accountID: String
        /// The field `name`.
        public var name: Users.Name
        /// The field `email`.
        public var email: String
        /// The field `email_verified`.
        public var emailVerified: Bool
        /// The field `disabled`.
        public var disabled: Bool
        /// The field `is_teammate`.
        public var isTeammate: Bool
        /// The field `profile_photo_url`.
        public var profilePhotoURL: String?
        /// The field `team_member_id`.
        public var teamMemberID: String?

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
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

        /// Writes the fields.
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
    /// The union `DistinctMemberHomeValue`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DistinctMemberHomeValue: StoneValue {
        /// The tag `enabled`.
        case enabled(Bool)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("enabled")
            switch tag.number {
            case 0: self = .enabled(try reader.bool(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `FileLockingValue`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileLockingValue: StoneValue {
        /// The tag `enabled`.
        case enabled(Bool)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("enabled")
            switch tag.number {
            case 0: self = .enabled(try reader.bool(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `FullAccount`.
    public struct FullAccount: StoneValue {
        /// The field `account_id`.
        public var accountID: String
        /// The field `name`.
        public var name: Users.Name
        /// The field `email`.
        public var email: String
        /// The field `email_verified`.
        public var emailVerified: Bool
        /// The field `disabled`.
        public var disabled: Bool
        /// The field `locale`.
        public var locale: String
        /// The field `referral_link`.
        public var referralLink: String
        /// The field `is_paired`.
        public var isPaired: Bool
        /// The field `account_type`.
        public var accountType: UsersCommon.AccountType
        /// The field `root_info`.
        public var rootInfo: Common.RootInfo
        /// The field `profile_photo_url`.
        public var profilePhotoURL: String?
        /// The field `country`.
        public var country: String?
        /// The field `team`.
        public var team: Users.FullTeam?
        /// The field `team_member_id`.
        public var teamMemberID: String?

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
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

        /// Writes the fields.
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
    /// The struct `FullTeam`.
    public struct FullTeam: StoneValue {
        /// The field `id`.
        public var id: String
        /// The field `name`.
        public var name: String
        /// The field `sharing_policies`.
        public var sharingPolicies: TeamPolicies.TeamSharingPolicies
        /// The field `office_addin_policy`.
        public var officeAddinPolicy: TeamPolicies.OfficeAddInPolicy
        /// The field `top_level_content_policy`.
        public var topLevelContentPolicy: TeamPolicies.TopLevelContentPolicy

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id name sharing_policies office_addin_policy top_level_content_policy")
            id = try reader.string(slot)
            name = try reader.string(slot + 1)
            sharingPolicies = try reader.value(slot + 2)
            officeAddinPolicy = try reader.value(slot + 3)
            topLevelContentPolicy = try reader.value(slot + 4)
        }

        /// Writes the fields.
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
    /// The struct `GetAccountArg`.
    public struct GetAccountArg: StoneValue {
        /// The field `account_id`.
        public var accountID: String

        /// Makes a value of its fields.
        public init(accountID: String) {
            self.accountID = accountID
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("account_id")
            accountID = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("account_id", accountID)
        }
    }
}

extension Users {
    /// The struct `GetAccountBatchArg`.
    public struct GetAccountBatchArg: StoneValue {
        /// The field `account_ids`.
        public var accountIDs: [String]

        /// Makes a value of its fields.
        public init(accountIDs: [String]) {
            self.accountIDs = accountIDs
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("account_ids")
            accountIDs = try reader.strings(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.strings("account_ids", accountIDs)
        }
    }
}

extension Users {
    /// The union `GetAccountBatchError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetAccountBatchError: StoneError {
        /// The tag `no_account`.
        case noAccount(String)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("no_account")
            switch tag.number {
            case 0: self = .noAccount(try reader.string(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `GetAccountError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GetAccountError: StoneError {
        /// The tag `no_account`.
        case noAccount
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("no_account")
            switch tag.number {
            case 0: self = .noAccount
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .noAccount: writer.tag("no_account")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Users {
    /// The struct `IndividualSpaceAllocation`.
    public struct IndividualSpaceAllocation: StoneValue {
        /// The field `allocated`.
        public var allocated: UInt64

        /// Makes a value of its fields.
        public init(allocated: UInt64) {
            self.allocated = allocated
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("allocated")
            allocated = try reader.uint64(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.uint64("allocated", allocated)
        }
    }
}

extension Users {
    /// The struct `Name`.
    public struct Name: StoneValue {
        /// The field `given_name`.
        public var givenName: String
        /// The field `surname`.
        public var surname: String
        /// The field `familiar_name`.
        public var familiarName: String
        /// The field `display_name`.
        public var displayName: String
        /// The field `abbreviated_name`.
        public var abbreviatedName: String

        /// Makes a value of its fields.
        public init(
            givenName: String, surname: String, familiarName: String, displayName: String, abbreviatedName: String
        ) {
            self.givenName = givenName
            self.surname = surname
            self.familiarName = familiarName
            self.displayName = displayName
            self.abbreviatedName = abbreviatedName
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("given_name surname familiar_name display_name abbreviated_name")
            givenName = try reader.string(slot)
            surname = try reader.string(slot + 1)
            familiarName = try reader.string(slot + 2)
            displayName = try reader.string(slot + 3)
            abbreviatedName = try reader.string(slot + 4)
        }

        /// Writes the fields.
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
    /// The union `PaperAsFilesValue`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PaperAsFilesValue: StoneValue {
        /// The tag `enabled`.
        case enabled(Bool)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("enabled")
            switch tag.number {
            case 0: self = .enabled(try reader.bool(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The union `SpaceAllocation`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SpaceAllocation: StoneValue {
        /// The tag `individual`.
        case individual(Users.IndividualSpaceAllocation)
        /// The tag `team`.
        case team(Users.TeamSpaceAllocation)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("individual team")
            switch tag.number {
            case 0: self = .individual(try reader.flattened(tag))
            case 1: self = .team(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `SpaceUsage`.
    public struct SpaceUsage: StoneValue {
        /// The field `used`.
        public var used: UInt64
        /// The field `allocation`.
        public var allocation: Users.SpaceAllocation

        /// Makes a value of its fields.
        public init(used: UInt64, allocation: Users.SpaceAllocation) {
            self.used = used
            self.allocation = allocation
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("used allocation")
            used = try reader.uint64(slot)
            allocation = try reader.value(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.uint64("used", used)
            writer.value("allocation", allocation)
        }
    }
}

extension Users {
    /// The struct `Team`.
    public struct Team_: StoneError {
        /// The field `id`.
        public var id: String
        /// The field `name`.
        public var name: String

        /// Makes a value of its fields.
        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id name")
            id = try reader.string(slot)
            name = try reader.string(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.string("name", name)
        }
    }
}

extension Users {
    /// The union `TeamSharedDropboxValue`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TeamSharedDropboxValue: StoneValue {
        /// The tag `enabled`.
        case enabled(Bool)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("enabled")
            switch tag.number {
            case 0: self = .enabled(try reader.bool(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
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
    /// The struct `TeamSpaceAllocation`.
    public struct TeamSpaceAllocation: StoneValue {
        /// The field `used`.
        public var used: UInt64
        /// The field `allocated`.
        public var allocated: UInt64
        /// The field `user_within_team_space_allocated`.
        public var userWithinTeamSpaceAllocated: UInt64
        /// The field `user_within_team_space_limit_type`.
        public var userWithinTeamSpaceLimitType: TeamCommon.MemberSpaceLimitType
        /// The field `user_within_team_space_used_cached`.
        public var userWithinTeamSpaceUsedCached: UInt64

        /// Makes a value of its fields.
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

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("used allocated user_within_team_space_allocated user_within_team_space_limit_type user_within_team_space_used_cached")
            used = try reader.uint64(slot)
            allocated = try reader.uint64(slot + 1)
            userWithinTeamSpaceAllocated = try reader.uint64(slot + 2)
            userWithinTeamSpaceLimitType = try reader.value(slot + 3)
            userWithinTeamSpaceUsedCached = try reader.uint64(slot + 4)
        }

        /// Writes the fields.
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
    /// The union `UserFeature`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UserFeature: StoneValue {
        /// The tag `paper_as_files`.
        case paperAsFiles
        /// The tag `file_locking`.
        case fileLocking
        /// The tag `team_shared_dropbox`.
        case teamSharedDropbox
        /// The tag `distinct_member_home`.
        case distinctMemberHome
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The union `UserFeatureValue`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UserFeatureValue: StoneValue {
        /// The tag `paper_as_files`.
        case paperAsFiles(Users.PaperAsFilesValue)
        /// The tag `file_locking`.
        case fileLocking(Users.FileLockingValue)
        /// The tag `team_shared_dropbox`.
        case teamSharedDropbox(Users.TeamSharedDropboxValue)
        /// The tag `distinct_member_home`.
        case distinctMemberHome(Users.DistinctMemberHomeValue)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
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

        /// Writes the tag and what belongs to it.
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
    /// The struct `UserFeaturesGetValuesBatchArg`.
    public struct UserFeaturesGetValuesBatchArg: StoneValue {
        /// The field `features`.
        public var features: [Users.UserFeature]

        /// Makes a value of its fields.
        public init(features: [Users.UserFeature]) {
            self.features = features
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("features")
            features = try reader.list(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("features", features)
        }
    }
}

extension Users {
    /// The union `UserFeaturesGetValuesBatchError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UserFeaturesGetValuesBatchError: StoneError {
        /// The tag `empty_features_list`.
        case emptyFeaturesList
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("empty_features_list")
            switch tag.number {
            case 0: self = .emptyFeaturesList
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .emptyFeaturesList: writer.tag("empty_features_list")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Users {
    /// The struct `UserFeaturesGetValuesBatchResult`.
    public struct UserFeaturesGetValuesBatchResult: StoneValue {
        /// The field `values`.
        public var values: [Users.UserFeatureValue]

        /// Makes a value of its fields.
        public init(values: [Users.UserFeatureValue]) {
            self.values = values
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("values")
            values = try reader.list(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("values", values)
        }
    }
}
