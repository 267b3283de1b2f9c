// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A thread for blocking work, which the threads of Swift and Dispatch must not do.
enum WorkerThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// The stack size in bytes, which is small because a server has a thread for each connection.
    private static let stackBytes = 256 * 1024

    /// Runs the body on a new thread, or returns `false` if the system cannot create one.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { unsafe attributes.deallocate() }
        guard unsafe pthread_attr_init(attributes) == 0 else { return false }
        defer { unsafe pthread_attr_destroy(attributes) }
        unsafe pthread_attr_setstacksize(attributes, stackBytes)
        unsafe pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        let context = unsafe Unmanaged.passRetained(Body(body))
        let failure = unsafe create(attributes, context.toOpaque())
        if failure != 0 { unsafe context.release() }
        return failure == 0
    }

    private static func create(
        _ attributes: UnsafePointer<pthread_attr_t>, _ context: UnsafeMutableRawPointer
    ) -> Int32 {
        #if canImport(Darwin)
        var thread: pthread_t?
        return unsafe pthread_create(&thread, attributes, { unsafe WorkerThread.run($0) }, context)
        #else
        var thread: pthread_t = 0
        return unsafe pthread_create(&thread, attributes, { unsafe WorkerThread.run($0) }, context)
        #endif
    }

    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let context = unsafe context { unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
}
