// Reading: a session as elements. All that it says is put in as text, never as markup.

const island = JSON.parse(document.getElementById("island").textContent);
const sessions = island.sessions;
const labelled = island.head.kind === "labels";
const byId = (id) => document.getElementById(id);

const SIGNS = { pass: "✓", fail: "✗", unsure: "~", skipped: "–", failure: "!" };
const OUTCOMES = { skipped: "skipped", failure: "not judged" };
const FOLDED_FROM = 280;

function element(name, fields = {}, ...inside) {
  const made = document.createElement(name);
  for (const [field, value] of Object.entries(fields)) {
    if (field in made) made[field] = value;
    else made.setAttribute(field, value);
  }
  made.append(...inside);
  return made;
}

const wordOf = (passed) => (passed === null ? "unsure" : passed ? "pass" : "fail");
const outcomeOf = (score) => (score.outcome === "score" ? wordOf(score.passed) : score.outcome);
const plain = (metric) => metric.replaceAll("_", " ");

function sign(word) {
  return element("span", { className: `sign ${word}`, textContent: SIGNS[word], ariaHidden: "true" });
}

function folded(text, title) {
  const start = text.slice(0, 64).replace(/\s+/g, " ").trim();
  const words = title || `${start}… (${text.length.toLocaleString("en")} characters)`;
  return element("details", {},
    element("summary", { textContent: words }),
    element("pre", { textContent: text, className: "searched" }));
}

function fixed(text) {
  if (text.length >= FOLDED_FROM) return folded(text);
  return element("pre", { textContent: text, className: "searched" });
}

function elapsed(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const minutes = Math.floor(seconds / 60);
  return minutes ? `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}` : `${seconds.toFixed(1)} s`;
}

// The elements of a message. `answered`: what tools gave stands in messages of their own.
function turnItem(event, { answered, onFailsHere }) {
  // Hidden until its moment comes, so that nothing is laid out for nothing.
  const item = element("li", { className: event.role, id: `message-${event.position}`, tabIndex: -1, hidden: true });
  const who = element("div", { className: "who" });
  if (event.number) who.append(element("span", { textContent: `turn ${event.number}` }));
  who.append(element("b", { textContent: event.role }));
  if (event.name) who.append(element("span", { textContent: event.name, dir: "auto" }));
  if (event.at !== null) who.append(element("span", { textContent: elapsed(event.at) }));
  if (event.told) who.append(element("span", { textContent: event.told }));
  if (event.interrupted) who.append(element("span", { textContent: "cut short", className: "unsure" }));
  if (event.remark) who.append(element("span", { textContent: event.remark, className: "unsure" }));
  if (onFailsHere && event.number) {
    const button = element("button", { type: "button", textContent: "fails here" });
    button.setAttribute("aria-label", `It first fails at turn ${event.number}`);
    button.addEventListener("click", () => onFailsHere(event));
    who.append(button);
  }
  item.append(who);
  for (const thought of event.reasoning) item.append(folded(thought, "reasoning"));
  if (event.content.trim()) {
    item.append(event.number
      ? element("div", { className: "words searched", dir: "auto", textContent: event.content })
      : fixed(event.content));
  } else if (!event.tools_called.length) {
    item.append(element("p", { className: "quiet", textContent: "no words" }));
  }
  for (const file of event.files) item.append(element("p", { className: "quiet", textContent: `+ ${file}` }));
  for (const call of event.tools_called) item.append(callBlock(call, answered));
  if (event.passages.length) {
    const held = element("details", {}, element("summary", { textContent: `${event.passages.length} retrieved` }));
    for (const passage of event.passages) {
      held.append(element("p", { className: "words call searched", dir: "auto", textContent: passage }));
    }
    item.append(held);
  }
  item.append(element("ul", { className: "verdicts", ariaLabel: "Verdicts" }));
  return item;
}

function callBlock(call, answered) {
  const given = ["{}", ""].includes(call.arguments) ? "" : ` ${call.arguments}`;
  const block = element("div", { className: "call" },
    element("pre", { className: "searched", textContent: `▸ ${call.name}${given}` }));
  if (call.output !== null && !answered) block.append(fixed(call.output));
  return block;
}

// One outcome with its reason and its evidence: the verdicts, each leading to its turn.
function scoreItem(score, { cameLater, onTurn, calls }) {
  const word = outcomeOf(score);
  const value = score.score === null ? OUTCOMES[score.outcome] || "" : score.score.toFixed(2);
  const exchange = score.exchange ? ` (exchange ${score.exchange})` : "";
  const head = element("div", { className: "score" }, sign(word),
    element("span", { className: "metric", textContent: plain(score.metric) + exchange }),
    element("span", { className: word, textContent: value }));
  const item = element("li", {}, head);
  if (score.outcome === "score") {
    const limit = score.threshold === null ? "" : `, threshold ${score.threshold.toFixed(2)}`;
    const judge = score.judge ? `, judged by ${score.judge}` : "";
    item.append(element("p", { className: "quiet", textContent: `${word}${limit}${judge}` }));
  }
  if (cameLater) item.append(element("p", { className: "came-later", textContent: "found later" }));
  if (score.reason) item.append(element("p", { className: "reason searched", dir: "auto", textContent: score.reason }));
  const told = score.verdicts.filter((verdict) => verdict.passed !== true);
  if (told.length) {
    item.append(element("ul", { className: "verdicts" }, ...told.map((verdict) => verdictItem(verdict, "", onTurn))));
  }
  const fine = score.verdicts.length - told.length;
  if (fine) item.append(element("p", { className: "quiet", textContent: `${fine} of ${score.verdicts.length} verdicts passed` }));
  if (calls) item.append(calls);
  return item;
}

// What the judge was asked and answered for a score, folded; nothing where no call is in the page.
function callsOf(session, place) {
  const numbers = session.asked?.scores[place];
  if (!numbers) return null;
  const { calls, texts } = session.asked;
  const count = numbers.length;
  const held = element("div", { className: "asked" });
  numbers.forEach((number, at) => {
    const of = count > 1 ? ` ${at + 1} of ${count}` : "";
    if (number === null) {
      held.append(element("p", { className: "quiet", textContent: `call${of}: not kept any more` }));
      return;
    }
    const call = calls[number];
    held.append(element("details", {},
      element("summary", { textContent: `asked and answered${of}: ${call.model}` }),
      element("h4", { textContent: "Reply" }), askedText(call.reply || "(empty)"),
      ...call.sent.flatMap(([role, text]) => [
        element("h4", { textContent: `Sent as ${role}`, dir: "auto" }), askedText(texts[text])])));
  });
  return held;
}

function askedText(text) {
  return element("pre", { textContent: text, className: "searched", dir: "auto" });
}

// All texts that stand behind a score, to be searched.
function behind(session, place) {
  const { reason, verdicts } = session.events[place];
  const told = verdicts.flatMap((verdict) => [verdict.about, verdict.reason || verdict.word]);
  const numbers = (session.asked?.scores[place] ?? []).filter((number) => number !== null);
  const calls = numbers.map((number) => session.asked.calls[number]);
  const asked = calls.flatMap((call) => [call.reply, ...call.sent.map(([, text]) => session.asked.texts[text])]);
  return [reason, ...told, ...asked].filter(Boolean);
}

function verdictItem(verdict, metric, onTurn) {
  const word = wordOf(verdict.passed);
  const about = verdict.about ? `«${verdict.about}» ` : "";
  const text = element("span", { dir: "auto" });
  if (metric) text.append(element("b", { textContent: `${plain(metric)} ` }));
  if (verdict.turn && onTurn) {
    const link = element("button", { type: "button", className: "to-turn", textContent: `turn ${verdict.turn}` });
    link.addEventListener("click", () => onTurn(verdict.turn));
    text.append(link, " ");
  }
  text.append(element("span", { className: "searched", textContent: `${about}${verdict.reason || verdict.word}` }));
  if (verdict.quote && verdict.quote.text !== verdict.about) {
    const words = element("q", { className: "evidence", dir: "auto", textContent: verdict.quote.text });
    text.append(" ", words, verdict.gone ? ` (no longer in turn ${verdict.quote.turn}, which was changed since)` : "");
  }
  return element("li", {}, sign(word), element("span", { className: "skip", textContent: word }), text);
}

// What was found about one turn: what failed or is unsure with its reason, and the names of what passed.
function foundItems(found) {
  const told = found.filter(({ verdict }) => verdict.passed !== true);
  const fine = [...new Set(found.filter(({ verdict }) => verdict.passed).map(({ metric }) => plain(metric)))];
  const items = told.map(({ verdict, metric }) => verdictItem(verdict, metric));
  if (fine.length) {
    items.push(element("li", {}, sign("pass"), element("span", { className: "skip", textContent: "pass" }),
      element("span", { className: "quiet", textContent: fine.join(", ") })));
  }
  return items;
}

function labelItem(label) {
  const word = { pass: "pass", fail: "fail", defer: "unsure" }[label.label] || "skipped";
  const about = label.metric ? `${plain(label.metric)}: ` : "";
  const place = label.turn ? `, turn ${label.turn}` : "";
  const from = label.came_from ? ` (says ${label.came_from})` : "";
  const item = element("li", {}, element("div", { className: "score" }, sign(word),
    element("span", { className: "metric", textContent: `${about}${label.label || "taken back"} by ${label.author}${from}${place}` })));
  if (label.note) item.append(element("p", { className: "reason", dir: "auto", textContent: label.note }));
  return item;
}

function modeItem(mode) {
  const item = element("li", {}, element("div", { className: "score" }, sign("fail"),
    element("span", { className: "metric", dir: "auto", textContent: mode.told })));
  if (mode.definition) item.append(element("p", { className: "quiet", dir: "auto", textContent: mode.definition }));
  return item;
}
