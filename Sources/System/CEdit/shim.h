// SPDX-License-Identifier: Apache-2.0
#ifndef CEDIT_SHIM_H
#define CEDIT_SHIM_H
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>

// el_set, el_get and history are variadic, which Swift does not import: one function for each use.
static inline EditLine *cedit_open(const char *name) { return el_init(name, stdin, stdout, stderr); }
static inline void cedit_set_context(EditLine *e, void *v) { el_set(e, EL_CLIENTDATA, v); }
static inline void *cedit_context(EditLine *e) {
    void *v = NULL;
    el_get(e, EL_CLIENTDATA, &v);
    return v;
}
// Text of the prompt between two bytes 1 takes no columns.
static inline void cedit_set_prompt(EditLine *e, char *(*f)(EditLine *)) { el_set(e, EL_PROMPT_ESC, f, '\1'); }
static inline void cedit_set_reader(EditLine *e, int (*f)(EditLine *, wchar_t *)) { el_set(e, EL_GETCFN, f); }
static inline void cedit_set_editor(EditLine *e, const char *name) { el_set(e, EL_EDITOR, name); }
static inline void cedit_add(EditLine *e, const char *name, const char *help, unsigned char (*f)(EditLine *, int)) {
    el_set(e, EL_ADDFN, name, help, f);
}
static inline void cedit_bind(EditLine *e, const char *key, const char *name) {
    el_set(e, EL_BIND, key, name, (char *)NULL);
}
static inline void cedit_prepare_terminal(EditLine *e, int is_raw) { el_set(e, EL_PREP_TERM, is_raw); }
static inline void cedit_refresh(EditLine *e) { el_set(e, EL_REFRESH); }
// While a line is edited, no key is a signal or stops the output.
static inline void cedit_leave_signals(EditLine *e) { el_set(e, EL_SETTY, "-d", "-isig", "-ixon", (char *)NULL); }
static inline int cedit_columns(EditLine *e) {
    int columns = 0;
    return el_get(e, EL_GETTC, "co", &columns) == 0 ? columns : 0;
}
static inline int cedit_rows(EditLine *e) {
    int rows = 0;
    return el_get(e, EL_GETTC, "li", &rows) == 0 ? rows : 0;
}
static inline void cedit_use_history(EditLine *e, History *h) { el_set(e, EL_HIST, history, h); }
static inline void cedit_history_size(History *h, int size) {
    HistEvent event;
    history(h, &event, H_SETSIZE, size);
}
static inline void cedit_history_add(History *h, const char *line) {
    HistEvent event;
    history(h, &event, H_ENTER, line);
}
static inline void cedit_history_clear(History *h) {
    HistEvent event;
    history(h, &event, H_CLEAR);
}

// The code of characters is UTF-8, whatever the environment says: the command reads and writes nothing else.
static inline void cedit_use_utf8(void) {
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0) return;
    if (!setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "en_US.UTF-8");
}
#endif
