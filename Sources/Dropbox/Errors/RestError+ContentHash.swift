// SPDX-License-Identifier: Apache-2.0

public import RestSDK

extension RestError.Code {
    /// Other content arrived than was sent, by its content hash; transfer it again.
    public static let contentHash = RestError.Code(rawValue: "contentHash")
}
