// SPDX-License-Identifier: Apache-2.0

import RestJSON

extension RestClient {
    /// What the org tells of an object.
    ///
    /// An ``ObjectDescription/Catalog`` asks for each object once.
    ///
    /// - Parameter type: the object's name.
    /// - Returns: the description.
    /// - Throws: ``RestError``; ``RestError/Code/notFound`` for a name that is no object's.
    public func describe(_ type: String) async throws(RestError) -> ObjectDescription {
        try await content(of: .describe(type)) { (response) throws(RestError) in try ObjectDescription(response) }
    }

    /// The objects of the org, each in a few words.
    ///
    /// - Returns: the objects, in the server's order.
    /// - Throws: ``RestError``.
    public func describeObjects() async throws(RestError) -> [ObjectDescription.Summary] {
        try await content(of: .objects) { (response) throws(RestError) in
            try [ObjectDescription.Summary](objectsIn: response)
        }
    }
}

extension ObjectDescription {
    /// Reads an answer.
    init(_ response: RestResponse) throws(RestError) {
        guard let json = response.payload.dictionary else { throw RestError(notAnAnswerTo: "describe", response) }
        do throws(RestError) {
            try self.init(json)
        } catch {
            throw RestError(.decoding, error.message, response: response.head, body: response.body)
        }
    }
}

extension [ObjectDescription.Summary] {
    /// Reads the list of all objects.
    init(objectsIn response: RestResponse) throws(RestError) {
        guard let json = response.payload.dictionary, json["sobjects"]?.array != nil else {
            throw RestError(notAnAnswerTo: "list of objects", response)
        }
        do throws(RestError) {
            self = try JSONValue(json).list("sobjects", ObjectDescription.Summary.init)
        } catch {
            throw RestError(.decoding, error.message, response: response.head, body: response.body)
        }
    }
}
