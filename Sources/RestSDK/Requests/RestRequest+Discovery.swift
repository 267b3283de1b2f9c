// SPDX-License-Identifier: Apache-2.0

extension RestRequest {
    /// The API versions of the org; needs no login.
    ///
    /// The payload is an array.
    public static let versions = RestRequest(
        name: "versions", resource: .serverPath("/services/data"), isAuthorized: false)

    /// The org's limits and what is left of them.
    public static let limits = RestRequest(name: "limits", resource: .data(["limits"]))

    /// The objects of the org.
    public static let objects = RestRequest(name: "objects", resource: .data(["sobjects"]))

    /// Fields, relationships and labels of one object.
    public static func describe(_ type: String) -> RestRequest {
        RestRequest(name: "describe", resource: .data(["sobjects", type, "describe"])).requiring(type, "type")
    }
}
