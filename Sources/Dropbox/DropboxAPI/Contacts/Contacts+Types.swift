// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Contacts {
    public struct DeleteManualContactsArg: StoneValue {
        public var emailAddresses: [String]

        public init(emailAddresses: [String]) {
            self.emailAddresses = emailAddresses
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("email_addresses")
            emailAddresses = try reader.strings(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.strings("email_addresses", emailAddresses)
        }
    }
}

extension Contacts {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DeleteManualContactsError: StoneError {
        case contactsNotFound([String])
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("contacts_not_found")
            switch tag.number {
            case 0: self = .contactsNotFound(try reader.strings(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

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
