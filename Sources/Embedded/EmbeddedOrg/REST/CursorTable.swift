// SPDX-License-Identifier: Apache-2.0

/// The cursors of all callers and the limits they keep, as a value without I/O.
///
/// A caller over a limit loses its oldest cursors. When all callers together are over the limit, the caller with the
/// most loses them. A cursor that is not read ends after its lifetime.
package struct CursorTable: Sendable {
    /// How much is kept.
    package struct Limits: Sendable {
        /// The cursors of one caller, and their size in bytes.
        package var (mostOfCaller, sizeOfCaller) = (5_000, 16 << 20)
        /// The cursors of all, and their size.
        package var (most, size) = (20_000, 24 << 20)

        package init() {}
    }

    private struct Entry: Sendable {
        let cursor: CursorStore.Cursor
        let caller: String
        let size: Int
        var lastUse: ContinuousClock.Instant
    }

    private struct Caller: Sendable {
        /// Its locators from the oldest on; those that have ended are passed over.
        var order: [String] = []
        var head = 0
        var (count, size) = (0, 0)
    }

    private let limits: Limits
    private let lifetime: Duration
    private var entries: [String: Entry] = [:]
    private var callers: [String: Caller] = [:]

    package init(limits: Limits = Limits(), lifetime: Duration) {
        self.limits = limits
        self.lifetime = lifetime
    }

    package var count: Int { entries.count }
    /// The memory that all cursors take together.
    package var size: Int { callers.values.reduce(0) { $0 + $1.size } }

    /// Keeps a cursor, unless the locator is known already; `false` when it alone is over the limit.
    package mutating func add(
        _ cursor: CursorStore.Cursor, as locator: String, of name: String, now: ContinuousClock.Instant
    ) -> Bool {
        let size = cursor.size
        guard size <= limits.sizeOfCaller else { return false }
        guard entries[locator] == nil else { return true }
        entries[locator] = Entry(cursor: cursor, caller: name, size: size, lastUse: now)
        var caller = callers[name] ?? Caller()
        caller.order.append(locator)
        caller.count += 1
        caller.size += size
        callers[name] = caller
        dropExpired(of: name, now)
        while let caller = callers[name], caller.count > limits.mostOfCaller || caller.size > limits.sizeOfCaller {
            dropOldest(of: name)
        }
        while entries.count > limits.most || self.size > limits.size,
            let heaviest = callers.max(by: { $0.value.size < $1.value.size })?.key
        {
            dropOldest(of: heaviest)
        }
        return true
    }

    /// The cursor of a locator, if that caller made it and it has not ended; it lives on from now.
    package mutating func cursor(
        _ locator: String, of caller: String, now: ContinuousClock.Instant
    ) -> CursorStore.Cursor? {
        guard let entry = entries[locator], entry.caller == caller else { return nil }
        guard now < entry.lastUse + lifetime else {
            remove(locator)
            return nil
        }
        entries[locator]?.lastUse = now
        return entry.cursor
    }

    mutating func removeAll() {
        entries.removeAll()
        callers.removeAll()
    }

    /// Drops a caller's cursors that have ended, from the oldest up to one that has not.
    private mutating func dropExpired(of name: String, _ now: ContinuousClock.Instant) {
        while let locator = oldest(of: name), let entry = entries[locator], now >= entry.lastUse + lifetime {
            remove(locator)
        }
    }

    private mutating func dropOldest(of name: String) {
        guard let locator = oldest(of: name) else {
            callers[name] = nil
            return
        }
        remove(locator)
    }

    private mutating func oldest(of name: String) -> String? {
        guard var caller = callers[name] else { return nil }
        while caller.head < caller.order.count, entries[caller.order[caller.head]] == nil { caller.head += 1 }
        let locator = caller.head < caller.order.count ? caller.order[caller.head] : nil
        if caller.head > 1_000, caller.head * 2 > caller.order.count {
            caller.order.removeFirst(caller.head)
            caller.head = 0
        }
        callers[name] = caller
        return locator
    }

    private mutating func remove(_ locator: String) {
        guard let entry = entries.removeValue(forKey: locator) else { return }
        callers[entry.caller]?.count -= 1
        callers[entry.caller]?.size -= entry.size
        if callers[entry.caller]?.count == 0 { callers[entry.caller] = nil }
    }
}
