// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension FileRequests.CreateFileRequestArgs: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("title", title, 1)
        try checks.string("destination", destination, nil, nil, "/(.|[\\r\\n])*")
    }
}

extension FileRequests.DeleteFileRequestArgs: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.each("ids", ids) { (checks, name, value) throws(ValidationFailure) in try checks.string(name, value, 1, nil, "[-_0-9a-zA-Z]+") }
    }
}

extension FileRequests.GetFileRequestArgs: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("id", id, 1, nil, "[-_0-9a-zA-Z]+")
    }
}

extension FileRequests.UpdateFileRequestArgs: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("id", id, 1, nil, "[-_0-9a-zA-Z]+")
        try checks.string("title", title, 1)
        try checks.string("destination", destination, nil, nil, "/(.|[\\r\\n])*")
    }
}
