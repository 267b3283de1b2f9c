// SPDX-License-Identifier: Apache-2.0

public import RestSDK

/// A call whose result comes in pages.
///
/// ```swift
/// for try await entry in box.files.listFolder(path: "").elements { print(entry) }
/// ```
public struct PagedCall<Page: Sendable, Element: Sendable, First: Error & Sendable, Next: Error & Sendable>: Sendable {
    /// The call of the first page.
    public let call: RouteCall<Page, First>
    private let following: @Sendable (Page) -> RouteCall<Page, Next>?
    private let list: @Sendable (Page) -> [Element]

    /// Creates a call.
    ///
    /// - Parameters:
    ///   - call: the call of the first page.
    ///   - list: returns the elements of a page.
    ///   - following: returns the call of the page after a page, or `nil` after the last page.
    public init(
        _ call: RouteCall<Page, First>, list: @escaping @Sendable (Page) -> [Element],
        following: @escaping @Sendable (Page) -> RouteCall<Page, Next>?
    ) {
        self.call = call
        self.list = list
        self.following = following
    }

    /// The first page.
    ///
    /// - Throws: `CallError`.
    public var value: Page {
        get async throws(CallError<First>) { try await call.value }
    }

    /// Sends the call of the first page and passes its result to a closure on the caller's actor, once.
    @discardableResult
    public func response(
        priority: TaskPriority? = nil, isolation: isolated (any Actor)? = #isolation,
        completion: @escaping (Result<Page, CallError<First>>) -> Void
    ) -> CallTask<Page, CallError<First>> {
        call.response(priority: priority, isolation: isolation, completion: completion)
    }

    /// The pages in order, each requested after the previous page was consumed.
    public var pages: Pages { Pages(paged: self) }

    /// The elements of all pages, in order.
    public var elements: Elements { Elements(paged: self) }
}

extension PagedCall where Element == Never {
    /// Makes a call whose pages have several lists, so it has no elements.
    public init(
        _ call: RouteCall<Page, First>, following: @escaping @Sendable (Page) -> RouteCall<Page, Next>?
    ) {
        self.init(call, list: { _ in [] }, following: following)
    }
}

/// The error of a paged route, whose first page and later pages have different route errors.
public enum PageError<First: Error & Sendable, Next: Error & Sendable>: Error, Sendable {
    /// The call of the first page failed.
    case first(CallError<First>)
    /// The call of a later page failed.
    case next(CallError<Next>)

    /// The `RestError`, or `nil` for an error of the route.
    public var rest: RestError? {
        switch self {
        case .first(.rest(let error)), .next(.rest(let error)): error
        case .first(.route), .next(.route): nil
        }
    }
}

extension PagedCall {
    /// The pages of a call.
    public struct Pages: AsyncSequence, Sendable {
        /// A page.
        public typealias Element = Page
        /// The error of an iteration.
        public typealias Failure = PageError<First, Next>

        let paged: PagedCall

        /// Starts at the first page.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(paged: paged) }

        /// The iterator of the pages.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private enum State {
                case first
                case next(RouteCall<Page, Next>)
                case over
            }

            let paged: PagedCall
            private var state = State.first
            private var trail = PageTrail()

            init(paged: PagedCall) {
                self.paged = paged
            }

            /// Returns the next page, or `nil` after the last one.
            ///
            /// - Throws: ``PageError``. The iteration is then over.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(Failure) -> Page? {
                let due = state
                state = .over
                let page: Page
                switch due {
                case .over: return nil
                case .first:
                    do throws(CallError<First>) { page = try await paged.call.value } catch { throw .first(error) }
                case .next(let call):
                    do throws(CallError<Next>) { page = try await call.value } catch { throw .next(error) }
                }
                guard let following = paged.following(page) else { return page }
                guard trail.isNew(try? following.request.argumentText()) else {
                    throw .next(
                        .rest(
                            RestError(.decoding, "the pages cannot continue: the server returned the same page again")))
                }
                state = .next(following)
                return page
            }
        }
    }

    /// The elements of all pages of a call.
    public struct Elements: AsyncSequence, Sendable {
        /// The error of an iteration.
        public typealias Failure = PageError<First, Next>

        let paged: PagedCall

        /// Starts at the first element.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(pages: Pages.AsyncIterator(paged: paged), list: paged.list)
        }

        /// The iterator of the elements.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var pages: Pages.AsyncIterator
            private let list: @Sendable (Page) -> [Element]
            private var ready: [Element] = []
            private var given = 0

            init(pages: Pages.AsyncIterator, list: @escaping @Sendable (Page) -> [Element]) {
                self.pages = pages
                self.list = list
            }

            /// Returns the next element, or `nil` after the last page.
            ///
            /// - Throws: ``PageError``. The iteration is then over.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(Failure) -> Element? {
                while given == ready.count {
                    guard let page = try await pages.next(isolation: actor) else { return nil }
                    (ready, given) = (list(page), 0)
                }
                defer { given += 1 }
                return ready[given]
            }
        }
    }
}

/// Detects a cycle of pages in a listing of any length, by Brent's algorithm.
///
/// It keeps the arguments of the last call and of one earlier call, which is replaced after twice as many pages each
/// time. A page that follows itself is detected at once, and a longer cycle after a few rounds.
struct PageTrail {
    private var last: [UInt8]?
    private var earlier: [UInt8]?
    private var count = 0
    private var limit = 1

    /// Notes the argument of the next call.
    ///
    /// - Returns: whether it differs from the arguments that are kept. `nil` is always new.
    mutating func isNew(_ text: [UInt8]?) -> Bool {
        guard let text else { return true }
        guard text != last, text != earlier else { return false }
        last = text
        count += 1
        if count == limit {
            (earlier, count) = (text, 0)
            limit &*= 2
        }
        return true
    }
}
