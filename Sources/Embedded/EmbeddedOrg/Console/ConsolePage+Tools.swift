// SPDX-License-Identifier: Apache-2.0

extension ConsolePage {
    /// The second part of the script: objects, the query editor and its results.
    static let tools = #"""
        // MARK: Objects

        let objects = [];

        async function loadObjects() {
          const [list, counts] = await Promise.all([data('/sobjects'), data('/limits/recordCount')]);
          const numbers = new Map(counts.sObjects.map(({ name, count }) => [name, count]));
          objects = list.sobjects.map((one) => ({ ...one, count: numbers.get(one.name) }));
          showObjects();
        }

        function showObjects() {
          const shown = objects.filter((one) => fits(`${one.name} ${one.label}`, $('object-filter').value));
          $('object-list').replaceChildren(...shown.map((one) => make('tr', {},
            make('td', {}, make('button', { type: 'button', onclick: act(() => showObject(one)) }, one.name)),
            make('td', {}, one.label),
            make('td', { className: 'number' }, one.count === undefined ? '' : one.count.toLocaleString()))));
        }

        function typeOf(field) {
          if (field.referenceTo?.length) return `reference to ${field.referenceTo.join(', ')}`;
          return field.length && field.type !== 'id' ? `${field.type}(${field.length})` : field.type;
        }

        async function showObject(object) {
          const described = await data(`/sobjects/${object.name}/describe`);
          const flags = (field) => [
            !field.nillable && field.createable && !field.defaultedOnCreate && 'required', field.unique && 'unique',
            field.externalId && 'external id', field.calculated && 'formula', !field.createable && 'read-only',
            field.relationshipName && `as ${field.relationshipName}`,
          ].filter(Boolean).join(', ');
          const names = described.fields.filter((field) => !['base64', 'address', 'location'].includes(field.type))
            .map((field) => field.name).slice(0, 8);
          const bar = make('div', { className: 'bar' }, make('h2', {}, `${described.label} (${described.name})`));
          if (described.queryable) {
            bar.append(make('button', {
              type: 'button', onclick: act(async () => {
                $('editor').value = `SELECT ${names.join(', ')} FROM ${described.name}`;
                show('query');
                edited();
                await run();
              }),
            }, 'Query records'));
          }
          $('object').replaceChildren(bar, make('div', { className: 'scroll' }, make('table', {},
            make('thead', {}, make('tr', {}, ...['Field', 'Label', 'Type', ''].map((title) => make('th', {}, title)))),
            make('tbody', {}, ...described.fields.map((field) => make('tr', {}, make('td', {}, field.name),
              make('td', {}, field.label), make('td', {}, typeOf(field)), make('td', {}, flags(field))))))));
        }

        $('object-filter').addEventListener('input', showObjects);
        $('refresh').addEventListener('click', act(loadObjects));

        // MARK: The query editor

        const editor = $('editor');
        const completions = { items: [], selected: -1, typed: 0, number: 0 };
        let checking = 0;
        let findings = [];

        /** The offset of a position whose column counts code points, as the resolver does. */
        function offset(text, line, column) {
          const lines = text.split('\n');
          const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
          return start + [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
        }

        function drawFindings() {
          const text = editor.value;
          const parts = [];
          let end = 0;
          for (const finding of findings) {
            const start = offset(text, finding.line, finding.column);
            const length = [...text.slice(start)].slice(0, Math.max(1, finding.length)).join('').length;
            if (start < end) continue;
            parts.push(text.slice(end, start), make('mark', { className: finding.severity },
              text.slice(start, start + length) || ' '));
            end = start + length;
          }
          $('backdrop').replaceChildren(...parts, text.slice(end), '\n');
          $('backdrop').scrollTop = editor.scrollTop;
          $('findings').replaceChildren(...findings.map((finding) => make('li', {
            className: finding.severity === 'error' ? 'bad' : 'warn',
          }, `${finding.line}:${finding.column} ${finding.message}${finding.question ? ` ${finding.question}` : ''}`)));
        }

        /** Checks the text soon after it has changed. Until then, findings of another text are not shown. */
        const edited = act(async () => {
          const number = ++checking;
          findings = [];
          drawFindings();
          await pause(150);
          if (number !== checking) return;
          const found = editor.value.trim() ? (await send('check', { text: editor.value })).findings : [];
          if (number !== checking) return;
          findings = found;
          drawFindings();
        });

        function closeCompletions() {
          completions.number += 1;
          completions.items = [];
          $('completions').hidden = true;
          editor.setAttribute('aria-expanded', 'false');
          editor.removeAttribute('aria-activedescendant');
        }

        /** Moves the list below the cursor, whose place the text behind the editor shows. */
        function placeCompletions() {
          const mark = make('span', {}, '\u200b');
          $('backdrop').replaceChildren(editor.value.slice(0, editor.selectionStart - completions.typed), mark);
          const list = $('completions').style;
          list.left = `${Math.min(mark.offsetLeft, Math.max(0, editor.clientWidth - 280))}px`;
          list.top = `${mark.offsetTop + 24 - editor.scrollTop}px`;
          drawFindings();
        }

        const complete = act(async () => {
          const number = ++completions.number;
          const at = editor.selectionStart;
          const { typed, candidates } = await send('complete', {
            before: editor.value.slice(0, at), after: editor.value.slice(at),
          });
          if (number !== completions.number || at !== editor.selectionStart || !candidates.length) return;
          const word = editor.value.slice(at - typed, at);
          if (candidates.length === 1 && candidates[0].text === word) return closeCompletions();
          Object.assign(completions, { items: candidates, typed });
          $('completions').replaceChildren(...candidates.map((one, index) => make('li', {
            id: `completion-${index}`, role: 'option',
            onmousedown: (event) => { event.preventDefault(); insert(index); },
          }, make('span', {}, one.text), make('small', {}, one.note))));
          $('completions').hidden = false;
          editor.setAttribute('aria-expanded', 'true');
          placeCompletions();
          select(0);
        });

        function select(index) {
          const { items } = completions;
          completions.selected = (index + items.length) % items.length;
          for (const [number, row] of [...$('completions').children].entries()) {
            row.setAttribute('aria-selected', number === completions.selected);
          }
          $('completions').children[completions.selected].scrollIntoView({ block: 'nearest' });
          editor.setAttribute('aria-activedescendant', `completion-${completions.selected}`);
        }

        function insert(index) {
          const { text, suffix } = completions.items[index];
          const end = editor.selectionStart;
          const hasSuffix = suffix && editor.value.slice(end).startsWith(suffix);
          editor.setRangeText(text + (hasSuffix ? '' : suffix), end - completions.typed, end, 'end');
          closeCompletions();
          edited();
        }

        editor.addEventListener('input', (event) => {
          edited();
          closeCompletions();
          if (event.inputType === 'insertText' && /[\w.]/.test(event.data ?? '')) complete();
        });
        editor.addEventListener('scroll', () => { $('backdrop').scrollTop = editor.scrollTop; closeCompletions(); });
        editor.addEventListener('blur', closeCompletions);
        editor.addEventListener('keydown', (event) => {
          const isOpen = !$('completions').hidden;
          const keys = {
            ArrowDown: () => select(completions.selected + 1), ArrowUp: () => select(completions.selected - 1),
            Enter: () => insert(completions.selected), Tab: () => insert(completions.selected), Escape: closeCompletions,
          };
          const hasControl = event.ctrlKey || event.metaKey;
          if (hasControl && event.key === 'Enter') { event.preventDefault(); closeCompletions(); act(run)(); }
          else if (hasControl && event.key === ' ') { event.preventDefault(); complete(); }
          else if (isOpen && !hasControl && !event.shiftKey && keys[event.key]) {
            event.preventDefault();
            keys[event.key]();
          }
        });

        // MARK: Results

        let result = null;

        /** The values of a record by column: parents as `Owner.Name`, children as their page. */
        function cells(record, prefix = '', into = {}) {
          for (const [name, value] of Object.entries(record)) {
            if (name === 'attributes') continue;
            const isParent = value !== null && typeof value === 'object' && !Array.isArray(value) && !value.records;
            if (isParent) cells(value, `${prefix}${name}.`, into);
            else into[prefix + name] = value;
          }
          return into;
        }

        const plain = (value) => value === null || value === undefined ? ''
          : typeof value === 'object' ? JSON.stringify(value) : String(value);

        function addPage(page) {
          const rows = page.records.map((record) => cells(record));
          const known = new Set(result.columns);
          for (const row of rows) for (const name of Object.keys(row)) known.add(name);
          // A parent that is null in some records is shown as empty fields.
          const isParent = (name) => [...known].some((other) => other.startsWith(`${name}.`));
          const columns = [...known].filter((name) => !isParent(name));
          const isSame = columns.join() === result.columns.join();
          result.columns = columns;
          result.rows.push(...rows);
          result.next = page.nextRecordsUrl;
          result.total = page.totalSize;
          if (!isSame) {
            const titles = columns.map((name) => make('th', {}, name));
            $('results').replaceChildren(make('thead', {}, make('tr', {}, ...titles)), make('tbody'));
          }
          $('results').tBodies[0]?.append(...(isSame ? rows : result.rows).map((row) => make('tr', {},
            ...columns.map((name) => cell(row[name])))));
          const time = `${((performance.now() - result.start) / 1000).toFixed(2)} s`;
          const count = `${result.rows.length.toLocaleString()} of ${page.totalSize.toLocaleString()} records`;
          $('result-note').textContent = result.rows.length > page.records.length ? count : `${count}, ${time}`;
          $('export').disabled = result.rows.length === 0;
        }

        function cell(value) {
          if (value === null || value === undefined) return make('td', { className: 'null' }, 'null');
          if (value.records) return make('td', { title: JSON.stringify(value.records) }, `${value.totalSize} records`);
          const text = plain(value);
          return make('td', { className: typeof value === 'number' ? 'number' : '', title: text }, text);
        }

        async function run() {
          $('stop').click();
          const abort = new AbortController();
          result = { abort, columns: [], rows: [], next: null, start: performance.now() };
          $('results').replaceChildren();
          $('result-note').textContent = 'Running…';
          $('stop').disabled = false;
          say('');
          try {
            const text = editor.value.trim().replace(/;$/, '');
            const page = await data(`/query?q=${encodeURIComponent(text)}`, abort.signal);
            if (result.abort === abort) addPage(page);
          } catch (error) {
            if (result.abort === abort) $('result-note').textContent = error.name === 'AbortError' ? 'Stopped.' : '';
            throw error;
          } finally {
            if (result.abort === abort) $('stop').disabled = true;
          }
        }

        /** Loads the next page. One page is loaded at a time. */
        async function next() {
          const current = result;
          if (!current?.next || current.isLoading) return false;
          current.isLoading = true;
          try {
            const page = await data(current.next, current.abort.signal);
            if (current === result) addPage(page);
          } finally {
            current.isLoading = false;
          }
          return current === result;
        }

        /** Pages follow while the end of the table is near the visible part. */
        const watcher = new IntersectionObserver(act(async (entries) => {
          if (!entries.some((entry) => entry.isIntersecting)) return;
          if (await next()) { watcher.unobserve($('more')); watcher.observe($('more')); }
        }), { root: $('grid'), rootMargin: '400px' });
        watcher.observe($('more'));

        const csvField = (text) => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

        /** Loads the remaining pages and saves all records (RFC 4180). */
        async function exportRecords() {
          const current = result;
          $('export').disabled = true;
          try {
            while (current.next && current === result) if (!await next()) await pause(50);
          } finally {
            $('export').disabled = result.rows.length === 0;
          }
          const { columns, rows } = current;
          if (current !== result) throw new Error('Another query ended the export.');
          const lines = [columns, ...rows.map((row) => columns.map((name) => plain(row[name])))];
          const text = lines.map((line) => `${line.map(csvField).join(',')}\r\n`).join('');
          const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
          make('a', { href: url, download: 'records.csv' }).click();
          setTimeout(() => URL.revokeObjectURL(url), 10000);
          say(`Exported ${current.rows.length.toLocaleString()} records.`);
        }

        $('run').addEventListener('click', act(run));
        $('stop').addEventListener('click', () => result?.abort.abort());
        $('export').addEventListener('click', act(exportRecords));

        // MARK: Start

        editor.value = 'SELECT Name, Industry, AnnualRevenue, Owner.Name\nFROM Account\nORDER BY AnnualRevenue DESC';
        edited();
        document.addEventListener('visibilitychange', act(async () => {
          if (!document.hidden) showState(await load('/console/state'));
        }));
        act(async () => {
          showState(await load('/console/state'));
          show(location.hash.slice(1) || 'requests');
          await follow();
        })();
        """#
}
