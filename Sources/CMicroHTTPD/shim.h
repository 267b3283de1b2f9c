// SPDX-License-Identifier: Apache-2.0
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H
#include <microhttpd.h>

/// What `MHD_start_daemon` takes as variadic options, which Swift cannot call.
struct cmhd_options {
    int listen_socket;
    unsigned int threads;
    unsigned int connection_limit;
    unsigned int idle_seconds;
    size_t connection_memory;
};

typedef void *(*cmhd_uri_callback)(void *context, const char *uri, struct MHD_Connection *connection);

/// `MHD_start_daemon` on a bound and listening socket: event loops in their own threads (epoll where there is one),
/// strict parsing, one thread of the pool per core asked for. `context` goes to all three call-backs.
static inline struct MHD_Daemon *cmhd_start(const struct cmhd_options *options, MHD_AccessHandlerCallback handler,
                                            cmhd_uri_callback begin, MHD_RequestCompletedCallback end, void *context) {
    unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_TURBO | MHD_ALLOW_SUSPEND_RESUME;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, context, MHD_OPTION_LISTEN_SOCKET, options->listen_socket,
        MHD_OPTION_THREAD_POOL_SIZE, options->threads, MHD_OPTION_CONNECTION_LIMIT, options->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, options->idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        options->connection_memory, MHD_OPTION_CONNECTION_MEMORY_INCREMENT, (size_t)16384,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, begin, context, MHD_OPTION_NOTIFY_COMPLETED, end,
        context, MHD_OPTION_END);
}

/// The socket of a connection, or -1; `MHD_get_connection_info` is variadic, which Swift cannot call.
static inline int cmhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}
#endif
