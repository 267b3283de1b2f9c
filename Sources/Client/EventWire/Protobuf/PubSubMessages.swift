// SPDX-License-Identifier: Apache-2.0

/// The messages of the service `eventbus.v1.PubSub` (pubsub_api.proto of the Pub/Sub API).
package enum PubSub {}

extension PubSub {
    /// The argument of GetTopic.
    package struct TopicRequest: ProtobufMessage {
        package var topicName = ""
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &topicName)
        }
    }

    /// The result of GetTopic.
    package struct TopicInfo: ProtobufMessage {
        package var topicName = ""
        package var tenantGUID = ""
        package var canPublish = false
        package var canSubscribe = false
        package var schemaID = ""
        package var rpcID = ""
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &topicName)
            try visitor.visit(2, &tenantGUID)
            try visitor.visit(3, &canPublish)
            try visitor.visit(4, &canSubscribe)
            try visitor.visit(5, &schemaID)
            try visitor.visit(6, &rpcID)
        }
    }

    /// The argument of GetSchema.
    package struct SchemaRequest: ProtobufMessage {
        package var schemaID = ""
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &schemaID)
        }
    }

    /// The result of GetSchema, which never changes for a schema id.
    package struct SchemaInfo: ProtobufMessage {
        /// The JSON text for ``AvroSchema``.
        package var schemaJSON = ""
        package var schemaID = ""
        package var rpcID = ""
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &schemaJSON)
            try visitor.visit(2, &schemaID)
            try visitor.visit(3, &rpcID)
        }
    }
}

extension PubSub {
    /// A header of an event, which the service reserves for later use.
    package struct EventHeader: ProtobufMessage {
        package var key = ""
        package var value: [UInt8] = []
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &key)
            try visitor.visit(2, &value)
        }
    }

    /// An event as a publisher creates it.
    package struct ProducerEvent: ProtobufMessage {
        package var id = ""
        package var schemaID = ""
        /// A value of the schema in Avro.
        package var payload: [UInt8] = []
        package var headers: [EventHeader] = []
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &id)
            try visitor.visit(2, &schemaID)
            try visitor.visit(3, &payload)
            try visitor.visit(4, &headers)
        }
    }

    /// An event as a subscriber receives it.
    package struct ConsumerEvent: ProtobufMessage {
        package var event: ProducerEvent?
        /// The position after the event, which is opaque.
        package var replayID: [UInt8] = []
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &event)
            try visitor.visit(2, &replayID)
        }
    }

    /// An error inside a response, which does not end the stream.
    package struct Failure: ProtobufMessage {
        /// The kind of error.
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
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &code)
            try visitor.visit(2, &message)
        }
    }
}

extension PubSub {
    /// A request for events on the stream of Subscribe.
    package struct FetchRequest: ProtobufMessage {
        /// The start of a subscription.
        package struct ReplayPreset: ProtobufEnum {
            package let rawValue: Int32
            package init(rawValue: Int32) { self.rawValue = rawValue }
            package static let latest = ReplayPreset(rawValue: 0)
            package static let earliest = ReplayPreset(rawValue: 1)
            /// After the event of `replayID`.
            package static let custom = ReplayPreset(rawValue: 2)
        }

        /// The topic, which counts only in the first request of a stream, as do the preset and the replay id.
        package var topicName = ""
        package var replayPreset = ReplayPreset.latest
        package var replayID: [UInt8] = []
        /// The number of further events that the subscriber takes, from 1 to 100.
        package var numRequested: Int32 = 0
        package var authRefresh = ""
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &topicName)
            try visitor.visit(2, &replayPreset)
            try visitor.visit(3, &replayID)
            try visitor.visit(4, &numRequested)
            try visitor.visit(5, &authRefresh)
        }
    }

    /// Events on the stream of Subscribe, or no events as a sign of life.
    package struct FetchResponse: ProtobufMessage {
        package var events: [ConsumerEvent] = []
        /// The position after this response, also if it has no events.
        package var latestReplayID: [UInt8] = []
        package var rpcID = ""
        /// The number of requested events that are still to come.
        package var pendingNumRequested: Int32 = 0
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &events)
            try visitor.visit(2, &latestReplayID)
            try visitor.visit(3, &rpcID)
            try visitor.visit(4, &pendingNumRequested)
        }
    }

    /// Events to publish.
    package struct PublishRequest: ProtobufMessage {
        package var topicName = ""
        package var events: [ProducerEvent] = []
        package var authRefresh = ""
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &topicName)
            try visitor.visit(2, &events)
            try visitor.visit(3, &authRefresh)
        }
    }

    /// The result of publishing one event.
    package struct PublishResult: ProtobufMessage {
        package var replayID: [UInt8] = []
        package var error: Failure?
        /// The id of the published event.
        package var correlationKey = ""
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &replayID)
            try visitor.visit(2, &error)
            try visitor.visit(3, &correlationKey)
        }
    }

    /// The results of a request to publish, in the order of its events.
    package struct PublishResponse: ProtobufMessage {
        package var results: [PublishResult] = []
        package var schemaID = ""
        package var rpcID = ""
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &results)
            try visitor.visit(2, &schemaID)
            try visitor.visit(3, &rpcID)
        }
    }
}

extension PubSub {
    /// A request for events, or a commit, on the stream of ManagedSubscribe.
    package struct ManagedFetchRequest: ProtobufMessage {
        package var subscriptionID = ""
        package var developerName = ""
        package var numRequested: Int32 = 0
        package var authRefresh = ""
        package var commit: CommitReplayRequest?
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &subscriptionID)
            try visitor.visit(2, &developerName)
            try visitor.visit(3, &numRequested)
            try visitor.visit(4, &authRefresh)
            try visitor.visit(5, &commit)
        }
    }

    /// Events, or the result of a commit, on the stream of ManagedSubscribe.
    package struct ManagedFetchResponse: ProtobufMessage {
        package var events: [ConsumerEvent] = []
        package var latestReplayID: [UInt8] = []
        package var rpcID = ""
        package var pendingNumRequested: Int32 = 0
        package var commit: CommitReplayResponse?
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &events)
            try visitor.visit(2, &latestReplayID)
            try visitor.visit(3, &rpcID)
            try visitor.visit(4, &pendingNumRequested)
            try visitor.visit(5, &commit)
        }
    }

    /// A position to commit.
    package struct CommitReplayRequest: ProtobufMessage {
        package var commitRequestID = ""
        package var replayID: [UInt8] = []
        package init() {}
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &commitRequestID)
            try visitor.visit(2, &replayID)
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
        package mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError) {
            try visitor.visit(1, &commitRequestID)
            try visitor.visit(2, &replayID)
            try visitor.visit(3, &error)
            try visitor.visit(4, &processTime)
        }
    }
}
