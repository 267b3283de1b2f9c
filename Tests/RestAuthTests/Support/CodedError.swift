// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestAuth

protocol CodedError: Error {
    associatedtype Code: Equatable
    var code: Code { get }
}

extension OAuthError: CodedError {}
extension Credential.StoreError: CodedError {}
extension AccountManager.Error: CodedError {}

@discardableResult
func expect<Failure: CodedError>(
    _ type: Failure.Type, _ code: Failure.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Any
) async -> Failure? {
    let error = await #expect(throws: type, sourceLocation: sourceLocation) { _ = try await body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    return error
}

@discardableResult
func expect<Failure: CodedError>(
    _ type: Failure.Type, _ code: Failure.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> some Any
) -> Failure? {
    let error = #expect(throws: type, sourceLocation: sourceLocation) { _ = try body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    return error
}
