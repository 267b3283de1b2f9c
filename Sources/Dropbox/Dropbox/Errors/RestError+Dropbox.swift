// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
public import RestSDK
import StoneRuntime

extension RestError {
    /// The failure in Dropbox's eight kinds.
    public var dropbox: DropboxFault {
        if code == .refreshFailed { return .auth(.expiredAccessToken) }
        guard let status, !(200..<300).contains(status) else { return .client(code) }
        switch status {
        case 400: return .badInput(String(decoding: body, as: UTF8.self))
        case 401: return .auth(told())
        case 403: return .access(told())
        case 422: return .pathRoot(told())
        case 429: return .rateLimit(told())
        case 500...: return .server(status: status)
        default: return .http(status: status)
        }
    }

    /// The value of the body's member `error`; `nil` when there is none of that type.
    private func told<Value: StoneType>() -> Value? {
        bodyRoot?["error"].flatMap { try? Value(json: $0) }
    }
}

extension CallError {
    /// The error that every failure of a call is or was read from: status, request id, body and all else.
    public var rest: RestError {
        switch self {
        case .route(_, let error), .rest(let error): error
        }
    }
}
