// SPDX-License-Identifier: Apache-2.0
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#ifdef __APPLE__
#include <netinet/tcp.h>
#endif

/// What `MHD_start_daemon` takes as variadic options, which Swift cannot call.
struct cmhd_options {
    int listen_socket;
    unsigned int threads;
    unsigned int connection_limit;
    size_t connection_memory;
};

typedef void *(*cmhd_uri_callback)(void *context, const char *uri, struct MHD_Connection *connection);

/// `MHD_start_daemon` on a bound and listening socket: event loops in their own threads (epoll where there is one),
/// strict parsing, one thread of the pool per core asked for. `context` goes to all four call-backs. A certificate and
/// its key, both in PEM or both NULL, are read while the daemon starts.
static inline struct MHD_Daemon *cmhd_start(const struct cmhd_options *options, const char *certificate,
                                            const char *key, MHD_AccessHandlerCallback handler,
                                            cmhd_uri_callback begin, MHD_RequestCompletedCallback end,
                                            MHD_NotifyConnectionCallback connection, void *context) {
    unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_TURBO | MHD_ALLOW_SUSPEND_RESUME;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
    if (certificate != NULL) flags |= MHD_USE_TLS;
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
        flags, 0, NULL, NULL, handler, context, MHD_OPTION_LISTEN_SOCKET, options->listen_socket,
        MHD_OPTION_THREAD_POOL_SIZE, options->threads, MHD_OPTION_CONNECTION_LIMIT, options->connection_limit,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->connection_memory, MHD_OPTION_CONNECTION_MEMORY_INCREMENT,
        (size_t)16384, discipline, level, MHD_OPTION_URI_LOG_CALLBACK, begin, context,
        MHD_OPTION_NOTIFY_COMPLETED, end, context, MHD_OPTION_NOTIFY_CONNECTION, connection, context, MHD_OPTION_ARRAY,
        certificate != NULL ? tls : plain, MHD_OPTION_END);
}

/// Whether the library skips what it cannot read in a header instead of refusing it, as it did before 0.9.76: a NUL
/// with all behind it, lines without a name, lines that are folded or end in a lone line feed.
///
/// Then its pointers into the header tell: it leaves everything where it came.
static inline int cmhd_skips_silently(void) { return strcmp(MHD_get_version(), "0.9.76") < 0; }

/// The socket of a connection, or -1; `MHD_get_connection_info` is variadic, which Swift cannot call.
static inline int cmhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// What the connection's call-back has set, or NULL.
static inline void *cmhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/// The bytes that a TCP socket has received since it was opened, read or not; 0 where the system does not tell.
static inline uint64_t cmhd_received(int descriptor) {
#ifdef __APPLE__
    struct tcp_connection_info info;
    socklen_t size = sizeof info;
    return getsockopt(descriptor, IPPROTO_TCP, TCP_CONNECTION_INFO, &info, &size) == 0 ? info.tcpi_rxbytes : 0;
#else
    // `struct tcp_info` of <linux/tcp.h> as far as it is needed here: that header and the C library's exclude each
    // other, and the latter's structure ends before this field.
    struct {
        uint8_t states[8];
        uint32_t counts[24];
        uint64_t pacing_rate, max_pacing_rate, bytes_acked, bytes_received;
    } info;
    socklen_t size = sizeof info;
    int option = 11;  // TCP_INFO
    return getsockopt(descriptor, IPPROTO_TCP, option, &info, &size) == 0 && size == sizeof info ? info.bytes_received
                                                                                                : 0;
#endif
}

/// `send` without waiting and without a signal.
static inline ssize_t cmhd_send(int descriptor, const void *bytes, size_t count) {
#ifdef MSG_NOSIGNAL
    return send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
#else
    return send(descriptor, bytes, count, MSG_DONTWAIT);
#endif
}

/// `recv` without waiting.
static inline ssize_t cmhd_receive(int descriptor, void *bytes, size_t count) {
    return recv(descriptor, bytes, count, MSG_DONTWAIT);
}

/// How many descriptors this process may open.
static inline uint64_t cmhd_descriptor_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (uint64_t)limit.rlim_cur : 256;
}
#endif
