// SPDX-License-Identifier: Apache-2.0

extension ConsolePage {
    /// The first part of the script: views, requests, events, faults.
    static let start = #"""
        'use strict';

        // MARK: Elements, requests and values

        const $ = (id) => document.getElementById(id);

        /** Makes an element. Text is never read as HTML. */
        function make(name, attributes = {}, ...children) {
          const element = document.createElement(name);
          for (const [key, value] of Object.entries(attributes)) {
            if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
            else if (key in element) element[key] = value;
            else element.setAttribute(key, value);
          }
          element.append(...children);
          return element;
        }

        const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

        function say(text, isBad = false) {
          $('status').textContent = text;
          $('status').className = isBad ? 'bad' : '';
        }

        /** Sends a request and returns its JSON, or throws the message of the org. */
        async function load(path, body, signal) {
          const options = { signal, headers: { 'Sforce-Query-Options': 'batchSize=200' } };
          if (body) {
            Object.assign(options, { method: 'POST', body: JSON.stringify(body) });
            options.headers['Content-Type'] = 'application/json';
          }
          const response = await fetch(path, options);
          if (response.status === 401) throw Object.assign(new Error('This session has ended.'), { hasEnded: true });
          const json = await response.json();
          if (response.ok) return json;
          throw new Error(json[0] ? `${json[0].errorCode}: ${json[0].message}` : `status ${response.status}`);
        }

        const send = (name, body = {}) => load(`/console/${name}`, body);
        const data = (path, signal) =>
          load(`/console${path.startsWith('/services') ? '' : org.api}${path}`, null, signal);

        /** Runs the action of a button, and shows its error. */
        function act(work) {
          return async (event) => {
            try { await work(event); } catch (error) { if (error.name !== 'AbortError') say(error.message, true); }
          };
        }

        const clock = (time) => {
          const date = new Date(time);
          return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
        };

        function pretty(text) {
          try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
        }

        /** Whether a text has all words of a filter, and none with a minus sign. */
        function fits(text, filter) {
          const folded = text.toLowerCase();
          return filter.toLowerCase().split(/\s+/).filter(Boolean).every((word) =>
            word.startsWith('-') && word.length > 1 ? !folded.includes(word.slice(1)) : folded.includes(word));
        }

        let org = { url: '', api: '/services/data/v68.0' };

        // MARK: Views

        const tabs = [...document.querySelectorAll('[role=tab]')];

        function show(name, hasFocus = false) {
          if (!tabs.some((tab) => tab.id === `tab-${name}`)) name = 'requests';
          for (const tab of tabs) {
            const isShown = tab.id === `tab-${name}`;
            tab.setAttribute('aria-selected', isShown);
            tab.tabIndex = isShown ? 0 : -1;
            $(tab.getAttribute('aria-controls')).hidden = !isShown;
            if (isShown && hasFocus) tab.focus();
          }
          history.replaceState(null, '', `#${name}`);
          if (name === 'objects') act(loadObjects)();
        }

        for (const [index, tab] of tabs.entries()) {
          const view = (number) => tabs[(number + tabs.length) % tabs.length].getAttribute('aria-controls');
          tab.addEventListener('click', () => show(view(index)));
          tab.addEventListener('keydown', (event) => {
            const step = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key];
            if (step !== undefined) { event.preventDefault(); show(view(step), true); }
          });
        }

        // MARK: Requests

        const mostRows = 1000;
        const requests = { last: 0, rows: [], isPaused: false };

        const statusClass = (status) => status === undefined || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good';

        function addRequest(entry) {
          const status = entry.status ?? 'cut';
          const took = entry.microseconds < 1e6
            ? `${(entry.microseconds / 1000).toFixed(1)} ms` : `${(entry.microseconds / 1e6).toFixed(2)} s`;
          const details = make('div', { className: 'details' });
          const row = make('li', {}, make('details', {
            ontoggle: act(async (event) => {
              if (event.target.open && !details.firstChild) await fill(details, entry);
            }),
          }, make('summary', {},
            make('span', { className: 'time' }, clock(entry.time)), make('span', {}, entry.method),
            make('span', { className: 'path', title: entry.target }, readable(entry.target)),
            make('span', { className: `number ${statusClass(entry.status)}` }, String(status)),
            make('span', { className: 'number took' }, took)), details));
          const text = `${entry.method} ${readable(entry.target)} ${status} ${String(status)[0]}xx`;
          requests.rows.push({ row, text });
          row.hidden = !fits(text, $('request-filter').value);
          $('request-list').prepend(row);
          if (requests.rows.length > mostRows) requests.rows.shift().row.remove();
        }

        function readable(target) {
          try { return decodeURIComponent(target.replace(/\+/g, ' ')); } catch { return target; }
        }

        async function fill(details, entry) {
          const found = await load(`/console/request?number=${entry.number}`);
          details.append(make('button', {
            type: 'button', onclick: act(async () => {
              await navigator.clipboard.writeText(curl(entry, found.request));
              say('Copied as a curl command. It reads the token from SF_ACCESS_TOKEN.');
            }),
          }, 'Copy as curl'));
          for (const [title, part] of [['Request', found.request], ['Response', found.response]]) {
            if (!part) continue;
            details.append(make('h3', {}, `${title}, ${part.size} bytes`),
              make('pre', {}, part.fields.map(([name, value]) => `${name}: ${value}`).join('\n')));
            if (part.body) details.append(make('pre', {}, pretty(part.body)));
            if (!part.isWhole) details.append(make('p', { className: 'empty' }, 'The rest is long, binary or secret.'));
          }
        }

        const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

        /** A command for a POSIX shell. The token is a variable, because the journal has only its fingerprint. */
        function curl(entry, request) {
          const skipped = [
            'host', 'content-length', 'connection', 'accept-encoding', 'transfer-encoding', 'expect', 'cookie',
          ];
          const words = [`curl -i -X ${quoted(entry.method)} ${quoted(org.url + entry.target)}`];
          for (const [name, value] of request.fields) {
            if (skipped.includes(name.toLowerCase())) continue;
            words.push(name.toLowerCase() === 'authorization'
              ? '-H "Authorization: Bearer $SF_ACCESS_TOKEN"' : `-H ${quoted(`${name}: ${value}`)}`);
          }
          if (request.body) words.push(`--data-binary ${quoted(request.body)}`);
          return words.join(' \\\n  ');
        }

        function filterRequests() {
          for (const { row, text } of requests.rows) row.hidden = !fits(text, $('request-filter').value);
        }

        function clearRequests() {
          for (const { row } of requests.rows) row.remove();
          Object.assign(requests, { rows: [], last: 0 });
        }

        $('request-filter').addEventListener('input', filterRequests);
        $('clear').addEventListener('click', act(async () => { await send('clear'); clearRequests(); }));
        $('pause').addEventListener('click', () => {
          requests.isPaused = !requests.isPaused;
          $('pause').setAttribute('aria-pressed', requests.isPaused);
        });

        // MARK: Events

        let lastEvent = -1;

        function addEvent(event) {
          lastEvent = Number(event.replay);
          $('event-list').prepend(make('li', {}, make('details', {}, make('summary', {},
            make('span', { className: 'time' }, clock(event.time)), make('span', {}, event.replay),
            make('span', {}, event.topic)),
          make('div', { className: 'details' }, make('pre', {}, JSON.stringify(event.payload, null, 2))))));
          while ($('event-list').children.length > mostRows) $('event-list').lastChild.remove();
          $('event-count').textContent = $('event-list').children.length;
        }

        function showSubscribers(list) {
          $('subscribers').hidden = list.length === 0;
          $('subscribers').tBodies[0].replaceChildren(...list.map((one) => make('tr', {},
            make('td', {}, one.kind), make('td', {}, one.name), make('td', {}, one.channel),
            make('td', { className: 'number' }, one.position))));
        }

        /** Shows new requests and events as long as the page is open. */
        async function follow() {
          for (let hasFailed = false; ; await pause(hasFailed ? 1000 : 100)) {
            if (requests.isPaused) continue;
            try {
              const news = await load(`/console/updates?journal=${requests.last}&event=${lastEvent}`);
              if (requests.isPaused) continue;
              // A shorter journal was cleared.
              if (news.count < requests.last) { clearRequests(); continue; }
              news.entries.forEach(addRequest);
              requests.last = news.count;
              $('request-count').textContent = news.count || '';
              $('no-requests').hidden = news.count > 0;
              news.events.forEach(addEvent);
              if (lastEvent < 0) lastEvent = 0;
              showSubscribers(news.subscribers);
              if (hasFailed) say('');
              hasFailed = false;
            } catch (error) {
              say(error.hasEnded ? `${error.message} Open a new link.` : 'The org does not respond.', true);
              if (error.hasEnded) return;
              hasFailed = true;
            }
          }
        }

        // MARK: Faults, tokens and reset

        const faults = [...document.querySelectorAll('[data-fault]')];

        function showState(state) {
          org = state;
          $('where').textContent = `${state.url} · ${state.user}`;
          document.title = `Embedded org · ${state.url.replace(/^https?:\/\//, '')}`;
          for (const button of faults) button.setAttribute('aria-pressed', button.dataset.fault === state.fault);
          if (state.path) $('fault-path').value = state.path;
        }

        async function turn(fault) {
          showState(await send('fault', { fault, path: $('fault-path').value.trim() }));
          say(fault ? 'The fault applies to all matching requests until it is switched off.' : 'Requests have no fault.');
        }

        for (const button of faults) {
          button.addEventListener('click', act(() =>
            turn(button.getAttribute('aria-pressed') === 'true' ? '' : button.dataset.fault)));
        }
        $('fault-path').addEventListener('change', act(async () => { if (org.fault) await turn(org.fault); }));
        $('expire').addEventListener('click', act(async () => {
          await send('expire');
          say('All access tokens have expired. Refresh tokens remain valid.');
        }));
        $('reset').addEventListener('click', () => $('confirm').showModal());
        $('confirm').addEventListener('close', act(async () => {
          if ($('confirm').returnValue !== 'reset') return;
          $('confirm').returnValue = '';
          say('Resetting the records…');
          showState(await send('reset'));
          if (!$('objects').hidden) await loadObjects();
          say('The org has the sample data of a new org.');
        }));
        """#
}
