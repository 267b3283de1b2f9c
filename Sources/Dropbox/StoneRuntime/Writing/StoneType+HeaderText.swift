// SPDX-License-Identifier: Apache-2.0

public import RestJSON

extension StoneType {
    /// The value as JSON text in printable ASCII, as header fields take it.
    ///
    /// - Throws: `JSONEncodingError` as ``json()``.
    public func headerText() throws(JSONEncodingError) -> String {
        RouteEndpoint<Void, Never>.headerText(try json())
    }
}
