// SPDX-License-Identifier: Apache-2.0

import RestXML

/// The user of a session as SOAP tells it, in the order of the WSDL.
struct SOAPUser {
    let identity: OrgIdentity
    let id: String
    /// The name that the user logs in with.
    let name: String

    var elements: String {
        let members = [
            ("accessibilityMode", "false"), ("chatterExternal", "false"), ("currencySymbol", "$"),
            ("orgAttachmentFileSizeLimit", "\(Blob.mostBytes)"), ("orgDefaultCurrencyIsoCode", "USD"),
            ("orgDefaultCurrencyLocale", "en_US"), ("orgDisallowHtmlAttachments", "false"),
            ("orgHasPersonAccounts", "false"), ("organizationId", identity.organizationID),
            ("organizationMultiCurrency", "false"), ("organizationName", "Embedded Org"),
            ("sessionSecondsValid", "7200"), ("userEmail", name), ("userFullName", name),
            ("userId", id), ("userLanguage", "en_US"), ("userLocale", "en_US"),
            ("userName", name), ("userTimeZone", "GMT"), ("userType", "Standard"),
            ("userUiSkin", "Theme3"),
        ]
        return members.map { XMLText.element($0.0, $0.1) }.joined()
    }
}
