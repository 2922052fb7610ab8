"""The looks of the HTML page: the themes of the app, one column on a phone, two on a desk, ink on paper."""

from __future__ import annotations

STYLE = """
:root {
  color-scheme: light dark;
  --ground: #fbfbfb; --surface: #f2f2f0; --line: #dcdcd8; --text: #23272e; --muted: #575d68;
  --accent: #1d5bb8; --pass: #18662e; --fail: #a8231c; --unsure: #724e00;
  --fail-ground: #fbeeec; --user-ground: #eef3fb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16181b; --surface: #1e2125; --line: #2f343a; --text: #d9dce3; --muted: #949ba8;
    --accent: #7fb0f5; --pass: #7ecb8f; --fail: #f28482; --unsure: #e2b366;
    --fail-ground: #2b1f21; --user-ground: #1b222d;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body {
  margin: 0 auto; max-width: 76rem; padding: 2.5rem 2rem 4rem; background: var(--ground); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, ol, dl, dd, pre { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; }
h2 { font-size: 1.5rem; line-height: 1.3; letter-spacing: -.01em; text-wrap: balance; }
h3 { font-size: .8125rem; font-weight: 600; color: var(--muted); margin-bottom: .75rem; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .18em; }
a:focus-visible, summary:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px;
}
.quiet { color: var(--muted); }
.pass { color: var(--pass); } .fail { color: var(--fail); } .unsure, .failure { color: var(--unsure); }
.skipped { color: var(--muted); }
.words { white-space: pre-wrap; unicode-bidi: plaintext; }
.code, pre { font: .8125rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre { white-space: pre-wrap; unicode-bidi: plaintext; tab-size: 4; }

.contents { margin: 1.5rem 0 0; }
.contents li {
  display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .4rem 0; border-top: 1px solid var(--line);
}
.contents li:last-child { border-bottom: 1px solid var(--line); }
.contents a { flex: 1 1 16rem; text-decoration: none; }
.contents a:hover { text-decoration: underline; }
.contents .marks { display: flex; flex-wrap: wrap; gap: 0 .9rem; font-size: .875rem; }

.session {
  display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.75rem 3.5rem; max-width: 50rem; margin: 0 auto;
}
.session.judged { max-width: none; }
.contents ~ .session { margin: 3.5rem 0 0; padding-top: 2.5rem; border-top: 1px solid var(--line); }
.facts {
  display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem 1rem; margin-top: .9rem;
  font-size: .9375rem; max-width: 46rem;
}
.facts dt { color: var(--muted); }
.findings { font-size: .9375rem; }
.findings li + li { margin-top: 1rem; }
.findings h3 ~ h3, .findings ul + h3 { margin-top: 1.75rem; }
.score { display: flex; gap: .5rem; align-items: baseline; font-weight: 600; }
.score .name { flex: 1; }
.score .value { font-variant-numeric: tabular-nums; white-space: nowrap; }
.mark { flex: none; width: 1.1em; text-align: center; font-weight: 600; }
.bar { height: 3px; margin: .3rem 0 .4rem; background: var(--line); border-radius: 2px; position: relative; }
.bar i { display: block; height: 100%; background: currentColor; border-radius: 2px; }
.bar b { position: absolute; top: -3px; width: 1px; height: 9px; background: var(--muted); }
.reason { color: var(--muted); }

.turns > li { display: grid; grid-template-columns: 2.25rem minmax(0, 1fr); padding: .9rem 0; }
.turns > li + li { border-top: 1px solid var(--line); }
.number {
  color: var(--muted); font-size: .8125rem; line-height: 1.5rem; font-variant-numeric: tabular-nums;
  text-decoration: none;
}
a.number:hover { color: var(--accent); }
.turns > li:target { background: var(--surface); box-shadow: 0 0 0 .5rem var(--surface); }
.who { font-size: .8125rem; line-height: 1.5rem; color: var(--muted); display: flex; gap: .75rem; }
.who b { font-weight: 600; }
.user .who b { color: var(--accent); }
.assistant .who b { color: var(--text); }
.body > * + * { margin-top: .5rem; }
.body > .words { max-width: 44rem; margin-top: .1rem; }
.call { padding: .5rem .75rem; background: var(--surface); border-radius: 4px; max-width: 44rem; }
.call b { font-weight: 600; }
.call pre + pre {
  margin-top: .4rem; padding-top: .4rem; border-top: 1px solid var(--line); color: var(--muted);
}
details, .body > pre { max-width: 44rem; }
header > details { margin-top: .5rem; }
summary { cursor: pointer; color: var(--muted); font-size: .9375rem; }
details > :last-child { margin-top: .5rem; }
.verdicts { font-size: .875rem; max-width: 44rem; }
.verdicts li { display: flex; gap: .4rem; padding: .1rem 0; }
.verdicts li.fail {
  color: inherit; background: var(--fail-ground); border-radius: 4px; padding: .35rem .5rem;
}
.verdicts li.fail + li { margin-top: .25rem; }
.verdicts b { font-weight: 600; }
.words u { text-decoration: underline 2px var(--fail); text-underline-offset: .2em; }
.verdicts .fine { flex-wrap: wrap; gap: 0 1rem; color: var(--muted); }

@media (min-width: 60rem) {
  .session.judged { grid-template-columns: minmax(0, 1fr) 19rem; }
  .judged > header { grid-column: 1 / -1; }
  .judged > .findings { grid-column: 2; grid-row: 2; align-self: start; position: sticky; top: 1.5rem;
    max-height: calc(100vh - 3rem); overflow-y: auto; }
  .judged > .transcript { grid-column: 1; grid-row: 2; }
}
@media (max-width: 36rem) {
  body { padding: 1.5rem 1rem 3rem; }
  h1 { font-size: 1.4rem; } h2 { font-size: 1.25rem; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .facts dd + dt { margin-top: .5rem; }
  .turns > li { grid-template-columns: 1.75rem minmax(0, 1fr); }
}
@media print {
  :root {
    color-scheme: light;
    --ground: #fff; --surface: #f4f4f2; --line: #ccc; --text: #000; --muted: #444;
    --accent: #14407f; --pass: #14532d; --fail: #8a1c16; --unsure: #5f3e00; --fail-ground: #fff;
  }
  body { padding: 0; max-width: none; font-size: 10.5pt; }
  .session, .session.judged { display: block; }
  .session > * + * { margin-top: 1.25rem; }
  .contents ~ .session { break-before: page; border: 0; padding: 0; margin: 0; }
  .judged > .findings { max-height: none; position: static; }
  .who, .call, .verdicts li, .findings li { break-inside: avoid; }
  .who { break-after: avoid; }
  .verdicts li.fail { border: 1px solid var(--fail); }
  .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  details::details-content { content-visibility: visible; block-size: auto; }
  a { color: inherit; text-decoration: none; }
}
""".strip()
