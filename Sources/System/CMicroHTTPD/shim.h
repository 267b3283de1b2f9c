// SPDX-License-Identifier: Apache-2.0
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/socket.h>

/// What `MHD_start_daemon` takes as variadic options, which Swift cannot call.
struct cmhd_options {
    int listen_socket;
    unsigned int threads;
    unsigned int connection_limit;
    size_t connection_memory;
    unsigned int idle_seconds;
};

typedef void *(*cmhd_uri_callback)(void *context, const char *uri, struct MHD_Connection *connection);

/// `MHD_start_daemon` on a bound and listening socket: event loops in their own threads (epoll where there is one),
/// strict parsing, one thread of the pool per core asked for. `context` goes to all call-backs. A certificate and
/// its key, both in PEM or both NULL, are read while the daemon starts. With the socket -1, it serves only the
/// connections of `cmhd_add`.
static inline struct MHD_Daemon *cmhd_start(const struct cmhd_options *options, const char *certificate,
                                            const char *key, MHD_AccessHandlerCallback handler,
                                            cmhd_uri_callback begin, MHD_RequestCompletedCallback end,
                                            MHD_NotifyConnectionCallback notify, void *context) {
    unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_TURBO | MHD_ALLOW_SUSPEND_RESUME;
    struct MHD_OptionItem more[4];
    int count = 0;
    if (options->listen_socket < 0) {
        flags |= MHD_USE_NO_LISTEN_SOCKET;
    } else {
        more[count++] = (struct MHD_OptionItem){MHD_OPTION_LISTEN_SOCKET, options->listen_socket, NULL};
    }
    if (certificate != NULL) {
        flags |= MHD_USE_TLS;
        more[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate};
        more[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key};
    }
    more[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
#if MHD_VERSION >= 0x00097601
    // Strict, without being strict about what a client may not know.
    const enum MHD_OPTION discipline = MHD_OPTION_CLIENT_DISCIPLINE_LVL;
    const int level = 1;
#else
    // The level above only adds a refusal of requests without `Host`, which it writes with its head twice.
    const enum MHD_OPTION discipline = MHD_OPTION_STRICT_FOR_CLIENT;
    const int level = 0;
#endif
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, context, MHD_OPTION_THREAD_POOL_SIZE, options->threads,
        MHD_OPTION_CONNECTION_LIMIT, options->connection_limit, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        options->connection_memory, MHD_OPTION_CONNECTION_MEMORY_INCREMENT, (size_t)16384,
        MHD_OPTION_CONNECTION_TIMEOUT, options->idle_seconds, discipline, level,
        MHD_OPTION_URI_LOG_CALLBACK, begin, context, MHD_OPTION_NOTIFY_COMPLETED, end, context,
        MHD_OPTION_NOTIFY_CONNECTION, notify, context, MHD_OPTION_ARRAY, more, MHD_OPTION_END);
}

/// Serves a connection of this machine, whose socket the daemon closes in any case.
static inline void cmhd_add(struct MHD_Daemon *daemon, int connection) {
    struct sockaddr_in peer = {0};
    socklen_t size = sizeof peer;
    getpeername(connection, (struct sockaddr *)&peer, &size);
    MHD_add_connection(daemon, connection, (struct sockaddr *)&peer, sizeof peer);
}

/// The socket of a connection, or -1; `MHD_get_connection_info` is variadic, which Swift cannot call.
static inline int cmhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// How many descriptors this process may open.
static inline uint64_t cmhd_descriptor_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (uint64_t)limit.rlim_cur : 256;
}
#endif
