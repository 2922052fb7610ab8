// Start: the page as a whole: which session is open, what its keys and buttons do, and the search.

const all = sessions.map(() => null);
const player = new Player(() => show());
const labels = labelled ? new Labels() : null;
const form = labelled
  ? new LabelForm(labels, { onChange: showProgress, onNext: nextOpen })
  : null;
const PACES = [0.25, 0.5, 1, 2, 4, 8, 16];
let at = 0;
let items = [];
let scoredAs = "";
let hits = [];
let hit = -1;
let marked = [];
// What stands behind scores, by session and event: made once, so that it stays open from turn to turn.
const opened = new Map();

const sessionAt = (place) => (all[place] ??= replayed(sessions[place]));

// Which session

function open(place, shown) {
  at = place;
  const session = sessionAt(place);
  byId("name").textContent = session.name;
  byId("role").textContent = session.events[0].chatbot_role;
  byId("about").hidden = !session.about.length;
  byId("about").querySelector("dl").replaceChildren(...session.about.flatMap(([title, text]) => [
    element("dt", { textContent: title }), element("dd", { textContent: text, dir: "auto" })]));
  const turns = session.events.filter((event) => event.event === "turn");
  const answered = turns.some((event) => event.role === "tool");
  const onFailsHere = form ? (event) => form.failsAt(event) : null;
  items = turns.map((event) => turnItem(event, { answered, onFailsHere }));
  byId("turns").replaceChildren(...items);
  byId("moment").max = session.events.length;
  byId("turn").max = session.last;
  scoredAs = "";
  drawMarks();
  if (form) form.show(session);
  // Who labels reads the whole; who replays begins with the first turn.
  player.open(session, shown ?? (labelled ? session.events.length : undefined));
  byId("transcript").scrollTop = 0;
  scrollTo(0, 0);
  showProgress();
}

function drawMarks() {
  const session = sessionAt(at);
  const cells = Math.max(10, Math.floor((byId("marks").clientWidth || 600) / 12));
  const last = Math.max(1, session.events.length - 1);
  byId("marks").replaceChildren(...marksOf(session, cells).map((mark) => {
    const made = element("span", { textContent: mark.sign });
    made.style.left = `${(100 * mark.place) / last}%`;
    return made;
  }));
}

function listSessions() {
  if (sessions.length < 2) return;
  byId("sessions").hidden = false;
  byId("session-list").replaceChildren(...sessions.map((session, place) => {
    const button = element("button", { type: "button" },
      element("span", { className: "sign", ariaHidden: "true" }), element("span", { textContent: session.name, dir: "auto" }));
    button.addEventListener("click", () => open(place));
    return element("li", {}, button);
  }));
}

function showProgress() {
  const buttons = byId("session-list").querySelectorAll("button");
  buttons.forEach((button, place) => {
    button.setAttribute("aria-current", String(place === at));
    if (!labelled) return;
    const said = labels.get(sessions[place]);
    button.firstChild.textContent = LABEL_SIGN[said.label] ?? (labels.says(sessions[place]) ? "✎" : "·");
    button.title = said.label ?? "no label yet";
  });
  if (!labelled) return;
  byId("progress").textContent = labels.progress();
}

// Go to the next session without a label; once there is none, to the next that was put off.
function nextOpen() {
  const order = sessions.map((_, place) => (at + 1 + place) % sessions.length);
  const says = (place, label) => labels.get(sessions[place]).label === label;
  const next = order.find((place) => says(place, null)) ?? order.find((place) => place !== at && says(place, "defer"));
  if (next !== undefined) open(next);
  else if (says(at, "defer")) form.tell("Only this one is left, put off. Decide it, or save a file to hand it back.");
  else form.tell("All are labelled. Save a file to hand it back.");
}

function goSession(by) {
  if (at + by >= 0 && at + by < sessions.length) open(at + by);
}

// This moment

function show() {
  const { session, shown } = player;
  const seen = session.events.slice(0, shown);
  const seenTurns = seen.filter((event) => event.event === "turn").length;
  items.forEach((item, place) => {
    if (item.hidden !== (place >= seenTurns)) item.hidden = place >= seenTurns;
  });
  const now = session.events[shown - 1];
  document.querySelector("#turns > .here")?.classList.remove("here");
  if (now.event === "turn") {
    items[seenTurns - 1].classList.add("here");
    items[seenTurns - 1].scrollIntoView({ block: "nearest" });
  }
  const to_come = session.last - player.turn;
  byId("after").textContent = to_come ? `${to_come} ${to_come === 1 ? "turn" : "turns"} to come` : "";
  const words = momentWords(session, shown);
  if (byId("now").textContent !== words) byId("now").textContent = words;
  byId("moment").value = shown;
  byId("moment").setAttribute("aria-valuetext", `turn ${player.turn} of ${session.last}, ${words.slice(0, 60)}`);
  if (document.activeElement !== byId("turn")) byId("turn").value = player.turn;
  byId("play").textContent = player.playing ? "Pause" : "Play";
  byId("play").setAttribute("aria-pressed", String(player.playing));
  if (!labelled) showFindings(session, seen);
}

// The scores, labels and failure modes as of this moment, and beside the turns what was found about them.
function showFindings(session, seen) {
  const later = byId("later").checked;
  const had = seen.filter((event) => event.event === "score");
  const scores = newest(later ? session.scores : had);
  const given = (later ? session.events : seen).filter((event) => event.event === "label");
  const modes = session.modes.filter((mode) => later || mode.place <= player.shown);
  byId("as-of").textContent = player.turn ? `As of turn ${player.turn} of ${session.last}` : "Before the first turn";
  const drawn = `${at} ${later} ${had.length} ${given.length} ${modes.length} ${later ? player.shown : ""}`;
  if (drawn === scoredAs) return;
  scoredAs = drawn;
  const onTurn = (number) => seekAndLook(number);
  byId("score-list").replaceChildren(...scores.map((score) => {
    const place = session.events.indexOf(score);
    const item = scoreItem(score, { cameLater: !had.includes(score), onTurn, calls: callsAt(session, place) });
    item.id = `score-${place}`;
    return item;
  }));
  if (!scores.length) {
    const count = session.scores.length;
    const words = count ? `No scores yet; ${count} came later.` : "No scores.";
    byId("score-list").append(element("li", { className: "quiet", textContent: words }));
  }
  byId("labels-head").hidden = !given.length;
  byId("label-list").replaceChildren(...given.map(labelItem));
  byId("found-modes-head").hidden = !modes.length;
  byId("found-modes").replaceChildren(...modes.map(modeItem));
  const found = new Map();
  for (const score of scores) {
    for (const verdict of score.verdicts) {
      if (!verdict.turn) continue;
      found.set(verdict.turn, [...(found.get(verdict.turn) ?? []), { verdict, metric: score.metric }]);
    }
  }
  session.events.filter((event) => event.event === "turn").forEach((event, place) => {
    items[place].querySelector(":scope > .verdicts").replaceChildren(...foundItems(found.get(event.number) ?? []));
  });
}

function callsAt(session, place) {
  const key = `${session.id} ${place}`;
  if (!opened.has(key)) opened.set(key, callsOf(session, place));
  return opened.get(key);
}

function seekAndLook(number) {
  if (player.seekTurn(number)) document.querySelector("#turns > .here").focus({ preventScroll: true });
}

// Search

function searchAll() {
  clearMarks();
  const query = byId("query").value.trim();
  hits = [];
  hit = -1;
  if (!query) {
    byId("found").textContent = "";
    return;
  }
  const wanted = pattern(query);
  sessions.forEach((session, place) => {
    // Of scores the newest are searched: those are seen, whichever moment it is.
    const scores = labelled ? [] : newest(sessionAt(place).scores);
    session.events.forEach((event, index) => {
      if (event.event !== "turn" && !scores.includes(event)) return;
      const texts = event.event === "turn" ? said(event) : behind(session, index);
      if (texts.some((text) => wanted.test(text))) hits.push({ place, index });
    });
  });
  byId("found").textContent = hits.length ? `${hits.length} found` : "Nothing is found.";
}

const pattern = (query, flags = "iu") => new RegExp(query.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), flags);

function said(event) {
  const calls = event.tools_called.flatMap((call) => [`${call.name} ${call.arguments}`, call.output ?? ""]);
  return [event.content, ...event.reasoning, ...event.passages, ...calls];
}

function goToHit(by) {
  const query = byId("query").value.trim();
  if (!hits.length || hits.query !== query) {
    searchAll();
    hits.query = query;
  }
  if (!hits.length) return;
  const here = hits.findIndex((one) => one.place > at || (one.place === at && one.index + 1 >= player.shown));
  hit = hit < 0 ? (by > 0 ? Math.max(0, here) : hits.length - 1) : (hit + by + hits.length) % hits.length;
  const { place, index } = hits[hit];
  if (place !== at) open(place);
  if (index + 1 > player.shown || !labelled) player.go(index + 1);
  const event = sessions[place].events[index];
  const item = byId(event.event === "turn" ? `message-${event.position}` : `score-${index}`);
  clearMarks();
  markWords(item, query);
  (item.querySelector("mark") ?? item).scrollIntoView({ block: "center" });
  byId("found").textContent = `${hit + 1} of ${hits.length}`;
}

// Set what was searched for off from the text around it, by nodes of text alone.
function markWords(item, query) {
  for (const holder of item.querySelectorAll(".searched")) {
    const text = holder.textContent;
    const parts = [];
    let end = 0;
    for (const found of text.matchAll(pattern(query, "giu"))) {
      parts.push(text.slice(end, found.index), element("mark", { textContent: found[0] }));
      end = found.index + found[0].length;
    }
    if (!parts.length) continue;
    holder.replaceChildren(...parts, text.slice(end));
    marked.push(holder);
    holder.closest("details")?.setAttribute("open", "");
  }
}

function clearMarks() {
  for (const holder of marked) holder.textContent = holder.textContent;
  marked = [];
}

// Keys and buttons

function goKind(by) {
  const kind = byId("kind").value;
  if (!player.seekKind(kind, by)) byId("now").textContent = `No ${KINDS[kind]} ${by > 0 ? "after" : "before"} this.`;
}

const KEYS = {
  " ": ["space", "play or pause", () => player.toggle()],
  ArrowRight: ["→", "next turn", () => player.stepTurn(1)],
  ArrowLeft: ["←", "turn before", () => player.stepTurn(-1)],
  ".": [".", "next event, a score among them", () => player.step(1)],
  ",": [",", "event before", () => player.step(-1)],
  "]": ["]", "twice the pace", () => repace(1)],
  "[": ["[", "half the pace", () => repace(-1)],
  n: ["n", "next of the chosen kind", () => goKind(1)],
  N: ["N", "the one before of that kind", () => goKind(-1)],
  g: ["g", "go to a turn", () => byId("turn").focus()],
  Home: ["home", "start", () => player.go(1)],
  End: ["end", "all of it", () => player.go(player.session.events.length)],
  "/": ["/", "search", () => byId("query").focus()],
  J: ["J", "next conversation", () => goSession(1)],
  K: ["K", "conversation before", () => goSession(-1)],
  ...(labelled ? {
    p: ["p", "pass", () => form.say("pass")],
    f: ["f", "fail", () => form.say("fail")],
    d: ["d", "defer", () => form.say("defer")],
    "!": ["!", "it first fails at this turn", () => failsHere()],
    c: ["c", "write a note", () => byId("note").focus()],
    Enter: ["enter", "next without a label", nextOpen],
  } : {}),
  "?": ["?", "these keys", () => byId("keys").showModal()],
};

function failsHere() {
  const place = player.session.places.turn.findLast((one) => one < player.shown);
  if (place !== undefined) form.failsAt(player.session.events[place]);
}

function repace(by) {
  const place = Math.max(0, Math.min(PACES.length - 1, PACES.indexOf(player.pace) + by));
  player.repace(PACES[place]);
  byId("pace").value = String(PACES[place]);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  const typing = event.target.closest("input:not([type=radio], [type=checkbox], [type=range]), textarea, select");
  if (event.key === "Escape" && typing) return typing.blur();
  // Buttons and boxes take space and enter for themselves; the line of moments takes arrows, home and end.
  if (typing) return;
  if ([" ", "Enter"].includes(event.key) && event.target.closest("button, summary, a, [type=radio], [type=checkbox]")) {
    return;
  }
  if (/^(Arrow|Home|End)/.test(event.key) && event.target.closest("[type=range], [type=radio]")) return;
  const key = KEYS[event.key];
  if (!key) return;
  event.preventDefault();
  key[2]();
}

const CLICKS = {
  home: () => player.go(1),
  "back-turn": () => player.stepTurn(-1),
  play: () => player.toggle(),
  "forward-turn": () => player.stepTurn(1),
  end: () => player.go(player.session.events.length),
  "kind-back": () => goKind(-1),
  "kind-next": () => goKind(1),
  "found-back": () => goToHit(-1),
  "keys-button": () => byId("keys").showModal(),
};

function begin() {
  byId("title").textContent = island.head.title;
  if (!sessions.length) {
    byId("name").textContent = "There are no conversations in this page.";
    byId("findings").hidden = true;
    document.querySelector("footer").hidden = true;
    return;
  }
  byId("scores").hidden = labelled;
  const has = (kind) => sessions.some((_, place) => sessionAt(place).places[kind].length);
  const kinds = Object.keys(KINDS).filter((kind) => has(kind));
  byId("kind").replaceChildren(...kinds.map((kind) => element("option", { value: kind, textContent: KINDS[kind] })));
  byId("pace").replaceChildren(...PACES.map((pace) => element("option", { value: pace, textContent: `${pace}x` })));
  byId("pace").value = "1";
  byId("pace").addEventListener("change", (event) => player.repace(Number(event.target.value)));
  byId("moment").addEventListener("input", (event) => player.go(Number(event.target.value)));
  byId("turn").addEventListener("change", (event) => {
    if (!player.seekTurn(Number(event.target.value))) byId("now").textContent = `There is no turn ${event.target.value}.`;
  });
  byId("later").addEventListener("change", () => show());
  byId("query").addEventListener("input", searchAll);
  byId("search").addEventListener("submit", (event) => {
    event.preventDefault();
    goToHit(1);
  });
  for (const [id, click] of Object.entries(CLICKS)) byId(id).addEventListener("click", click);
  byId("key-list").replaceChildren(...Object.values(KEYS).flatMap(([key, words]) => [
    element("dt", { textContent: key }), element("dd", { textContent: words })]));
  addEventListener("keydown", onKey);
  addEventListener("resize", drawMarks);
  listSessions();
  open(0);
}

begin();
