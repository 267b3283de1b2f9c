// SPDX-License-Identifier: Apache-2.0

import Dropbox

/// A failed call of any route, for people.
protocol CallFailure: Error {
    /// The error that it was or was read from.
    var underlying: RestError { get }
    /// What people are told.
    var words: String { get }
}

extension CallError: CallFailure {
    var underlying: RestError { rest }

    var words: String {
        switch self {
        case .rest(let error): error.words
        case .route(let error, let rest): rest.userMessage?.text ?? Words.of(error)
        }
    }
}

extension PageError: CallFailure {
    private var call: any CallFailure {
        switch self {
        case .first(let error): error
        case .next(let error): error
        }
    }

    var underlying: RestError { call.underlying }
    var words: String { call.words }
}

extension RestError {
    /// What people are told.
    var words: String {
        switch dropbox {
        case .auth(.missingScope(let error)):
            "the app may not do this; give it the scope \(error.requiredScope) at Dropbox and log in again"
        case .auth: "Dropbox refuses the login; run 'boxsync login'"
        default: message
        }
    }
}

enum Words {
    /// What a route's own failure says; what is behind it says more than what is around it.
    static func of(_ error: any Error) -> String {
        switch error {
        case Files.LookupError.notFound: "it is not at Dropbox"
        case Files.LookupError.notFile: "it is no file"
        case Files.LookupError.notFolder: "it is no folder"
        case Files.LookupError.restrictedContent: "Dropbox does not give it out"
        case Files.LookupError.malformedPath, Files.WriteError.malformedPath: "Dropbox takes no such name"
        case Files.WriteError.disallowedName: "Dropbox does not keep files with this name"
        case Files.WriteError.insufficientSpace: "there is no more space at Dropbox"
        case Files.WriteError.noWritePermission: "you may not write there"
        case Files.WriteConflictError.file: "another file is there; --overwrite replaces it"
        case Files.WriteConflictError.folder: "a folder is there"
        case Files.WriteConflictError.fileAncestor: "a file is where its folder would be"
        default: (error as? any CompoundError)?.innerErrors.first.map { of($0) } ?? "\(error)"
        }
    }
}
