"use strict";
(() => {
  const PAGE = 50;
  const data = JSON.parse(document.getElementById("data").textContent);
  const cases = data.cases;
  const primary = data.primary;
  const state = { shown: cases, page: 0, open: null };
  const byId = (id) => document.getElementById(id);

  // Whatever a model wrote reaches the page as text alone: no markup is ever parsed here.
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  };
  const drawn = (tag, attributes = {}, text = null) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== null) element.textContent = text;
    return element;
  };

  const score = (one) => {
    const value = (one.scores || {})[primary[one.task]];
    return typeof value === "number" ? value : null;
  };
  const full = (one) => data.scales[one.task] ?? 1;
  const decimals = (one) => Math.max(0, 3 - Math.round(Math.log10(full(one))));
  const grade = (one) => {
    if (one.state !== "scored") return one.state;
    const value = score(one);
    if (value === null) return "no score";
    return value >= full(one) ? "right" : value > 0 ? "partly right" : "wrong";
  };
  const stateName = (one) => (one.state === "not_run" ? "not run" : one.state);

  // ---- filters -------------------------------------------------------------------------
  const text = (one) =>
    (one.haystack ??= [
      one.id, one.label, one.reference, one.reply, one.prompt, one.reason, one.detail,
      ...Object.values(one.slices || {}), ...Object.values(one.scores || {}),
    ].filter((part) => typeof part === "string").join("\n").toLowerCase());

  const filters = [];
  const count = (read) => {
    const seen = new Map();
    for (const one of cases) {
      for (const value of [].concat(read(one) ?? [])) seen.set(value, (seen.get(value) || 0) + 1);
    }
    return [...seen.entries()].sort((a, b) => (a[0] < b[0] ? -1 : 1));
  };
  const addFilter = (name, read) => {
    const options = count(read);
    if (options.length < 2 && name !== "answer") return;
    const select = make("select", { id: `filter-${filters.length}` }, make("option", { value: "" }, "all"));
    for (const [value, n] of options) select.append(make("option", { value: JSON.stringify(value) }, `${value} (${n})`));
    select.addEventListener("change", () => refresh());
    byId("filters").append(make("label", {}, name, select));
    filters.push({ select, read });
  };
  addFilter("answer", grade);
  addFilter("task", (one) => one.task);
  addFilter("model", (one) => one.model);
  addFilter("flag", (one) => one.flags);
  addFilter("reason", (one) => one.reason);
  const keys = new Set(cases.flatMap((one) => Object.keys(one.slices || {})));
  for (const key of keys) addFilter(key, (one) => (one.slices || {})[key]);

  const orders = {
    "worst first": (a, b) => rank(a) - rank(b),
    "by id": (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
    "slowest first": (a, b) => (b.seconds ?? -1) - (a.seconds ?? -1),
    "dearest first": (a, b) => (b.cost_usd ?? -1) - (a.cost_usd ?? -1),
  };
  const rank = (one) => (one.state === "unscored" ? 3 : one.state === "not_run" ? 4 : score(one) === null ? 2 : score(one) / full(one));
  const order = byId("order");
  for (const name of Object.keys(orders)) order.append(make("option", {}, name));
  order.addEventListener("change", () => refresh());

  const refresh = (keep = false) => {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = filters
      .filter(({ select }) => select.value !== "")
      .map(({ select, read }) => ({ read, value: JSON.parse(select.value) }));
    state.shown = cases
      .filter((one) => chosen.every(({ read, value }) => [].concat(read(one) ?? []).includes(value)))
      .filter((one) => words.every((word) => text(one).includes(word)))
      .sort(orders[order.value]);
    if (!keep) { state.page = 0; state.open = null; }
    render();
  };

  // ---- the list ------------------------------------------------------------------------
  const pages = () => Math.max(1, Math.ceil(state.shown.length / PAGE));
  const flat = (value) => (value === null || value === undefined ? "" : String(value).replace(/\s+/g, " ").trim());
  const mark = { right: "good", "partly right": "warn", wrong: "bad", unscored: "bad" };

  // Narrow windows hide columns, and a cell that spans hidden ones would add empty ones.
  const columnCount = () => [...document.querySelectorAll("#cases thead th")].filter((head) => head.offsetParent).length || 6;

  const render = () => {
    const body = byId("rows");
    const start = state.page * PAGE;
    body.replaceChildren();
    for (const one of state.shown.slice(start, start + PAGE)) {
      const value = score(one);
      const kind = grade(one);
      const row = make("tr", { class: "row", tabindex: "0", "aria-expanded": String(one === state.open) },
        make("td", { class: `state ${mark[kind] || "soft"}` }, kind === "not_run" ? "not run" : kind),
        make("td", { class: "n" }, value === null ? "–" : value.toFixed(decimals(one))),
        make("td", { class: "id", title: one.id }, one.id),
        make("td", { class: "slim", title: one.model }, one.model),
        make("td", { title: flat(one.reply).slice(0, 300) }, flat(one.reply ?? one.reason ?? "").slice(0, 300)),
        make("td", { class: "slim", title: flat(one.reference) }, flat(one.reference).slice(0, 300)));
      row.addEventListener("click", () => toggle(one, true));
      row.one = one;
      body.append(row);
      if (one === state.open) body.append(make("tr", {}, make("td", { class: "open", colspan: columnCount() }, detail(one))));
    }
    if (!state.shown.length) body.append(make("tr", {}, make("td", { colspan: columnCount(), class: "soft" }, "No case fits. Clear a filter or the search.")));
    const end = Math.min(start + PAGE, state.shown.length);
    byId("count").textContent = state.shown.length
      ? `${start + 1}–${end} of ${state.shown.length}` + (state.shown.length < cases.length ? ` (${cases.length} in all)` : "")
      : "none";
    byId("previous").disabled = state.page === 0;
    byId("next").disabled = state.page >= pages() - 1;
  };
  const rows = () => [...byId("rows").querySelectorAll("tr.row")];
  const focusOn = (one) => rows().find((row) => row.one === one)?.focus();
  const toggle = (one, focus) => {
    state.open = state.open === one ? null : one;
    history.replaceState(null, "", state.open ? `#case=${encodeURIComponent(one.id)}` : location.pathname + location.search);
    render();
    if (focus) focusOn(one);
  };
  const turn = (by) => {
    const page = Math.min(Math.max(0, state.page + by), pages() - 1);
    if (page === state.page) return;
    state.page = page; state.open = null;
    render();
    byId("cases").scrollIntoView();
    rows()[0]?.focus();
  };

  // ---- one case ------------------------------------------------------------------------
  const block = (title, value, absent) => [
    make("h4", {}, title),
    value === undefined || value === null
      ? make("p", { class: "soft" }, absent)
      : make("pre", { tabindex: "0" }, value === "" ? "(empty)" : value),
  ];
  const shown = (value) => (typeof value === "number" && !Number.isInteger(value) ? value.toFixed(4) : value === null ? "–" : String(value));
  const facts = (pairs) => {
    const table = make("table");
    for (const [name, value] of pairs) {
      if (value !== undefined && value !== null && value !== "") table.append(make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, shown(value))));
    }
    return table;
  };
  const detail = (one) => {
    const left = make("div");
    const right = make("div");
    const prefix = one.prefix ? data.prefixes[one.prefix] : null;
    if (prefix) left.append(make("details", {}, make("summary", {}, make("span", { class: "soft" }, "What all such cases are told first")), make("pre", { tabindex: "0" }, prefix)));
    left.append(
      ...block("Prompt", one.prompt, "Not kept in this page; it is in records.jsonl."),
      ...block("Reply", one.reply, one.state === "scored" ? "Not kept in this page; it is in records.jsonl." : "There is none."),
      ...block("Reference", one.reference, "There is none."));
    if (one.judge) left.append(...block("What the judge said", one.judge.trim(), ""));
    if (one.why) right.append(make("h4", {}, "Why this score"), ...why(one.why));
    const columns = Object.entries(one.scores || {});
    if (columns.length) right.append(make("h4", {}, "Scores"), facts(columns));
    right.append(
      make("h4", {}, "Case"),
      facts([
        ["state", stateName(one)], ["reason", one.reason], ["detail", one.detail],
        ["flags", (one.flags || []).join(", ")], ["label", one.label], ["model", one.model],
        ["repeat", one.repeat > 1 ? one.repeat : null], ...Object.entries(one.slices || {}),
        ["from", one.origin], ["finish", one.finish], ["seconds", one.seconds],
        ["cost", one.cost_usd === undefined ? null : `$${one.cost_usd}`],
        ["tokens sent", one.tokens_in], ["tokens received", one.tokens_out],
        ["from cache", one.from_cache ? "yes" : null], ["attempts", one.attempts > 1 ? one.attempts : null],
      ]));
    return make("div", { class: "case" }, left, right);
  };

  // The way between two terms: up from the answer to what both share, down to the reference.
  const why = (reason) => {
    const parts = reason.text ? [make("p", {}, reason.text)] : [];
    if (!reason.shared) return parts;
    const up = [...(reason.up || [])];
    const down = [...(reason.down || [])].reverse();
    const wide = 210, tall = 36, gap = 20, middle = wide + 30;
    const height = (Math.max(up.length, down.length) + 1) * (tall + gap) + 4;
    const svg = drawn("svg", { viewBox: `0 0 ${2 * middle} ${height}`, width: "100%", role: "img" });
    svg.append(drawn("title", {}, [...up, reason.shared].join(" → ") + (down.length ? " ← " + [...down].join(" → ") : "")));
    const box = (x, y, name, kind) => {
      svg.append(drawn("rect", { x, y, width: wide, height: tall, rx: 6, class: `box ${kind}` }));
      const label = name.length > 34 ? `${name.slice(0, 33)}…` : name;
      const text = drawn("text", { x: x + wide / 2, y: y + tall / 2 + 4, "text-anchor": "middle", class: "name" }, label);
      if (label !== name) text.append(drawn("title", {}, name));
      svg.append(text);
      if (kind) svg.append(drawn("text", { x: x + wide / 2, y: y + tall + 14, "text-anchor": "middle" }, kind));
    };
    const column = (names, centre, kind) => {
      let from = { x: middle, y: tall };
      names.forEach((_, place) => {
        const name = names[names.length - 1 - place];
        const y = (place + 1) * (tall + gap);
        svg.append(drawn("path", { d: `M${from.x} ${from.y} L${centre} ${y}`, class: "edge" }));
        box(centre - wide / 2, y, name, place === names.length - 1 ? kind : "");
        from = { x: centre, y: y + tall };
      });
    };
    column(up, up.length && down.length ? wide / 2 + 10 : middle, "answer");
    column(down, up.length && down.length ? 2 * middle - wide / 2 - 10 : middle, "reference");
    const ends = up.length && down.length ? "" : up.length ? "reference" : "answer";
    box(middle - wide / 2, 1, reason.shared, ends);
    parts.push(svg);
    return parts;
  };

  // ---- keyboard, theme, links ------------------------------------------------------------
  const step = (by) => {
    const all = rows();
    const at = all.indexOf(document.activeElement.closest?.("tr.row"));
    (all[at < 0 ? 0 : Math.min(Math.max(0, at + by), all.length - 1)])?.focus();
  };
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (typing) event.target.blur();
      else if (state.open) toggle(state.open, true);
      return;
    }
    if (typing) return;
    const row = event.target.closest?.("tr.row");
    const act = {
      "/": () => byId("search").focus(), j: () => step(1), k: () => step(-1),
      n: () => turn(1), p: () => turn(-1), Enter: row && (() => toggle(row.one, true)),
      " ": row && (() => toggle(row.one, true)),
    }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  byId("previous").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));
  let timer;
  byId("search").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => refresh(), 150); });
  byId("clear").addEventListener("click", () => {
    byId("search").value = "";
    for (const { select } of filters) select.value = "";
    refresh();
  });
  byId("theme").addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const root = document.documentElement;
    const now = root.classList.contains("dark") || (dark && !root.classList.contains("light"));
    root.classList.remove("dark", "light");
    root.classList.add(now ? "light" : "dark");
  });
  const openLinked = () => {
    const found = /^#case=(.*)$/.exec(location.hash);
    if (!found) return;
    let id;
    try { id = decodeURIComponent(found[1]); } catch { return; }
    const one = cases.find((each) => each.id === id);
    if (!one) return;
    byId("clear").click();
    state.page = Math.floor(state.shown.indexOf(one) / PAGE);
    state.open = one;
    render();
    focusOn(one);
    rows().find((row) => row.one === one)?.scrollIntoView({ block: "start" });
  };
  addEventListener("hashchange", openLinked);
  byId("browser").hidden = false;
  refresh();
  openLinked();
})();
