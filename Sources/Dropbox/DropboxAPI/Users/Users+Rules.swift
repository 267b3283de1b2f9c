// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Users.GetAccountArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("account_id", accountID, 40, 40)
    }
}

extension Users.GetAccountBatchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.list("account_ids", accountIDs, 1)
        try checks.each("account_ids", accountIDs) { (checks, name, value) throws(ValidationFailure) in try checks.string(name, value, 40, 40) }
    }
}
