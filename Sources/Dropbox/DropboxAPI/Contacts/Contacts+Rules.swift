// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Contacts.DeleteManualContactsArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.each("email_addresses", emailAddresses) { (checks, name, value) throws(ValidationFailure) in try checks.string(name, value, nil, 255, "^['#&A-Za-z0-9._%+-]+@[A-Za-z0-9-][A-Za-z0-9.-]*\\.[A-Za-z]{2,15}$") }
    }
}
