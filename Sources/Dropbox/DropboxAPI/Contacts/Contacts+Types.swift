// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Contacts {
    /// The struct `DeleteManualContactsArg`.
    public struct DeleteManualContactsArg: StoneValue {
        /// The field `email_addresses`.
        public var emailAddresses: [String]

        /// Makes a value of its fields.
        public init(emailAddresses: [String]) {
            self.emailAddresses = emailAddresses
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("email_addresses")
            emailAddresses = try reader.strings(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.strings("email_addresses", emailAddresses)
        }
    }
}

extension Contacts {
    /// The union `DeleteManualContactsError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteManualContactsError: StoneError {
        /// The tag `contacts_not_found`.
        case contactsNotFound([String])
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("contacts_not_found")
            switch tag.number {
            case 0: self = .contactsNotFound(try reader.strings(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .contactsNotFound(let value):
                writer.tag("contacts_not_found")
                writer.strings("contacts_not_found", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}
