// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Collects one response and refuses what breaks the limits; its owner calls it under a lock.
struct ResponseCollector {
    /// What follows from a part of the response.
    enum Verdict {
        /// Go on.
        case accepted
        /// Go on; the reader of a stream can have the header.
        case headComplete
        /// Go on; the task was suspended until its reader has caught up.
        case suspended
        /// Give the call up.
        case refused(TransportError)
    }

    private let limits: BodyLimits
    private let maximumHeaderBytes: Int
    private let destination: BodyDestination
    private let isHeadRequest: Bool
    private var sink = BodyDestination.memory
    private var body: [UInt8] = []
    /// The header, once it is there.
    private(set) var head: HTTPResponse.Head?
    /// Bytes of the body so far, after decompression.
    private(set) var byteCount = 0
    /// The length announced, before decompression.
    private(set) var wireBytes: Int64?

    init(limits: SessionConfiguration, destination: BodyDestination, isHeadRequest: Bool) {
        self.limits = BodyLimits(
            maximumBytes: limits.maximumBodyBytes, maximumRatio: limits.maximumDecompressionRatio)
        maximumHeaderBytes = limits.maximumHeaderBytes
        self.destination = destination
        self.isHeadRequest = isHeadRequest
    }

    /// Takes status and fields and decides where the body goes.
    mutating func receive(_ head: HTTPResponse.Head) -> Verdict {
        if let refusal = head.refusal(maximumBytes: maximumHeaderBytes) { return .refused(refusal) }
        self.head = head
        // bounded: it is compared with the limits before anything is computed
        wireBytes = head.fields["Content-Length"].flatMap { Int64($0) }
        switch destination {
        case .memory: break
        case .reader(let reader):
            sink = .reader(reader)
            return .headComplete
        case .file(let attempt):
            do {
                guard try attempt.receive(head) else { break }
            } catch {
                return .refused(error)
            }
            sink = .file(attempt)
            return .accepted
        }
        return reserve()
    }

    /// Takes a piece of the body.
    mutating func receive(_ bytes: [UInt8]) -> Verdict {
        switch sink {
        case .memory:
            let size = byteCount + bytes.count
            if let reason = limits.refusal(of: size, packedBytes: packedBytes) {
                return .refused(TransportError(.tooLarge, reason, mayHaveReachedServer: true))
            }
            body += bytes
        case .file(let attempt):
            do {
                try attempt.write(bytes)
            } catch {
                return .refused(error)
            }
        case .reader(let reader):
            byteCount += bytes.count
            switch reader.offer(bytes) {
            case .taken, .resume: return .accepted
            case .pause: return .suspended
            case .refuse:
                return .refused(
                    TransportError(.cancelled, "nobody reads the body any more", mayHaveReachedServer: true))
            }
        }
        byteCount += bytes.count
        return .accepted
    }

    /// The whole response, its file moved to its place; `nil` without a header.
    mutating func takeResponse() throws(TransportError) -> HTTPResponse? {
        guard let head else { return nil }
        if case .file(let attempt) = sink { try attempt.finish() }
        defer { clear() }
        return HTTPResponse(head: head, body: body)
    }

    /// Lets go of what was collected.
    mutating func clear() {
        body = []
        sink = .memory
    }

    /// Refuses or makes room for what the header announces.
    private mutating func reserve() -> Verdict {
        guard let head, let wireBytes, !isHeadRequest, head.status != 304, head.status != 204 else { return .accepted }
        let length = Int(clamping: wireBytes)
        if let reason = limits.refusal(of: length) {
            return .refused(TransportError(.tooLarge, reason, mayHaveReachedServer: true))
        }
        // bounded: by the limits
        body.reserveCapacity(limits.reservation(for: length))
        return .accepted
    }

    /// The announced size of a packed body.
    private var packedBytes: Int? {
        head?.fields["Content-Encoding"] == nil ? nil : wireBytes.map { Int(clamping: $0) }
    }
}

/// Who waits for a response and what works for it: the value that makes delivery exactly once.
///
/// The caller, the canceller, the timer and URLSession's callbacks all change it under one lock; each method returns
/// what must be done after the lock is released. A continuation leaves the value in the very transition that hands it
/// out.
struct TransferState<Waiter, Work> {
    typealias Outcome = Result<HTTPResponse, TransportError>

    /// What must be done when a call has ended.
    struct Ending {
        /// The caller to resume, unless it was served before or is still to come.
        var waiter: Waiter?
        /// The task to cancel.
        var work: Work?
    }

    private enum Caller {
        /// The caller is about to be suspended; nobody waits yet.
        case coming
        /// The caller waits for the outcome, or for the header of a stream.
        case waiting(Waiter)
        /// There was an outcome before the caller was suspended; the caller takes it instead of waiting.
        case expected(Outcome)
        /// The caller has what it waited for; nobody waits any more.
        case served
    }

    private enum Phase {
        /// Nothing was sent: the call waits for a connection or for its streamed body to be made.
        case queued
        /// The call waits for the callbacks of its task.
        case running(Work)
        /// Nobody waits for the task any more; late callbacks change nothing.
        case over
    }

    private var caller = Caller.coming
    private var phase = Phase.queued
    /// Whether the request was handed to URLSession: from then on the server may have seen it.
    private(set) var hasLeft = false

    /// Whether nothing more must be sent or taken.
    var isOver: Bool {
        if case .over = phase { return true }
        return false
    }

    /// The caller is about to be suspended; gives an outcome when there is one already.
    mutating func wait(_ waiter: Waiter) -> Outcome? {
        if case .expected(let outcome) = caller {
            caller = .served
            return outcome
        }
        caller = .waiting(waiter)
        return nil
    }

    /// A task was made for the call; `false` when the call is over and the task must not start.
    mutating func begin(_ work: Work) -> Bool {
        guard case .queued = phase else { return false }
        phase = .running(work)
        hasLeft = true
        return true
    }

    /// Gives the caller something before the call is over: the header of a stream.
    mutating func serve(_ outcome: Outcome) -> Waiter? {
        switch caller {
        case .coming:
            caller = .expected(outcome)
            return nil
        case .waiting(let waiter):
            caller = .served
            return waiter
        case .expected, .served:
            return nil
        }
    }

    /// Ends the call; `nil` when another transition was first.
    mutating func end(_ outcome: Outcome) -> Ending? {
        var work: Work?
        switch phase {
        case .over: return nil
        case .running(let running): work = running
        case .queued: break
        }
        phase = .over
        return Ending(waiter: serve(outcome), work: work)
    }

    /// Ends the call with an error that tells truly whether the request had left by then.
    mutating func fail(_ error: TransportError) -> (error: TransportError, ending: Ending)? {
        let error = TransportError(error, mayHaveReachedServer: hasLeft)
        return end(.failure(error)).map { (error, $0) }
    }
}
