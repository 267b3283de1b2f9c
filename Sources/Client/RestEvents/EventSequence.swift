// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestModels
public import RestSDK

extension RestClient {
    /// Returns the events of channels, in order, as they arrive.
    ///
    /// ```swift
    /// for try await event in client.events("/event/Order_Placed__e", from: .latest) {
    ///     print(event["OrderNumber__c"]?.string ?? "")
    /// }
    /// ```
    /// Nothing is sent until the sequence is read. It ends with an error only, and connects again on its own. If the
    /// reader is slow, the server keeps the events. Subscriptions of a client share connections. Each iterator is a
    /// subscription of its own.
    ///
    /// - Parameters:
    ///   - channels: the channels: `/event/Name__e`, `/data/AccountChangeEvent`, `/topic/Name`, `/u/Name`.
    ///   - start: the position at which to begin, for channels without a stored position.
    ///   - subscription: the name and the store of the positions, or `nil` to store none.
    ///   - options: the settings.
    /// - Returns: the events.
    public func events(
        _ channels: String..., from start: EventStart = .latest, as subscription: EventSubscription? = nil,
        options: EventOptions = EventOptions()
    ) -> EventSequence<ReceivedEvent> {
        events(channels, from: start, as: subscription, options: options)
    }

    /// Returns the events of a list of channels, as ``events(_:from:as:options:)`` does.
    public func events(
        _ channels: [String], from start: EventStart = .latest, as subscription: EventSubscription? = nil,
        options: EventOptions = EventOptions()
    ) -> EventSequence<ReceivedEvent> {
        EventSequence(EventSource(self, options.wire), channels, start, subscription, options) { $0 }
    }

    /// Returns the changes of a model's records (Change Data Capture), in order, as they arrive.
    ///
    /// ```swift
    /// for try await change in client.changeEvents(of: Account.self) {
    ///     if let phone = change.changed[\.phone] { print(change.recordIDs, phone) }
    /// }
    /// ```
    /// Change Data Capture must be enabled for the object in the org. See ``events(_:from:as:options:)``.
    ///
    /// - Parameters:
    ///   - model: the model of the object.
    ///   - start: the position at which to begin, if there is no stored position.
    ///   - subscription: the name and the store of the position, or `nil` to store none.
    ///   - options: the settings.
    /// - Returns: the changes. A gap or an overflow is a change whose ``ChangeEvent/needsReading`` is true.
    public func changeEvents<Model: RecordModel>(
        of model: Model.Type, from start: EventStart = .latest, as subscription: EventSubscription? = nil,
        options: EventOptions = EventOptions()
    ) -> EventSequence<ChangeEvent<Model>> {
        let channel = ChangeEvent<Model>.channel
        return EventSequence(EventSource(self, options.wire), [channel], start, subscription, options) {
            (event) throws(EventError) in
            guard let change = ChangeEvent<Model>(event) else {
                throw EventError(.response, "an event is not a change of \(Model.objectName)", channel: event.channel)
            }
            return change
        }
    }
}

extension ChangeEvent {
    /// The channel of the object's changes: `/data/AccountChangeEvent` or `/data/Name__ChangeEvent`.
    public static var channel: String {
        if let name = Model.objectName.removing(suffix: "__c") { return "/data/\(name)__ChangeEvent" }
        return "/data/\(Model.objectName)ChangeEvent"
    }
}

/// The events of a subscription, in order, without end.
public struct EventSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// The error type of the sequence.
    public typealias Failure = EventError

    private let source: EventSource
    /// The channels.
    public let channels: [String]
    private let start: EventStart
    private let subscription: EventSubscription?
    private let options: EventOptions
    private let read: @Sendable (ReceivedEvent) throws(EventError) -> Element

    init(
        _ source: EventSource, _ channels: [String], _ start: EventStart, _ subscription: EventSubscription?,
        _ options: EventOptions, read: @escaping @Sendable (ReceivedEvent) throws(EventError) -> Element
    ) {
        (self.source, self.channels, self.start, self.read) = (source, channels, start, read)
        (self.subscription, self.options) = (subscription, options)
    }

    /// Makes an iterator, which is a subscription of its own and ends when it is released.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(EventReader(channels, from: start, subscription, options, source), read: read)
    }

    /// Returns event after event.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Ends the subscription with the iterator, even while the connection delivers events to the reader.
        private final class Owner: Sendable {
            let reader: EventReader

            init(_ reader: EventReader) { self.reader = reader }

            deinit { reader.release() }
        }

        private let owner: Owner
        private let read: @Sendable (ReceivedEvent) throws(EventError) -> Element

        init(_ reader: EventReader, read: @escaping @Sendable (ReceivedEvent) throws(EventError) -> Element) {
            (owner, self.read) = (Owner(reader), read)
        }

        /// Waits for the next event.
        ///
        /// If the subscription has a store, the position of the event before is stored first.
        ///
        /// - Throws: ``EventError``, with which the subscription ends. Then `nil` is returned.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(EventError) -> Element? {
            while let item = try await owner.reader.next() {
                if case .event(let event) = item { return try element(of: event) }
            }
            return nil
        }

        fileprivate func element(of event: ReceivedEvent) throws(EventError) -> Element {
            do throws(EventError) { return try read(event) } catch {
                owner.reader.release()
                throw error
            }
        }
    }
}

extension EventSequence.AsyncIterator {
    enum Item {
        case element(Element)
        case status(EventStatus)
    }

    /// Returns the next event or status, in order.
    mutating func nextItem(isolation actor: isolated (any Actor)? = #isolation) async throws(EventError) -> Item? {
        switch try await owner.reader.next() {
        case .event(let event): .element(try element(of: event))
        case .status(let status): .status(status)
        case nil: nil
        }
    }
}
