// SPDX-License-Identifier: Apache-2.0

extension RestRequest {
    /// The API versions of the org; needs no login.
    ///
    /// The payload is an array.
    public static let versions = RestRequest(
        name: "versions", resource: .serverPath("/services/data"), isAuthorized: false)

    /// The org's limits and what is left of them.
    public static let limits = RestRequest(name: "limits", resource: .data(["limits"]))

    /// The resources of the API version: the payload maps their names to paths.
    public static let resources = RestRequest(name: "resources", resource: .data([]))

    /// The objects of the org.
    public static let objects = RestRequest(name: "objects", resource: .data(["sobjects"]))

    /// What an object can do, and the records of it that the user looked at last.
    public static func object(_ type: String) -> RestRequest {
        RestRequest(name: "object", resource: .data(["sobjects", type])).requiring(type, "type")
    }

    /// The records that the user looked at last, of all objects; the payload is an array.
    ///
    /// - Parameter limit: how many at most, up to 200; the server's own choice when `nil`.
    /// - Returns: the request.
    public static func recent(limit: Int? = nil) -> RestRequest {
        let request = RestRequest(
            name: "recent", resource: .data(["recent"]), query: limit.map { [QueryItem("limit", "\($0)")] } ?? [])
        return limit.map { (1...200).contains($0) } ?? true
            ? request : request.refused("limit", "must be a number from 1 to 200")
    }

    /// Fields, relationships and labels of one object.
    public static func describe(_ type: String) -> RestRequest {
        RestRequest(name: "describe", resource: .data(["sobjects", type, "describe"])).requiring(type, "type")
    }

    /// How a form of an object is laid out (User Interface API).
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - formFactor: `Large`, `Medium` or `Small`; the server chooses for what is `nil`, here and below.
    ///   - layoutType: `Compact` or `Full`.
    ///   - mode: `Create`, `Edit` or `View`.
    ///   - recordTypeID: the id of a record type.
    /// - Returns: the request.
    public static func layout(
        _ type: String, formFactor: String? = nil, layoutType: String? = nil, mode: String? = nil,
        recordTypeID: String? = nil
    ) -> RestRequest {
        let items = [
            ("formFactor", formFactor), ("layoutType", layoutType), ("mode", mode), ("recordTypeId", recordTypeID),
        ]
        return RestRequest(
            name: "layout", resource: .data(["ui-api", "layout", type]),
            query: items.compactMap { name, value in value.map { QueryItem(name, $0) } }
        ).requiring(type, "type")
    }
}

extension RestRequest {
    /// Whose the account's token is (OpenID Connect Core §5.3), asked at the login server.
    public static let userInfo = RestRequest(
        name: "userInfo", resource: .serverPath("/services/oauth2/userinfo"), service: .login)

    /// Turns the account's session into one of a browser; `frontdoor_uri` in the payload is the page to open, once and
    /// soon.
    ///
    /// Whoever has that address is logged in as the user: treat it as a password.
    ///
    /// - Parameter page: the path on the instance that the browser shows then, or the whole URL of a page.
    /// - Returns: the request.
    public static func singleAccess(to page: String) -> RestRequest {
        RestRequest(
            name: "singleAccess", method: .post, resource: .serverPath("/services/oauth2/singleaccess")
        ).form([QueryItem("redirect_uri", page)]).requiring(page, "page")
    }
}
