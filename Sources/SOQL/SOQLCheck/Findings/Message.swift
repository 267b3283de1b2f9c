// SPDX-License-Identifier: Apache-2.0

/// The platform's longer messages.
enum Message {
    static func unknownObject(_ name: String) -> String {
        """
        sObject type '\(name)' is not supported. If you are attempting to use a custom object, be sure to append the \
        '__c' after the entity name. Please reference your WSDL or the describe call for the appropriate names.
        """
    }

    static func unknownField(_ name: String, of entity: String) -> String {
        """
        No such column '\(name)' on entity '\(entity)'. If you are attempting to use a custom field, be sure to append \
        the '__c' after the custom field name. Please reference your WSDL or the describe call for the appropriate names.
        """
    }

    static func unknownRelationship(_ name: String, in place: String) -> String {
        """
        Didn't understand relationship '\(name)' in \(place). If you are attempting to use a custom relationship, be \
        sure to append the '__r' after the custom relationship name. Please reference your WSDL or the describe call \
        for the appropriate names.
        """
    }

    static func wrongType(_ field: String, _ kind: ValueKind) -> String {
        """
        value of filter criterion for field '\(field)' must be of type \(kind.name) and \
        \(kind.isQuoted ? "should" : "should not") be enclosed in quotes
        """
    }
}
