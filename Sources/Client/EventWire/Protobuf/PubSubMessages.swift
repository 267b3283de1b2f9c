// SPDX-License-Identifier: Apache-2.0

/// The messages of the service `eventbus.v1.PubSub` (pubsub_api.proto of the Pub/Sub API).
package enum PubSub {
    package struct TopicRequest: ProtobufMessage {
        package var topicName = ""
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&topicName)
        }
    }

    package struct TopicInfo: ProtobufMessage {
        package var (topicName, tenantGUID, schemaID, rpcID) = ("", "", "", "")
        package var (canPublish, canSubscribe) = (false, false)
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&topicName)
            try visit(&tenantGUID)
            try visit(&canPublish)
            try visit(&canSubscribe)
            try visit(&schemaID)
            try visit(&rpcID)
        }
    }

    package struct SchemaRequest: ProtobufMessage {
        package var schemaID = ""
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&schemaID)
        }
    }

    /// The result of GetSchema, which never changes for a schema id: the JSON text for ``AvroSchema``.
    package struct SchemaInfo: ProtobufMessage {
        package var (schemaJSON, schemaID, rpcID) = ("", "", "")
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&schemaJSON)
            try visit(&schemaID)
            try visit(&rpcID)
        }
    }

    /// An event as a publisher creates it, whose payload is a value of the schema in Avro.
    ///
    /// The service reserves the field 4 for later use.
    package struct ProducerEvent: ProtobufMessage {
        package var (id, schemaID) = ("", "")
        package var payload: [UInt8] = []
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&id)
            try visit(&schemaID)
            try visit(&payload)
        }
    }

    /// An event as a subscriber receives it, with the position after the event, which is opaque.
    package struct ConsumerEvent: ProtobufMessage {
        package var event: ProducerEvent?
        package var replayID: [UInt8] = []
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&event)
            try visit(&replayID)
        }
    }

    /// An error inside a response, which does not end the stream.
    package struct Failure: ProtobufMessage {
        package struct Code: ProtobufEnum {
            package let rawValue: Int32
            package init(rawValue: Int32) { self.rawValue = rawValue }
            package static let unknown = Code(rawValue: 0)
            package static let publish = Code(rawValue: 1)
            /// A position cannot be committed, and committing it again does not help.
            package static let commit = Code(rawValue: 2)
        }

        package var code = Code.unknown
        package var message = ""
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&code)
            try visit(&message)
        }
    }

    /// A request for events on the stream of Subscribe.
    ///
    /// The topic, the preset and the replay id count only in the first request of a stream.
    package struct FetchRequest: ProtobufMessage {
        package struct ReplayPreset: ProtobufEnum {
            package let rawValue: Int32
            package init(rawValue: Int32) { self.rawValue = rawValue }
            package static let latest = ReplayPreset(rawValue: 0)
            package static let earliest = ReplayPreset(rawValue: 1)
            /// After the event of `replayID`.
            package static let custom = ReplayPreset(rawValue: 2)
        }

        package var (topicName, authRefresh) = ("", "")
        package var replayPreset = ReplayPreset.latest
        package var replayID: [UInt8] = []
        /// The number of further events that the subscriber takes, from 1 to 100.
        package var numRequested: Int32 = 0
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&topicName)
            try visit(&replayPreset)
            try visit(&replayID)
            try visit(&numRequested)
            try visit(&authRefresh)
        }
    }

    /// Events on the stream of Subscribe or ManagedSubscribe, or no events as a sign of life.
    package struct FetchResponse: ProtobufMessage {
        package var events: [ConsumerEvent] = []
        /// The position after this response, also if it has no events.
        package var latestReplayID: [UInt8] = []
        package var rpcID = ""
        /// The number of requested events that are still to come.
        package var pendingNumRequested: Int32 = 0
        /// The result of a commit, only on the stream of ManagedSubscribe.
        package var commit: CommitReplayResponse?
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&events)
            try visit(&latestReplayID)
            try visit(&rpcID)
            try visit(&pendingNumRequested)
            try visit(&commit)
        }
    }

    package typealias ManagedFetchResponse = FetchResponse

    package struct PublishRequest: ProtobufMessage {
        package var (topicName, authRefresh) = ("", "")
        package var events: [ProducerEvent] = []
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&topicName)
            try visit(&events)
            try visit(&authRefresh)
        }
    }

    /// The result of publishing one event, with the id of the event as its correlation key.
    package struct PublishResult: ProtobufMessage {
        package var replayID: [UInt8] = []
        package var error: Failure?
        package var correlationKey = ""
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&replayID)
            try visit(&error)
            try visit(&correlationKey)
        }
    }

    /// The results of a request to publish, in the order of its events.
    package struct PublishResponse: ProtobufMessage {
        package var results: [PublishResult] = []
        package var (schemaID, rpcID) = ("", "")
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&results)
            try visit(&schemaID)
            try visit(&rpcID)
        }
    }

    /// A request for events, or a commit, on the stream of ManagedSubscribe.
    package struct ManagedFetchRequest: ProtobufMessage {
        package var (subscriptionID, developerName, authRefresh) = ("", "", "")
        package var numRequested: Int32 = 0
        package var commit: CommitReplayRequest?
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&subscriptionID)
            try visit(&developerName)
            try visit(&numRequested)
            try visit(&authRefresh)
            try visit(&commit)
        }
    }

    package struct CommitReplayRequest: ProtobufMessage {
        package var commitRequestID = ""
        package var replayID: [UInt8] = []
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&commitRequestID)
            try visit(&replayID)
        }
    }

    /// The result of a commit, which may cover several earlier requests.
    package struct CommitReplayResponse: ProtobufMessage {
        package var commitRequestID = ""
        package var replayID: [UInt8] = []
        package var error: Failure?
        /// The time at which the server received the request, in milliseconds since 1970.
        package var processTime: Int64 = 0
        package init() {}
        package mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError) {
            try visit(&commitRequestID)
            try visit(&replayID)
            try visit(&error)
            try visit(&processTime)
        }
    }
}
