"use strict";
// Sorting: a heading sorts its table; figures the largest first, words in their order, what is missing last.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const rows = [...body.rows];
      const figure = (row) => row.cells[place].dataset.v;
      const numeric = rows.some((row) => figure(row) !== undefined);
      const first = numeric ? "descending" : "ascending";
      const order = head.getAttribute("aria-sort") === first ? (numeric ? "ascending" : "descending") : first;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      rows.sort((one, two) => {
        if (!numeric) return sign * one.cells[place].textContent.localeCompare(two.cells[place].textContent, "en", { numeric: true });
        const [a, b] = [figure(one), figure(two)];
        if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
        return sign * (Number(a) - Number(b));
      });
      body.append(...rows);
    });
  });
}

// The misses one by one: read when they come near the window, shown by pages.
const PAGE = 25;
const browser = document.getElementById("browser");
if (browser) {
  const observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) {
      observer.disconnect();
      browse(JSON.parse(document.getElementById("misses-data").textContent));
    }
  }, { rootMargin: "800px" });
  observer.observe(browser);
}

function make(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function browse(data) {
  const column = Object.fromEntries(data.columns.map((name, place) => [name, place]));
  const text = (row, name) => (row[column[name]] === null ? "" : data.texts[row[column[name]]]);
  const choices = {};
  const search = make("input", { type: "search", placeholder: "words or a citation" });
  const controls = make("div", { className: "controls" });
  for (const [name, title] of [["question_set", "Questions"], ["cell", "Cell"], ["cause", "Cause"]]) {
    const values = [...new Set(data.rows.map((row) => row[column[name]]))];
    const select = make("select");
    if (name === "cause" || values.length > 1) select.append(make("option", { value: "", textContent: "all" }));
    select.append(...values.map((value) => make("option", { value: String(value), textContent: data.texts[value] })));
    if (name !== "cause" && values.length > 1) select.selectedIndex = 1;
    choices[name] = select;
    controls.append(make("label", {}, title, select));
  }
  controls.append(make("label", {}, "Search", search));
  const heads = ["question", "missed", "cause", "rank", "found first", "linked to", "overlap", "tokens"];
  const body = make("tbody");
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((head, place) =>
    make("th", { scope: "col", textContent: head, className: [3, 6, 7].includes(place) ? "" : "text" })))), body);
  const back = make("button", { type: "button", textContent: "Back" });
  const next = make("button", { type: "button", textContent: "Next" });
  const where = make("span", { role: "status" });
  let page = 0;
  let found = data.rows;

  function choose() {
    const wanted = search.value.trim().toLowerCase();
    found = data.rows.filter((row) => Object.entries(choices).every(([name, select]) => select.value === "" || row[column[name]] === Number(select.value))
      && (wanted === "" || ["question", "gold", "found", "gold_text"].some((name) => text(row, name).toLowerCase().includes(wanted))));
    page = 0;
    show();
  }
  function show() {
    const begin = page * PAGE;
    body.replaceChildren(...found.slice(begin, begin + PAGE).map(line));
    where.textContent = found.length ? `${begin + 1}–${Math.min(begin + PAGE, found.length)} of ${found.length}` : "none";
    back.disabled = page === 0;
    next.disabled = begin + PAGE >= found.length;
  }
  function line(row) {
    const value = (name) => (row[column[name]] === null ? "–" : String(row[column[name]]));
    const button = make("button", { type: "button", textContent: text(row, "question") });
    button.setAttribute("aria-expanded", "false");
    const words = (said) => make("td", { className: "text", textContent: said || "–" });
    const figure = (said) => make("td", { textContent: said });
    const made = make("tr", {}, make("th", { scope: "row", className: "question text" }, button), words(text(row, "gold")), words(text(row, "cause")),
      figure(value("rank")), words(text(row, "found")), words(text(row, "linked")), figure(value("overlap")), figure(value("length")));
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) made.nextSibling.remove();
      else made.after(texts(row));
    });
    return made;
  }
  function texts(row) {
    const side = (head, said) => make("div", {}, make("h4", { textContent: head }), make("p", { textContent: said || "–" }));
    return make("tr", { className: "texts" }, make("td", { colSpan: heads.length }, make("div", { className: "side" },
      side(`Question ${text(row, "query")} · ${text(row, "cell")}`, text(row, "question")),
      side(["Missed: " + text(row, "gold"), text(row, "chapter")].filter(Boolean).join(" · "), text(row, "gold_text")), side(`Found first: ${text(row, "found")}`, text(row, "found_text")))));
  }
  Object.values(choices).forEach((select) => select.addEventListener("change", choose));
  search.addEventListener("input", choose);
  back.addEventListener("click", () => { page -= 1; show(); });
  next.addEventListener("click", () => { page += 1; show(); });
  const area = make("div", { className: "wide", tabIndex: 0, role: "region", ariaLabel: "Misses" }, table);
  browser.replaceChildren(controls, area, make("div", { className: "pager" }, back, where, next));
  choose();
}
