// SPDX-License-Identifier: Apache-2.0
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H
#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

// curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo are variadic, which Swift does not import: one for each.
static inline CURLcode ccurl_set_long(CURL *h, CURLoption o, long v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode ccurl_set_offset(CURL *h, CURLoption o, curl_off_t v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode ccurl_set_string(CURL *h, CURLoption o, const char *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode ccurl_set_pointer(CURL *h, CURLoption o, void *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode ccurl_set_list(CURL *h, CURLoption o, struct curl_slist *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode ccurl_set_blob(CURL *h, CURLoption o, struct curl_blob *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode ccurl_set_address(CURL *h, CURLU *v) { return curl_easy_setopt(h, CURLOPT_CURLU, v); }
static inline CURLcode ccurl_set_data(CURL *h, CURLoption o, curl_write_callback v) {
    return curl_easy_setopt(h, o, v);
}
static inline CURLcode ccurl_set_prereq(CURL *h, curl_prereq_callback v) {
    return curl_easy_setopt(h, CURLOPT_PREREQFUNCTION, v);
}
static inline CURLcode ccurl_set_open(CURL *h, curl_opensocket_callback v) {
    return curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, v);
}
static inline CURLcode ccurl_set_close(CURL *h, curl_closesocket_callback v) {
    return curl_easy_setopt(h, CURLOPT_CLOSESOCKETFUNCTION, v);
}
static inline CURLcode ccurl_get_long(CURL *h, CURLINFO i, long *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode ccurl_get_offset(CURL *h, CURLINFO i, curl_off_t *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode ccurl_get_pointer(CURL *h, CURLINFO i, void **v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode ccurl_get_socket(CURL *h, curl_socket_t *s) {
    return curl_easy_getinfo(h, CURLINFO_ACTIVESOCKET, s);
}
static inline CURLSHcode ccurl_share(CURLSH *s, curl_lock_data v) { return curl_share_setopt(s, CURLSHOPT_SHARE, v); }
static inline CURLMcode ccurl_multi_set_long(CURLM *h, CURLMoption o, long v) { return curl_multi_setopt(h, o, v); }

// The header lines of a transfer: an answer's are handed on together with the blank line that ends them, so that only
// one call-back for each answer is Swift's.
struct ccurl_head {
    char *bytes;
    // Bytes of the answer under way, and the room there is.
    size_t count, capacity;
    // Bytes of the whole transfer, interim answers and trailers included, and the most there may be.
    size_t total, limit;
    // Whether libcurl hands out header lines as if they were body too, and whether the final header is over.
    int is_guarded, is_over;
    // Whether the last piece of a header was not the end of a line, and whether a line began with a blank.
    int is_within_line, is_folded;
    curl_write_callback deliver, deliver_body;
    void *context;
};
// libcurl before 8.1 appends a line that begins with a blank to the last field it keeps. When none came yet in this
// transfer, that is one of the last transfer of the handle, whose memory is freed (its issue 11101). As body each line
// comes before libcurl keeps it: such a line ends the transfer here, which RFC 9112 §5.2 allows.
static inline int ccurl_must_guard(void) { return curl_version_info(CURLVERSION_NOW)->version_num < 0x080100; }
static inline size_t ccurl_take_body(char *bytes, size_t size, size_t count, void *context) {
    struct ccurl_head *h = context;
    if (h->is_over || !h->is_guarded) return h->deliver_body(bytes, size, count, h->context);
    size_t length = size * count;
    if (length == 0) return 0;
    // An answer begins with its status line, or there is no header and this is body.
    if (h->total == 0 && !h->is_within_line && (length < 5 || memcmp(bytes, "HTTP/", 5) != 0))
        return h->deliver_body(bytes, size, count, h->context);
    // A long line comes in pieces.
    h->is_folded = !h->is_within_line && (bytes[0] == ' ' || bytes[0] == '\t');
    h->is_within_line = bytes[length - 1] != '\n';
    return h->is_folded ? 0 : length;
}
static inline size_t ccurl_take_line(char *line, size_t size, size_t count, void *context) {
    struct ccurl_head *h = context;
    size_t length = size * count;
    h->total += length;
    if (h->total > h->limit) return 0;
    if (h->count + length > h->capacity) {
        size_t capacity = 2 * (h->count + length);
        char *bytes = realloc(h->bytes, capacity);
        if (!bytes) return 0;
        h->bytes = bytes;
        h->capacity = capacity;
    }
    memcpy(h->bytes + h->count, line, length);
    h->count += length;
    // libcurl, too, looks at the first byte only.
    if (length == 0 || (line[0] != '\r' && line[0] != '\n')) return length;
    size_t whole = h->count;
    h->count = 0;
    return h->deliver(h->bytes, 1, whole, h->context) == whole ? length : 0;
}

// What libcurl's TLS library is asked about a connection, found in the library that libcurl itself uses; libcurl tells
// nothing of it. Empty functions when it is not OpenSSL nor one that has its interface.
struct ccurl_tls {
    int (*holds_input)(const void *);
    void (*protocol)(const void *, const unsigned char **, unsigned int *);
};
static inline int ccurl_has_openssl(void) {
    static const char *const names[] = {"OpenSSL/", "LibreSSL/", "BoringSSL", "AWS-LC/", "quictls/"};
    const char *name = curl_version_info(CURLVERSION_NOW)->ssl_version;
    // In parentheses stand libraries that are not in use.
    while (name && *name == '(') {
        name = strchr(name, ')');
        if (name) name += 1 + strspn(name + 1, " ");
    }
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0) return 1;
    return 0;
}
// libcurl's own library, by which its TLS library is found; NULL when that is not OpenSSL nor one with its interface.
static inline void *ccurl_open_library(void) {
    if (!ccurl_has_openssl()) return NULL;
    // The search begins at libcurl and goes on with what it is linked with: a host may have another TLS library.
#ifdef __APPLE__
    void *library = dlopen("libcurl.4.dylib", RTLD_LAZY | RTLD_NOLOAD);
#else
    void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_NOLOAD);
#endif
    return library ? library : dlopen(NULL, RTLD_LAZY);
}
static inline struct ccurl_tls ccurl_find_tls(void) {
    struct ccurl_tls t = {NULL, NULL};
    void *library = ccurl_open_library();
    if (!library) return t;
    *(void **)&t.holds_input = dlsym(library, "SSL_has_pending");
    if (!t.holds_input) *(void **)&t.holds_input = dlsym(library, "SSL_pending");
    *(void **)&t.protocol = dlsym(library, "SSL_get0_alpn_selected");
    dlclose(library);
    return t;
}

// Sessions of TLS that outlive their connection. OpenSSL spoils a connection's session when the handshake of TLS 1.3
// ends, or when it is freed without a goodbye, and libcurl 7.88 says none when HTTP/2 ends. So libcurl is given copies
// to keep: of each new session, and of each that a connection is about to resume. libcurl also forbids the tickets of
// TLS 1.2 (RFC 5077), without which only a server with a memory of its own resumes anything.
typedef int (*ccurl_new_session)(void *ssl, void *session);
typedef void (*ccurl_handshake)(const void *ssl, int where, int result);
struct ccurl_sessions {
    void *(*copy)(const void *);
    void (*release)(void *);
    ccurl_new_session (*get)(const void *context);
    void (*set)(void *context, ccurl_new_session);
    uint64_t (*clear)(void *context, uint64_t options);
    void (*listen)(void *context, ccurl_handshake);
    void *(*present)(const void *ssl);
    int (*is_resumable)(const void *session);
    // libcurl's function, the same for every context.
    ccurl_new_session keep;
};
static inline struct ccurl_sessions *ccurl_sessions_found(void) {
    static struct ccurl_sessions s;
    return &s;
}
static inline void ccurl_find_sessions(void) {
    struct ccurl_sessions *s = ccurl_sessions_found();
    void *library = ccurl_open_library();
    if (!library) return;
    *(void **)&s->copy = dlsym(library, "SSL_SESSION_dup");
    *(void **)&s->release = dlsym(library, "SSL_SESSION_free");
    *(void **)&s->get = dlsym(library, "SSL_CTX_sess_get_new_cb");
    *(void **)&s->set = dlsym(library, "SSL_CTX_sess_set_new_cb");
    *(void **)&s->clear = dlsym(library, "SSL_CTX_clear_options");
    *(void **)&s->listen = dlsym(library, "SSL_CTX_set_info_callback");
    *(void **)&s->present = dlsym(library, "SSL_get_session");
    *(void **)&s->is_resumable = dlsym(library, "SSL_SESSION_is_resumable");
    dlclose(library);
}
// OpenSSL's answer 1 means that the session was kept, 0 that the caller may free it.
static inline int ccurl_keep_copy(void *ssl, void *session) {
    struct ccurl_sessions *s = ccurl_sessions_found();
    ccurl_new_session keep = __atomic_load_n(&s->keep, __ATOMIC_ACQUIRE);
    void *copy = keep ? s->copy(session) : NULL;
    if (copy && !keep(ssl, copy)) s->release(copy);
    return 0;
}
static inline void ccurl_note_handshake(const void *ssl, int where, int result) {
    (void)result;
    const int start = 0x10;
    struct ccurl_sessions *s = ccurl_sessions_found();
    void *session = (where & start) ? s->present(ssl) : NULL;
    if (session && s->is_resumable(session)) ccurl_keep_copy((void *)ssl, session);
}
static inline CURLcode ccurl_prepare_context(CURL *h, void *context, void *unused) {
    (void)h, (void)unused;
    const uint64_t no_ticket = 1 << 14;
    struct ccurl_sessions *s = ccurl_sessions_found();
    s->clear(context, no_ticket);
    ccurl_new_session keep = s->get(context);
    if (!keep || keep == ccurl_keep_copy) return CURLE_OK;
    __atomic_store_n(&s->keep, keep, __ATOMIC_RELEASE);
    s->set(context, ccurl_keep_copy);
    s->listen(context, ccurl_note_handshake);
    return CURLE_OK;
}
static inline int ccurl_can_resume(const struct ccurl_sessions *s) {
    return s->copy && s->release && s->get && s->set && s->clear && s->listen && s->present && s->is_resumable;
}
// Lets the connections of a handle resume sessions, and leave sessions to resume.
static inline void ccurl_resume_sessions(CURL *h, CURLSH *sessions) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    curl_easy_setopt(h, CURLOPT_SHARE, sessions);
    pthread_once(&once, ccurl_find_sessions);
    if (!ccurl_can_resume(ccurl_sessions_found())) return;
    curl_easy_setopt(h, CURLOPT_SSL_CTX_FUNCTION, ccurl_prepare_context);
}
static inline CURLcode ccurl_prepare_http2(CURL *h, void *context, void *has_secure_proxy) {
    static const unsigned char name[] = {2, 'h', '2'};
    if (ccurl_can_resume(ccurl_sessions_found())) ccurl_prepare_context(h, context, NULL);
    // The handshake before the response to CONNECT is that with the proxy, which gets HTTP/1.1.
    long status = 0;
    curl_easy_getinfo(h, CURLINFO_HTTP_CONNECTCODE, &status);
    if (has_secure_proxy && status == 0) return CURLE_OK;
    int (*offer)(void *, const unsigned char *, unsigned int) = NULL;
    void *library = ccurl_open_library();
    if (library) {
        *(void **)&offer = dlsym(library, "SSL_CTX_set_alpn_protos");
        dlclose(library);
    }
    return offer && offer(context, name, sizeof name) == 0 ? CURLE_OK : CURLE_SSL_CONNECT_ERROR;
}
// Offers HTTP/2 alone to the server of a handle that only connects. After libcurl's own offer, libcurl would read and
// write the frames itself, so that offer is switched off.
static inline CURLcode ccurl_offer_http2(CURL *h, int has_secure_proxy) {
    curl_easy_setopt(h, CURLOPT_SSL_ENABLE_ALPN, 0L);
    curl_easy_setopt(h, CURLOPT_SSL_CTX_DATA, has_secure_proxy ? h : NULL);
    return curl_easy_setopt(h, CURLOPT_SSL_CTX_FUNCTION, ccurl_prepare_http2);
}
// The TLS session of the connection that a transfer holds at the moment; NULL without one.
static inline void *ccurl_tls_session(CURL *h) {
    struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(h, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info) return NULL;
    return info->backend == CURLSSLBACKEND_OPENSSL ? info->internals : NULL;
}
static inline int ccurl_tls_holds_input(const struct ccurl_tls *t, const void *session) {
    return t->holds_input(session) != 0;
}
static inline int ccurl_tls_speaks_http2(const struct ccurl_tls *t, const void *session) {
    const unsigned char *name = NULL;
    unsigned int length = 0;
    t->protocol(session, &name, &length);
    return length == 2 && memcmp(name, "h2", 2) == 0;
}

// Only http and https; the option by name came with libcurl 7.85.
static inline CURLcode ccurl_restrict_protocols(CURL *h) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(h, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Lets a transfer be removed while its name is still being resolved; without it libcurl (since 7.87) waits for the
// resolver.
static inline void ccurl_abandon_resolver(CURL *h) {
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(h, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)h;
#endif
}

// Starts a detached thread with every signal blocked: the host's handlers never run on it, and a SIGPIPE that a TLS
// library raises by writing to a closed socket stays pending instead of ending the process.
static inline int ccurl_start_thread(void *(*body)(void *), void *context) {
    sigset_t all, old;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int failure = pthread_create(&thread, NULL, body, context);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (failure == 0) pthread_detach(thread);
    return failure;
}

// A socket that programs started by this process do not inherit.
static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *a) {
#ifdef SOCK_CLOEXEC
    return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
#else
    curl_socket_t s = socket(a->family, a->socktype, a->protocol);
    if (s != CURL_SOCKET_BAD) fcntl(s, F_SETFD, FD_CLOEXEC);
    return s;
#endif
}

// Whether an address is this machine's own: 127.0.0.0/8 or ::1.
static inline int ccurl_is_loopback(const struct curl_sockaddr *a) {
    if (a->family == AF_INET) {
        return ntohl(((const struct sockaddr_in *)(const void *)&a->addr)->sin_addr.s_addr) >> 24 == 127;
    }
    return a->family == AF_INET6
        && IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)&a->addr)->sin6_addr);
}

// The port a socket is bound to on this side; -1 when there is none.
static inline int ccurl_local_port(curl_socket_t s) {
    struct sockaddr_storage a;
    socklen_t size = sizeof a;
    if (getsockname(s, (struct sockaddr *)&a, &size) != 0) return -1;
    if (a.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&a)->sin_port);
    return a.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&a)->sin6_port) : -1;
}

// Whether so many bytes at two offsets are the same.
static inline int ccurl_is_equal(const void *bytes, long offset, const void *other, long start, long count) {
    return memcmp((const char *)bytes + offset, (const char *)other + start, (size_t)count) == 0;
}

// What is ready now, without waiting.
static inline int ccurl_poll_now(struct pollfd *p, unsigned count) { return poll(p, count, 0); }
// Whether reading from the socket would not block.
static inline int ccurl_has_input(curl_socket_t s) {
    struct pollfd p = {s, POLLIN, 0};
    return ccurl_poll_now(&p, 1) > 0;
}

static inline int ccurl_close(int fd) { return close(fd); }
#endif
