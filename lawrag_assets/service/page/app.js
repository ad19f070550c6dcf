// The page: a question in, the stages as they finish, the answer with its citations.
import { getJson, Refused, streamAnswer } from "./api.js";
import { byId, element } from "./build.js";
import { drawLadder } from "./ladder.js";
import { drawPlane } from "./plane.js";
import { showSection } from "./section.js";
import { TEXTS } from "./texts.js";

const STAGES = ["embed", "route", "retrieve", "rerank", "judge", "answer", "attribute", "done"];
const MOST_DOTS = 5000;
const PAGE = 1000;
const TRIES = 4;

let language = (navigator.language || "de").startsWith("de") ? "de" : "en";
let meta = null;
let dots = { items: [], total: 0 };
let shown = empty();
let running = null;
let opener = null;
let section = null;

function empty() {
  return { point: null, dense: null, reranked: null, evidence: [], judgement: null, routes: null, text: "", answered: null, claims: null, times: {}, busy: false };
}

const texts = () => TEXTS[language];

// --- what is there from the start

async function start() {
  speak();
  try {
    meta = await getJson("/api/meta");
  } catch {
    return complain(texts().unreachable);
  }
  byId("question").maxLength = meta.longest_question;
  offerLaws();
  speak();
  await loadPlane();
}

async function loadPlane() {
  let page;
  const items = [];
  do {
    page = await getJson(`/api/corpus?offset=${items.length}&limit=${PAGE}`);
    items.push(...page.items);
  } while (page.items.length && items.length < Math.min(page.total, MOST_DOTS));
  dots = { items, total: page.total };
  drawMap();
}

function offerLaws() {
  const several = meta.laws.length > 1;
  byId("laws").hidden = !several;
  if (!several) return;
  for (const law of meta.laws) {
    byId("laws").append(element("label", { class: "chip" }, element("input", { type: "checkbox", name: "law", value: law.slug, onchange: drawMap }), law.law));
  }
}

function chosenLaws() {
  return [...document.querySelectorAll('input[name="law"]:checked')].map((box) => box.value);
}

// --- language

function speak() {
  document.documentElement.lang = language;
  document.title = `${texts().title} · lawrag`;
  for (const place of document.querySelectorAll("[data-text]")) place.textContent = texts()[place.dataset.text];
  for (const button of document.querySelectorAll("[data-language]")) button.setAttribute("aria-pressed", String(button.dataset.language === language));
  byId("question").placeholder = texts().placeholder;
  byId("close").setAttribute("aria-label", texts().close);
  if (!meta) return;
  byId("leaves").textContent = meta.sends_to ? texts().leaves(meta.sends_to) : texts().leavesNothing;
  byId("about").textContent = texts().about(meta);
  byId("examples").replaceChildren(
    ...meta.examples[language].map((example) => element("li", {}, element("button", { type: "button", class: "chip", onclick: () => { byId("question").value = example; ask(); } }, example))),
  );
  if (section) showSection(section.data, section.marked, texts());
  show();
}

// --- asking

async function ask() {
  const question = byId("question").value.trim();
  if (!question) return byId("question").focus();
  running?.abort();
  const mine = (running = new AbortController());
  shown = empty();
  shown.busy = true;
  closeSection(false);
  complain("");
  show();
  try {
    await tried(question, mine);
    if (mine === running && !shown.times.done && byId("message").hidden) complain(texts().broken);
  } catch (error) {
    if (mine !== running || error.name === "AbortError") return;
    complain(error instanceof Refused ? error.message : texts().broken);
  }
  if (mine === running) {
    shown.busy = false;
    show();
  }
}

async function tried(question, mine) {
  for (let tries = 1; ; tries++) {
    try {
      return await streamAnswer(question, chosenLaws(), mine.signal, (stage, data) => mine === running && take(stage, data));
    } catch (error) {
      if (error.status !== 503 || tries === TRIES) throw error;
      complain(texts().busy);
      await new Promise((done) => setTimeout(done, 1000 * (error.retryAfter || 1)));
      if (mine !== running) return;
      complain("");
    }
  }
}

function take(stage, data) {
  if (stage in texts().stages) shown.times[stage] = data.milliseconds;
  if (stage === "embed") shown.point = data.point;
  if (stage === "route") shown.routes = data;
  if (stage === "retrieve") shown.dense = data.candidates;
  if (stage === "rerank") shown.reranked = data.candidates;
  if (stage === "judge") [shown.judgement, shown.evidence] = [data.judgement, data.evidence];
  if (stage === "write") shown.text += data.text;
  if (stage === "answer") shown.answered = data;
  if (stage === "attribute") shown.claims = data.claims;
  if (stage === "error") complain(texts().broken);
  show();
}

// --- showing

function show() {
  const begun = shown.busy || Object.keys(shown.times).length > 0;
  byId("stages").hidden = byId("result").hidden = !begun;
  byId("ladder-card").hidden = !shown.dense;
  showStages();
  showAnswer();
  showClaims();
  if (shown.dense) drawLadder(byId("ladder"), shown.dense, shown.reranked, texts(), openSection);
  drawMap();
}

function showStages() {
  const waiting = STAGES.find((stage) => !(stage in shown.times));
  byId("stages").replaceChildren(
    ...STAGES.map((stage) => {
      const time = shown.times[stage];
      const state = time !== undefined ? "finished" : shown.busy && stage === waiting ? "under-way" : "waiting";
      return element("li", { class: `${state} ${stage}` }, element("span", {}, texts().stages[stage]), element("b", {}, time === undefined ? "–" : milliseconds(time)));
    }),
  );
}

const milliseconds = (time) => (time < 10 ? `${time.toFixed(1)} ms` : time < 10000 ? `${Math.round(time)} ms` : `${(time / 1000).toFixed(1)} s`);

function showAnswer() {
  const { answered, judgement } = shown;
  const text = answered ? answered.answer : shown.text;
  const paragraphs = text.split(/\n+|(?<=[.:”“)]) (?=„)/).filter((part) => part.trim());
  byId("answer").classList.toggle("refused", Boolean(answered?.refused));
  byId("answer").replaceChildren(...paragraphs.map((part) => element("p", {}, ...linked(part))));
  if (answered?.refused && shown.evidence.length) {
    byId("answer").append(element("p", { class: "small" }, `${texts().nearest} `, ...shown.evidence.slice(0, 3).flatMap((passage) => [citationButton(passage.citation, null), " "])));
  }
  byId("judgement").replaceChildren(...(judgement ? meter(judgement) : []));
  const notes = answered ? [...answered.notes, ...answered.removed_citations.map((removed) => texts().removed(removed.citation))] : [];
  byId("notes").replaceChildren(...notes.filter(Boolean).map((note) => element("li", {}, note)));
  const searched = shown.routes?.searched ?? [];
  byId("routes").hidden = !searched.length;
  byId("routes").textContent = texts().searched(searched.map(nameOf).join(", "));
  byId("builds").textContent = answered && meta ? texts().builds(meta.laws.filter((law) => !searched.length || searched.includes(law.slug)).map((law) => `${law.law} ${law.build}`).join(", ")) : "";
}

const nameOf = (slug) => meta?.laws.find((law) => law.slug === slug)?.law ?? slug;

function meter(judgement) {
  const said = judgement.sufficient ? texts().confidence : texts().insufficient;
  return [bar(judgement.confidence, judgement.threshold, judgement.sufficient), said(judgement.confidence.toFixed(2), judgement.threshold.toFixed(2))];
}

function bar(score, threshold, good) {
  const fill = element("i", { class: good ? "fill good" : "fill bad" });
  fill.style.width = `${Math.max(0, Math.min(1, score)) * 100}%`;
  const made = element("span", { class: "meter", "aria-hidden": "true" }, fill);
  if (threshold !== null) {
    const line = element("i", { class: "threshold" });
    line.style.left = `${threshold * 100}%`;
    made.append(line);
  }
  return made;
}

function showClaims() {
  const claims = shown.claims ?? [];
  byId("support").hidden = !claims.length;
  byId("claims").replaceChildren(
    ...claims.map((claim) => {
      const state = claim.meta ? "about-text" : claim.supported ? "supported" : "unsupported";
      const word = claim.meta ? texts().meta : claim.supported ? texts().supported : texts().unsupported;
      const line = element("div", { class: "claim-line" }, element("span", { class: "state" }, word));
      if (claim.citation) line.append(bar(claim.score, null, claim.supported), element("span", { class: "score" }, claim.score.toFixed(2)), citationButton(claim.sentence?.citation ?? claim.citation, claim.sentence?.citation ?? claim.citation));
      return element("li", { class: state }, element("p", { title: claim.text }, claim.text), line);
    }),
  );
}

// The text with the citations of the laws served as buttons.
function linked(text) {
  if (!meta) return [text];
  const names = meta.laws.map((law) => law.law.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const citation = new RegExp(`((?:§|Art\\.?)\\s?\\d+[a-z]?(?:\\s(?:§|Abs\\.|Absatz|Satz|Nr\\.|Buchst\\.)\\s?[0-9]*[a-z]{0,2})*\\s(?:${names})(?![\\wäöüß]))`, "g");
  const parts = text.split(citation);
  return parts.map((part, place) => {
    if (place % 2) return citationButton(part, part);
    const opened = place === 0 ? part : part.replace(/^\)/, ""); // a button needs no brackets around it
    return place === parts.length - 1 ? opened : opened.replace(/\($/, "");
  });
}

function citationButton(citation, marked) {
  return element("button", { type: "button", class: "citation", onclick: (event) => openSection(citation, marked, event.currentTarget) }, citation);
}

function drawMap() {
  byId("plane-card").hidden = !dots.items.length;
  if (!dots.items.length || !meta) return;
  const laws = chosenLaws();
  const items = dots.items.filter((dot) => !laws.length || laws.includes(dot.slug));
  const share = meta.variance.map((one) => `${Math.round(one * 100)} %`).join(" + ");
  byId("plane-note").textContent = texts().planeNote(share, dots.items.length, dots.total);
  drawPlane(byId("plane"), byId("legend"), byId("plane-dot"), items, { point: shown.point, evidence: shown.evidence.map((passage) => passage.passage_id) }, texts(), openSection);
}

// --- a section

async function openSection(citation, marked, from) {
  let data;
  try {
    data = await getJson(`/api/section/${encodeURIComponent(citation)}`);
  } catch {
    return complain(texts().noSection);
  }
  opener = from ?? document.activeElement;
  section = { data, marked: marked ?? citation };
  byId("result").hidden = false;
  byId("section").hidden = false;
  byId("result").classList.add("with-section");
  showSection(data, section.marked, texts());
  if (shown.dense) drawLadder(byId("ladder"), shown.dense, shown.reranked, texts(), openSection);
  byId("section").focus({ preventScroll: true });
  byId("section").scrollIntoView({ block: "nearest", behavior: "smooth" });
}

function closeSection(back = true) {
  if (byId("section").hidden) return;
  section = null;
  byId("section").hidden = true;
  byId("result").classList.remove("with-section");
  if (back) opener?.focus();
}

function complain(text) {
  byId("message").textContent = text;
  byId("message").hidden = !text;
}

// --- hands

byId("ask").addEventListener("submit", (event) => { event.preventDefault(); ask(); });
byId("question").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); ask(); }
});
byId("close").addEventListener("click", () => closeSection());
document.addEventListener("keydown", (event) => event.key === "Escape" && closeSection());
for (const button of document.querySelectorAll("[data-language]")) button.addEventListener("click", () => { language = button.dataset.language; speak(); });
let width = window.innerWidth;
window.addEventListener("resize", () => { if (window.innerWidth !== width) { width = window.innerWidth; show(); } });

start();
