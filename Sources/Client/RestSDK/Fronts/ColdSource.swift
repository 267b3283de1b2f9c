// SPDX-License-Identifier: Apache-2.0

package import RestTransport

/// The elements of cold work, made from the start for each subscriber.
package struct ColdSource<Element: Sendable, Failure: Error>: Sendable {
    /// The name of the task.
    let name: String
    /// Gives elements to the work while it wants them, on its actor, until the last one or an error.
    let produce: @Sendable (ColdWork<Element, Failure>, isolated (any Actor)?) async throws(Failure) -> Void

    /// The elements of a sequence, each of which is asked for when it is requested.
    package init<Elements: AsyncSequence & Sendable>(_ elements: Elements)
    where Elements.Element == Element, Elements.Failure == Failure {
        name = "\(Elements.self)"
        produce = { (work, isolation) async throws(Failure) in
            var iterator = elements.makeAsyncIterator()
            while await work.isWanted(), let element = try await iterator.next(isolation: isolation) {
                work.give(element)
            }
        }
    }

    /// The value of a call.
    package init(_ sending: Sending<Element, Failure>) {
        name = sending.name
        produce = { (work, _) async throws(Failure) in
            work.give(try await sending.outcome(Call.Options()).get())
        }
    }

    /// The progress of a task, then its value.
    ///
    /// The task does not wait for requests. Progress that is not requested is dropped, except for the newest until the
    /// value is there. The value waits for a request, and a failure for none.
    ///
    /// - Parameters:
    ///   - name: the name of the task.
    ///   - progress: makes an element of an update.
    ///   - value: makes an element of the value.
    ///   - task: runs the task and reports its progress.
    package init<Update: Sendable, Value: Sendable>(
        name: String, progress: @escaping @Sendable (Update) -> Element, value: @escaping @Sendable (Value) -> Element,
        of task: @escaping @Sendable (_ report: @escaping @Sendable (Update) -> Void) async throws(Failure) -> Value
    ) {
        self.name = name
        produce = { (work, isolation) async throws(Failure) in
            let (updates, reader) = AsyncStream<Update>.makeStream(bufferingPolicy: .bufferingNewest(1))
            async let outcome: Result<Value, Failure> = {
                defer {
                    reader.finish()
                    work.hurry()
                }
                do throws(Failure) { return .success(try await task { reader.yield($0) }) } catch {
                    return .failure(error)
                }
            }()
            var iterator = updates.makeAsyncIterator()
            while await work.isWanted(), let update = await iterator.next(isolation: isolation) {
                work.give(progress(update))
            }
            let result = try await outcome.get()
            if await work.isWanted(isLast: true) { work.give(value(result)) }
        }
    }

    /// The progress of a call, then its value.
    package init<Value: Sendable>(
        progressOf sending: Sending<Value, Failure>, progress: @escaping @Sendable (TransferProgress) -> Element,
        value: @escaping @Sendable (Value) -> Element
    ) {
        self.init(name: sending.name, progress: progress, value: value) { (report) async throws(Failure) in
            try await sending.outcome(Call.Options(progress: report)).get()
        }
    }
}
