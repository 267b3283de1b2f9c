// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// The state of the loop thread, which no other thread uses.
///
/// Each turn delivers the responses that have arrived, starts new transfers, ends those that are late, and sleeps until
/// a socket, a timer or a caller wakes it. Responses come first, so that their callers can prepare the next requests
/// while the new transfers are sent.
@safe struct LoopThread: ~Copyable {
    /// The time for which large buffers are kept for another request, in milliseconds.
    private static let bufferPatience: Int32 = 1000
    /// The maximum sleep after a connection was freed while a transfer waits for one, in milliseconds.
    ///
    /// libcurl 7.88 can lose the timer of such a transfer, which it would then start only at the next event.
    private static let forgottenPatience = 1

    private let loop: TransferLoop
    private let multi: UnsafeMutableRawPointer
    private var owner: MultiHandle?
    private var active: [EasyHandle] = []
    private var idle: [EasyHandle] = []
    private var messages: [TransferLoop.Message] = []
    private var finished: [(Transfer, Result<HTTPResponse, TransportError>)] = []
    private let shortestTimeout: Duration?
    private let connections: ConnectionTable
    private let buffers = BodyBufferPool()
    private let turn = LoopTurn()
    private var watch = DeadlineWatch()
    private var lines: OriginLines
    /// Whether a transfer was added to libcurl since it last ran.
    private var hasBegun = false
    private var hasInput = false

    init(loop: TransferLoop, multi: MultiHandle) {
        self.loop = loop
        shortestTimeout = [loop.configuration.firstByteTimeout, loop.configuration.idleTimeout].compactMap(\.self).min()
        unsafe self.multi = multi.raw
        owner = multi
        connections = multi.connections
        lines = OriginLines(connections: loop.configuration.maximumConnectionsPerHost)
    }

    /// Runs until the loop is stopped.
    mutating func run() {
        var isStopping = false
        while !isStopping {
            turn.begin()
            var hasEnded = hasInput && advance()
            isStopping = loop.collect(into: &messages)
            connections.lookAtIdle(for: messages.count, in: turn)
            for message in messages {
                handle(message)
            }
            if !hasInput || !messages.isEmpty || hasBegun { hasEnded = advance() || hasEnded }
            expireLate()
            hasInput = awaitWork(hasEnded: hasEnded)
        }
        endAll()
    }

    /// Runs libcurl and returns whether a transfer has ended.
    private mutating func advance() -> Bool {
        var running: Int32 = 0
        hasBegun = false
        unsafe curl_multi_perform(multi, &running)
        while let line = turn.widened.popLast() { admit(line) }
        return deliverFinished()
    }

    /// Sleeps until there is work, and returns whether a socket is ready.
    private mutating func awaitWork(hasEnded: Bool) -> Bool {
        guard !hasBegun, loop.fallAsleep() else { return isReady(within: 0) }
        let mayBeForgotten = hasEnded && active.contains { !$0.hasLeft }
        return sleep(atMost: mayBeForgotten ? Self.forgottenPatience : DeadlineWatch.longestSleep)
    }

    private mutating func sleep(atMost most: Int) -> Bool {
        let isIdle = active.isEmpty && !buffers.isEmpty
        let limit = min(watch.sleepMilliseconds(), Int32(most))
        let hasInput = isReady(within: isIdle ? min(limit, Self.bufferPatience) : limit)
        if isIdle, !loop.hasMessages { buffers.clear() }
        return hasInput
    }

    /// Whether a socket is ready, or becomes ready within the timeout or until a wake-up.
    private func isReady(within milliseconds: Int32) -> Bool {
        var ready: Int32 = 0
        unsafe curl_multi_poll(multi, nil, 0, milliseconds, &ready)
        return ready > 0
    }

    private mutating func handle(_ message: TransferLoop.Message) {
        switch message {
        case .start(let transfer):
            start(transfer)
        case .cancel(let transfer):
            guard let handle = unsafe transfer.handle else {
                return lines.line(to: transfer.request.url.origin).noteEnd()
            }
            release(handle)
        case .resume(let transfer):
            guard let handle = unsafe transfer.handle else { return }
            handle.isPaused = false
            handle.lastActivity = turn.start
            // This call delivers the paused bytes. If the receiver rejects them, the transfer must be finished here, or
            // its caller would wait for ever.
            let result = unsafe curl_easy_pause(handle.raw, CURLPAUSE_CONT)
            guard result != CURLE_OK else { return }
            finished.append((transfer, handle.outcome(of: result)))
            release(handle)
        }
    }

    private mutating func freeHandle() throws(TransportError) -> EasyHandle {
        if let handle = idle.popLast() { return handle }
        guard let owner else {
            throw TransportError(.shutDown, "the transport was shut down", mayHaveReachedServer: false)
        }
        return try EasyHandle(configuration: loop.configuration, buffers: buffers, multi: owner, turn: turn)
    }

    private mutating func start(_ transfer: Transfer) {
        guard !transfer.isOver else { return }
        watch.add(transfer.deadline)
        let line = lines.line(to: transfer.request.url.origin)
        if line.enter(transfer) { begin(transfer, in: line) }
    }

    private mutating func admit(_ line: OriginLine) {
        while let transfer = line.next() { begin(transfer, in: line) }
    }

    /// Adds a transfer to libcurl, which keeps its slot in the queue until it is released.
    private mutating func begin(_ transfer: Transfer, in line: OriginLine) {
        do throws(TransportError) {
            let handle = try freeHandle()
            try add(handle, for: transfer)
            handle.line = line
        } catch {
            line.leave()
            transfer.finish(.failure(error))
        }
    }

    private mutating func add(_ handle: EasyHandle, for transfer: Transfer) throws(TransportError) {
        do throws(TransportError) {
            try handle.prepare(for: transfer)
            try owner?.add(handle)
        } catch {
            handle.clear()
            throw error
        }
        hasBegun = true
        unsafe transfer.handle = handle
        handle.position = active.count
        active.append(handle)
        if let limit = shortestTimeout { watch.add(turn.start + limit) }
    }

    /// Delivers all complete responses, and returns whether a transfer has ended.
    ///
    /// All are collected before the first caller is resumed, so that one wake-up of a worker thread can serve many
    /// callers.
    private mutating func deliverFinished() -> Bool {
        var left: Int32 = 0
        var hasEnded = false
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let raw = unsafe message.pointee.easy_handle,
                let handle = unsafe EasyHandle.owner(of: raw), let transfer = handle.transfer
            else { continue }
            hasEnded = true
            if handle.isConnectionUnclean {
                repeatElsewhere(handle, for: transfer)
                continue
            }
            finished.append((transfer, handle.outcome(of: unsafe message.pointee.data.result)))
            release(handle)
        }
        // Removed one by one in order of arrival, because iterating would copy each.
        finished.reverse()
        while let (transfer, outcome) = finished.popLast() {
            transfer.finish(outcome)
        }
        return hasEnded
    }

    /// Restarts a transfer that found no trusted connection.
    private mutating func repeatElsewhere(_ handle: EasyHandle, for transfer: Transfer) {
        handle.prepareForFreshConnection()
        owner?.remove(handle)
        do throws(TransportError) {
            try owner?.add(handle)
        } catch {
            finished.append((transfer, .failure(error)))
            release(handle)
        }
    }

    private mutating func expireLate() {
        let now = ContinuousClock.now
        guard watch.isDue(at: now) else { return }
        for handle in active {
            guard let transfer = handle.transfer else { continue }
            switch handle.lateness(of: transfer, at: now) {
            case .none(let next): watch.add(next)
            case .late(let reason):
                release(handle)
                transfer.fail(.timedOut, reason)
            }
        }
        for transfer in lines.take(where: { $0.deadline <= now }) {
            transfer.fail(.timedOut, "the deadline passed before a connection was free")
        }
        if let next = lines.firstDeadline { watch.add(next) }
    }

    /// Removes a handle from libcurl, which closes the connection of an incomplete transfer.
    private mutating func release(_ handle: EasyHandle) {
        handle.reportMetrics()
        owner?.remove(handle)
        forget(handle)
        unsafe handle.transfer?.handle = nil
        let isReusable = handle.isReusable
        let line = handle.line
        handle.clear()
        if isReusable, idle.count < loop.configuration.maximumConnections { idle.append(handle) }
        guard let line else { return }
        line.leave()
        admit(line)
    }

    /// Removes a handle from the active ones and moves the last one to its index.
    private mutating func forget(_ handle: EasyHandle) {
        guard let last = active.popLast(), last !== handle else { return }
        last.position = handle.position
        active[handle.position] = last
    }

    private mutating func endAll() {
        for transfer in lines.take(where: { _ in true }) {
            transfer.fail(.shutDown, "the transport was shut down")
        }
        for handle in active {
            let transfer = handle.transfer
            release(handle)
            transfer?.fail(.shutDown, "the transport was shut down")
        }
        idle = []
        owner = nil
        loop.close()
    }
}
