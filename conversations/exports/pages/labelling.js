// Labelling: what one person says of the sessions, kept in this browser and saved to a file that turnwise takes.

const WORDS = { pass: "Pass", fail: "Fail", defer: "Defer: look again later" };
const LABEL_SIGN = { pass: "✓", fail: "✗", defer: "~" };
const KEPT = `turnwise:${island.page}`;

class Labels {
  constructor() {
    this.author = "";
    this.of = new Map();
    this.saved = true;
    this.keeps = this.load();
  }

  load() {
    try {
      const kept = localStorage.getItem(KEPT);
      if (kept) this.take(JSON.parse(kept));
      localStorage.setItem(KEPT, JSON.stringify(this.file()));
      return true;
    } catch {
      return false;
    }
  }

  keep() {
    this.saved = false;
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.file()));
      this.keeps = true;
    } catch {
      this.keeps = false;
    }
  }

  // What is said of a session, to be read; nothing where nothing is said.
  get(session) {
    return this.of.get(session.id) ?? { label: null, turn: null, note: "", modes: [], at: null };
  }

  set(session, change) {
    this.of.set(session.id, { ...this.get(session), ...change, at: Date.now() / 1000 });
    this.keep();
  }

  // How many are labelled: what is put off is still to be decided.
  progress() {
    const with_label = (words) => sessions.filter((session) => words.includes(this.get(session).label)).length;
    const off = with_label(["defer"]);
    return `${with_label(["pass", "fail"])} of ${sessions.length} labelled${off ? `, ${off} put off` : ""}`;
  }

  says(session) {
    const said = this.get(session);
    return Boolean(said.label || said.note.trim() || said.modes.length);
  }

  file() {
    const labels = sessions.filter((session) => this.of.has(session.id)).map((session) => {
      const said = this.get(session);
      return {
        session: session.id, name: session.name, identity: session.identity,
        label: said.label, turn: said.label === "fail" ? said.turn : null, note: said.note.trim(),
        modes: said.modes, at: said.at,
      };
    });
    return {
      turnwise: "labels", version: island.version, page: island.page, queue: island.head.title,
      author: this.author.trim(), blind: true, saved_at: Date.now() / 1000, labels,
    };
  }

  // Take up what a file of this page says; of a session that has a label here already, the newer stands.
  take(file) {
    if (!file || file.turnwise !== "labels" || !Array.isArray(file.labels)) throw new Error("It is no file of labels.");
    if (file.page !== island.page) throw new Error("It belongs to another page.");
    const known = new Map(sessions.map((session) => [session.id, session]));
    let taken = 0;
    for (const one of file.labels) {
      const session = known.get(one.session);
      if (!session || session.identity !== one.identity) continue;
      const here = this.of.get(session.id);
      if (here && here.at >= one.at) continue;
      const turn = Number.isInteger(one.turn) ? one.turn : null;
      const modes = Array.isArray(one.modes) ? one.modes.map(String) : [];
      const label = one.label in WORDS ? one.label : null;
      this.of.set(session.id, { label, turn, note: String(one.note ?? ""), modes, at: Number(one.at) });
      taken += 1;
    }
    if (!this.author) this.author = String(file.author ?? "");
    return taken;
  }

  save() {
    const file = this.file();
    const name = `${island.head.title}-${file.author}`.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
    const address = URL.createObjectURL(new Blob([`${JSON.stringify(file, null, 1)}\n`], { type: "application/json" }));
    const link = element("a", { href: address, download: `labels-${name}.json` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    this.saved = true;
  }
}

// The form beside the transcript.
class LabelForm {
  constructor(labels, { onChange, onNext }) {
    this.labels = labels;
    this.onChange = onChange;
    this.session = null;
    this.offered = (island.head.modes ?? []).map(([name]) => name);
    this.buildWords();
    byId("labelling").hidden = false;
    byId("labelling").addEventListener("submit", (event) => event.preventDefault());
    byId("author").value = labels.author;
    byId("author").addEventListener("input", (event) => {
      labels.author = event.target.value;
      labels.keep();
      this.tell();
    });
    byId("note").addEventListener("input", (event) => this.change({ note: event.target.value }));
    byId("failing-turn").addEventListener("change", (event) =>
      this.change({ turn: event.target.value ? Number(event.target.value) : null }));
    byId("add-mode").addEventListener("click", () => this.addMode());
    byId("own-mode").addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.addMode();
    });
    byId("next-open").addEventListener("click", onNext);
    byId("take-back").addEventListener("click", () => this.change({ label: null, turn: null, note: "", modes: [] }, true));
    byId("save").addEventListener("click", () => this.save());
    byId("saved-file").addEventListener("change", (event) => this.goOn(event.target));
    addEventListener("beforeunload", (event) => {
      if (!labels.saved && !labels.keeps) event.preventDefault();
    });
  }

  buildWords() {
    for (const [word, title] of Object.entries(WORDS)) {
      const input = element("input", { type: "radio", name: "word", value: word, id: `word-${word}` });
      input.addEventListener("change", () => this.say(word));
      byId("words").append(element("label", {}, input, ` ${LABEL_SIGN[word]} ${title}`));
    }
  }

  // Show what is said of a session.
  show(session) {
    this.session = session;
    const said = this.labels.get(session);
    for (const word of Object.keys(WORDS)) byId(`word-${word}`).checked = said.label === word;
    const spoken = session.places.turn.map((place) => session.events[place]);
    byId("failing-turn").replaceChildren(
      element("option", { value: "", textContent: "no single turn" }),
      ...spoken.map((turn) => element("option", { value: turn.number, textContent: `turn ${turn.number}, ${turn.role}` })));
    byId("failing-turn").value = said.turn ?? "";
    byId("failing").hidden = said.label !== "fail";
    byId("note").value = said.note;
    const names = [...new Set([...this.offered, ...said.modes])];
    byId("mode-list").replaceChildren(...names.map((name) => this.modeBox(name, said.modes.includes(name))));
    this.tell();
  }

  modeBox(name, checked) {
    const box = element("input", { type: "checkbox", checked });
    box.addEventListener("change", () => {
      const others = this.labels.get(this.session).modes.filter((one) => one !== name);
      this.change({ modes: box.checked ? [...others, name] : others });
    });
    const about = (island.head.modes ?? []).find(([known]) => known === name);
    return element("label", { title: about ? about[1] : "" }, box, ` ${name}`);
  }

  addMode() {
    const name = byId("own-mode").value.replace(/\s+/g, " ").trim();
    if (!name) return;
    byId("own-mode").value = "";
    if (!this.offered.includes(name)) this.offered.push(name);
    const { modes } = this.labels.get(this.session);
    this.change({ modes: [...new Set([...modes, name])] }, true);
  }

  say(word) {
    const said = this.labels.get(this.session);
    this.change({ label: word, turn: word === "fail" ? said.turn : null }, true);
  }

  // Say that it first fails here; of what a user says or a tool gives, that is the reply that follows.
  failsAt(event) {
    const spoken = this.session.places.turn.map((place) => this.session.events[place]);
    const reply = event.role === "assistant" ? event
      : spoken.find((turn) => turn.number > event.number && turn.role === "assistant") ?? event;
    this.change({ label: "fail", turn: reply.number }, true);
  }

  change(what, redraw = false) {
    this.labels.set(this.session, what);
    if (redraw) this.show(this.session);
    this.tell();
    this.onChange();
  }

  tell(words = "") {
    const place = this.labels.keeps
      ? "Kept in this browser. Save a file to hand it back."
      : "This browser keeps nothing: save a file before you close the page.";
    byId("kept").textContent = words || place;
    byId("save").disabled = !this.labels.of.size;
  }

  save() {
    if (!this.labels.author.trim()) {
      this.tell("Say first who you are.");
      byId("author").focus();
      return;
    }
    this.labels.save();
    this.tell(`Saved: ${this.labels.progress()}. Send the file back.`);
  }

  async goOn(input) {
    const [file] = input.files;
    if (!file) return;
    try {
      const taken = this.labels.take(JSON.parse(await file.text()));
      this.labels.keep();
      byId("author").value = this.labels.author;
      this.show(this.session);
      this.tell(`Taken from the file: ${taken}.`);
    } catch (error) {
      this.tell(`That file cannot be taken. ${error.message}`);
    }
    input.value = "";
    this.onChange();
  }
}
