// Moments: a place among a session's events, and all that is seen of them at that moment.

const KINDS = {
  failed: "verdict that failed", score: "score", label: "label", mode: "failure mode", tool: "tool call", user: "user's turn", turn: "turn",
};

// What a session comes to, found out once: its turns, and the places of events of each kind.
function replayed(session) {
  const events = session.events;
  const scores = events.filter((event) => event.event === "score");
  const failing = new Set(newest(scores).flatMap((score) => score.verdicts
    .filter((verdict) => verdict.passed === false && verdict.turn).map((verdict) => verdict.turn)));
  const places = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
  events.forEach((event, place) => {
    if (event.event === "turn") {
      if (event.number) places.turn.push(place);
      if (event.role === "user") places.user.push(place);
      if (event.tools_called.length) places.tool.push(place);
      if (failing.has(event.number)) places.failed.push(place);
    } else if (event.event in places) {
      places[event.event].push(place);
      if (event.event === "score" && event.passed === false) places.failed.push(place);
    }
  });
  const numbers = places.turn.map((place) => events[place].number);
  return { ...session, places, failing, scores, last: numbers.length ? numbers[numbers.length - 1] : 0 };
}

// The newest outcome of each metric and exchange.
function newest(scores) {
  return [...new Map(scores.map((score) => [`${score.metric}\n${score.exchange}`, score])).values()];
}

class Player {
  constructor(onShown) {
    this.onShown = onShown;
    this.session = null;
    this.shown = 0;
    this.pace = 1;
    this.timer = null;
  }

  open(session, shown) {
    this.pause();
    this.session = session;
    this.go(shown === undefined ? (session.places.turn[0] ?? 0) + 1 : shown, { pause: false });
  }

  get playing() { return this.timer !== null; }

  get atEnd() { return this.shown >= this.session.events.length; }

  // The number of the last turn that is seen.
  get turn() {
    const seen = this.session.places.turn.filter((place) => place < this.shown);
    return seen.length ? this.session.events[seen[seen.length - 1]].number : 0;
  }

  go(shown, { pause = true } = {}) {
    if (pause) this.pause();
    this.shown = Math.max(1, Math.min(this.session.events.length, shown));
    this.onShown();
  }

  step(by) { this.go(this.shown + by); }

  stepTurn(by) {
    const ends = this.session.places.turn.map((place) => place + 1);
    if (by > 0) this.go(ends.find((end) => end > this.shown) ?? this.session.events.length);
    else this.go(ends.findLast((end) => end < this.shown) ?? 1);
  }

  seekTurn(number) {
    const place = this.session.places.turn.find((one) => this.session.events[one].number === number);
    if (place === undefined) return false;
    this.go(place + 1);
    return true;
  }

  // Go to the next event of a kind, or to the one before; say whether there is one.
  seekKind(kind, by) {
    const places = this.session.places[kind];
    const place = by > 0 ? places.find((one) => one >= this.shown) : places.findLast((one) => one < this.shown - 1);
    if (place === undefined) return false;
    this.go(place + 1);
    return true;
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.atEnd) this.go(1, { pause: false });
    this.wait();
    this.onShown();
  }

  pause() {
    clearTimeout(this.timer);
    const was = this.timer;
    this.timer = null;
    if (was !== null) this.onShown();
  }

  wait() {
    const pause = this.session.pauses[this.shown] ?? 0;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.go(this.shown + 1, { pause: false });
      if (!this.atEnd) this.wait();
      this.onShown();
    }, (1000 * pause) / this.pace);
  }

  repace(pace) {
    this.pace = pace;
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.wait();
  }
}

// What happened last, in a line that is also read out.
function momentWords(session, shown) {
  const event = session.events[shown - 1];
  if (event.event === "turn") {
    const said = event.content.replace(/\s+/g, " ").slice(0, 200);
    const calls = event.tools_called.map((call) => call.name).join(", ");
    const who = event.number ? `Turn ${event.number}, ${event.role}` : event.role;
    return `${who}: ${said || (calls ? `calls ${calls}` : "no words")}`;
  }
  if (event.event === "score") {
    const value = event.score === null ? OUTCOMES[event.outcome] : `${event.score.toFixed(2)} ${outcomeOf(event)}`;
    return `Score: ${plain(event.metric)} ${value}. ${event.reason}`;
  }
  if (event.event === "label") {
    const about = event.metric ? `${plain(event.metric)} ` : "";
    return `Label: ${about}${event.label || "taken back"} by ${event.author}. ${event.note}`;
  }
  if (event.event === "mode") {
    const at = event.turn && event.given ? ` at turn ${event.turn}` : "";
    return `Failure mode${event.given ? "" : " taken away"}: ${event.mode}${at} by ${event.author}.`;
  }
  return `${event.name}${event.chatbot_role ? `, ${event.chatbot_role}` : ""}`;
}

// The signs over the line of moments, one a cell at the most; the worst of a cell is seen.
function marksOf(session, cells) {
  const events = session.events;
  const found = new Map();
  const worth = { "✗": 3, "✎": 2, "!": 1, "~": 1, "✓": 1, "–": 0, "●": 0 };
  events.forEach((event, place) => {
    let shown = null;
    if (event.event === "turn" && event.number) shown = session.failing.has(event.number) ? "✗" : "●";
    if (event.event === "score") shown = SIGNS[outcomeOf(event)];
    if (event.event === "label" || event.event === "mode") shown = "✎";
    if (shown === null) return;
    const cell = events.length < 2 ? 0 : Math.round((place / (events.length - 1)) * (cells - 1));
    const was = found.get(cell);
    if (!was || worth[shown] >= worth[was.sign]) found.set(cell, { sign: shown, place });
  });
  return [...found.values()];
}
