// SPDX-License-Identifier: Apache-2.0

/// The files of the console, as text in the program, so that `soql` is one file.
enum ConsolePage {
    /// The page, which its script fills.
    static let html = #"""
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Embedded org</title>
        <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle
         cx='8' cy='8' r='7' fill='%230b5cad'/%3E%3C/svg%3E">
        <link rel="stylesheet" href="/console/console.css">
        <script src="/console/console.js" defer></script>
        </head>
        <body>
        <header>
        <h1>Embedded org</h1>
        <p id="where"></p>
        <div role="group" aria-label="Faults of all requests" id="faults">
        <button type="button" data-fault="session" aria-pressed="false"
         title="Every API request gets 401 INVALID_SESSION_ID">Expired session</button>
        <button type="button" data-fault="unavailable" aria-pressed="false"
         title="Every request gets 503 with Retry-After">503</button>
        <button type="button" data-fault="slow" aria-pressed="false"
         title="Every response is delayed by two seconds">Slow</button>
        <button type="button" data-fault="cut" aria-pressed="false"
         title="Every connection is reset before the request is handled">Cut connection</button>
        <button type="button" data-fault="lost" aria-pressed="false"
         title="Every request is handled, and the connection closes without a response">Lost response</button>
        <label>only paths with <input id="fault-path" size="12" spellcheck="false" autocomplete="off"></label>
        </div>
        <button type="button" id="expire" title="Ends all sessions once. Apps can renew them">Expire tokens now</button>
        <button type="button" id="reset">Reset to sample data…</button>
        </header>
        <div role="tablist" aria-label="Views">
        <button role="tab" type="button" id="tab-requests" aria-controls="requests">Requests
        <span id="request-count"></span></button>
        <button role="tab" type="button" id="tab-objects" aria-controls="objects">Objects</button>
        <button role="tab" type="button" id="tab-query" aria-controls="query">Query</button>
        <button role="tab" type="button" id="tab-events" aria-controls="events">Events
        <span id="event-count"></span></button>
        </div>
        <main>
        <section role="tabpanel" id="requests" aria-labelledby="tab-requests" hidden>
        <div class="bar">
        <label>Filter <input id="request-filter" type="search" placeholder="POST /query 4xx -limits"
         spellcheck="false"></label>
        <button type="button" id="pause" aria-pressed="false">Pause</button>
        <button type="button" id="clear">Clear</button>
        </div>
        <p class="empty" id="no-requests">The org has received no requests. Requests appear here as they arrive.</p>
        <ol id="request-list" class="list" aria-label="Requests, newest first"></ol>
        </section>
        <section role="tabpanel" id="objects" aria-labelledby="tab-objects" hidden>
        <div class="split">
        <div>
        <div class="bar"><label>Filter <input id="object-filter" type="search" spellcheck="false"></label>
        <button type="button" id="refresh">Refresh</button></div>
        <div class="scroll"><table><thead><tr><th>Object</th><th>Label</th><th class="number">Records</th></tr></thead>
        <tbody id="object-list"></tbody></table></div>
        </div>
        <div id="object" aria-live="polite"><p class="empty">Choose an object to see its fields.</p></div>
        </div>
        </section>
        <section role="tabpanel" id="query" aria-labelledby="tab-query" hidden>
        <div class="editor">
        <pre id="backdrop" aria-hidden="true"></pre>
        <textarea id="editor" rows="4" spellcheck="false" autocapitalize="off" autocomplete="off" role="combobox"
         aria-label="Query" aria-autocomplete="list" aria-expanded="false" aria-controls="completions"
         aria-describedby="editor-help"></textarea>
        <ul id="completions" role="listbox" aria-label="Completions" hidden></ul>
        </div>
        <ul id="findings" aria-label="Findings" aria-live="polite"></ul>
        <div class="bar">
        <button type="button" id="run" class="main">Run</button>
        <button type="button" id="stop" disabled>Stop</button>
        <button type="button" id="export" disabled>Export as CSV</button>
        <span id="editor-help">Ctrl+Enter runs the query, Ctrl+Space completes.</span>
        <output id="result-note" aria-live="polite"></output>
        </div>
        <div class="scroll" id="grid" tabindex="0" role="region" aria-label="Results"><table id="results"></table>
        <p id="more"></p></div>
        </section>
        <section role="tabpanel" id="events" aria-labelledby="tab-events" hidden>
        <p class="empty">The changes of an object are events from the first subscription to its channel on.</p>
        <table id="subscribers" hidden><caption>Subscribers</caption>
        <thead><tr><th>API</th><th>Name</th><th>Channel</th><th class="number">Position</th></tr></thead>
        <tbody></tbody></table>
        <ol id="event-list" class="list" aria-label="Events, newest first"></ol>
        </section>
        </main>
        <p id="status" role="status"></p>
        <dialog id="confirm" aria-labelledby="confirm-title">
        <h2 id="confirm-title">Reset all records?</h2>
        <p>All records are replaced by the sample data of a new org. Jobs end, and logins remain valid.</p>
        <form method="dialog"><button value="cancel" autofocus>Cancel</button>
        <button value="reset" class="main">Reset</button></form>
        </dialog>
        </body>
        </html>
        """#

    /// The page without a session.
    static let closed = #"""
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>Console of an embedded org</title></head>
        <body><h1>This page needs a new link</h1>
        <p>A link to the console works once, in one browser. Open the URL that <code>soql org start</code> printed,
        or start the org again for a new one.</p></body></html>
        """#

    /// The script in two parts.
    static let script = start + "\n" + tools
}

extension ConsolePage {
    static let style = #"""
        :root {
          color-scheme: light dark;
          --text: light-dark(#1b2430, #e4e8ee);
          --quiet: light-dark(#55606e, #9aa6b5);
          --page: light-dark(#f5f6f8, #14181d);
          --panel: light-dark(#fff, #1c2229);
          --line: light-dark(#d4d9e0, #343c47);
          --accent: light-dark(#0b5cad, #6cb4ff);
          --on-accent: light-dark(#fff, #0d1620);
          --bad: light-dark(#b3261e, #ff8a80);
          --warn: light-dark(#8a5a00, #ffc857);
          --good: light-dark(#1b6e35, #74d992);
          --mono: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html, body { height: 100%; }
        body {
          margin: 0; display: flex; flex-direction: column;
          font: 14px/1.45 system-ui, "DejaVu Sans", sans-serif; color: var(--text); background: var(--page);
        }
        header {
          display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; padding: .6rem 1rem;
          background: var(--panel); border-bottom: 1px solid var(--line);
        }
        h1 { font-size: 1.1rem; margin: 0; }
        h2 { font-size: 1.05rem; margin: 0 0 .5rem; }
        #where { margin: 0 auto 0 0; color: var(--quiet); font-family: var(--mono); font-size: .85em; }
        #faults { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem; }
        #faults label { color: var(--quiet); margin-left: .25rem; }
        button, input, textarea { font: inherit; color: inherit; }
        button {
          padding: .25rem .65rem; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); cursor: pointer;
        }
        button:hover:not(:disabled) { border-color: var(--accent); }
        button:disabled { opacity: .5; cursor: default; }
        button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
        #faults button[aria-pressed=true] { background: var(--bad); border-color: var(--bad); color: var(--on-accent); }
        #pause[aria-pressed=true] { border-color: var(--warn); color: var(--warn); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
        input { padding: .25rem .5rem; border: 1px solid var(--line); border-radius: 6px; background: var(--page); }
        [role=tablist] { display: flex; gap: .25rem; padding: .5rem 1rem 0; }
        [role=tab] { border-bottom: 0; border-radius: 6px 6px 0 0; color: var(--quiet); background: none; }
        [role=tab][aria-selected=true] {
          background: var(--panel); color: var(--text); box-shadow: inset 0 2px var(--accent);
        }
        main { flex: 1; min-height: 0; margin: 0 1rem .5rem; background: var(--panel); border: 1px solid var(--line); }
        section { height: 100%; padding: .75rem; display: flex; flex-direction: column; gap: .5rem; min-height: 0; }
        .bar { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
        .bar span, .empty, output { color: var(--quiet); }
        .bar output { margin-left: auto; }
        #request-filter { width: 22rem; max-width: 60vw; }
        .scroll, .list, #object { overflow: auto; min-height: 0; }
        .scroll, .list { flex: 1; margin: 0; }
        .list { list-style: none; padding: 0; }
        .list li { border-bottom: 1px solid var(--line); }
        summary {
          display: grid; gap: .75rem; padding: .2rem .4rem; cursor: pointer; font-family: var(--mono); font-size: .9em;
          white-space: nowrap; list-style: none;
        }
        #request-list summary { grid-template-columns: 7.5rem 4.5rem minmax(0, 1fr) 4rem 6rem; }
        #event-list summary { grid-template-columns: 7.5rem 6rem minmax(0, 1fr); }
        summary:hover { background: var(--page); }
        summary > * { overflow: hidden; text-overflow: ellipsis; }
        .time { color: var(--quiet); }
        .number { text-align: right; font-variant-numeric: tabular-nums; }
        .bad { color: var(--bad); }
        .warn { color: var(--warn); }
        .good { color: var(--good); }
        .details { padding: .25rem .75rem .75rem 1.25rem; }
        .details h3 { font-size: .9em; margin: .6rem 0 .2rem; }
        pre {
          margin: .2rem 0; padding: .5rem; max-height: 22rem; overflow: auto; font: .85em/1.4 var(--mono);
          background: var(--page); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap;
          overflow-wrap: anywhere;
        }
        table { border-collapse: collapse; width: 100%; }
        caption { text-align: left; font-weight: 600; padding-bottom: .25rem; }
        th, td { text-align: left; padding: .2rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
        th { position: sticky; top: 0; background: var(--panel); font-weight: 600; white-space: nowrap; }
        #results { width: auto; font-size: .93em; }
        #results td { max-width: 28rem; overflow: hidden; text-overflow: ellipsis; white-space: pre; }
        #results td.null { color: var(--quiet); font-style: italic; }
        .split { display: grid; grid-template-columns: minmax(20rem, 2fr) 3fr; gap: 1rem; flex: 1; min-height: 0; }
        .split > div { display: flex; flex-direction: column; gap: .5rem; min-height: 0; }
        td > button { border: 0; background: none; padding: 0; color: var(--accent); text-align: left; }
        .editor { position: relative; }
        #editor, #backdrop {
          display: block; width: 100%; margin: 0; padding: .5rem; border: 1px solid var(--line); border-radius: 6px;
          font: 14px/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: break-word; tab-size: 4;
        }
        #editor { position: relative; background: none; resize: vertical; min-height: 6rem; }
        #backdrop {
          position: absolute; inset: 0; max-height: none; overflow: hidden; color: transparent; background: var(--page);
        }
        mark {
          background: none; color: transparent; text-decoration: underline wavy var(--bad); text-underline-offset: 3px;
        }
        mark.warning { text-decoration-color: var(--warn); }
        #completions {
          position: absolute; z-index: 2; margin: 0; padding: .2rem; list-style: none; max-height: 14rem; min-width: 16rem;
          overflow: auto; background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
          box-shadow: 0 4px 14px #0005; font-family: var(--mono);
        }
        #completions li { display: flex; justify-content: space-between; gap: 2rem; padding: .1rem .5rem; cursor: pointer; }
        #completions li[aria-selected=true] { background: var(--accent); color: var(--on-accent); }
        #completions small { opacity: .75; }
        #findings { margin: 0; padding-left: 1.25rem; }
        #findings:empty { display: none; }
        #status { margin: 0; min-height: 1.5rem; padding: 0 1rem .4rem; color: var(--quiet); }
        dialog { border: 1px solid var(--line); border-radius: 10px; background: var(--panel); color: var(--text); }
        dialog::backdrop { background: #0007; }
        dialog form { display: flex; justify-content: flex-end; gap: .5rem; }
        @media (max-width: 50rem) {
          .split { grid-template-columns: 1fr; overflow: auto; }
          #request-list summary { grid-template-columns: 4rem minmax(0, 1fr) 4rem; }
          #request-list .time, #request-list .took { display: none; }
        }
        """#
}
