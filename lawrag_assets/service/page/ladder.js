// The rerank ladder: the search's order against the reranker's, both score ranges on one axis from 0 to 1.
import { shape } from "./build.js";

const STEP = 23;
const TOP = 104;
const ROOM_FOR_SCORES = 460;
const LETTER = 7;
const EVIDENCE = 5;

export function drawLadder(place, dense, reranked, texts, open) {
  const width = Math.max(300, Math.min(place.clientWidth || 600, 680));
  const height = TOP + dense.length * STEP + 6;
  const longest = Math.max(...dense.map((one) => one.citation.length)) + (width < ROOM_FOR_SCORES ? 0 : 6);
  const side = Math.min(longest * LETTER + 6, width * 0.45);
  const picture = shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": texts.ladder });
  axis(picture, width, texts, dense.map((one) => one.score), reranked ? reranked.map((one) => one.rerank_score) : null);
  dense.forEach((candidate, row) => rung(picture, candidate, row, "start", 0, width < ROOM_FOR_SCORES ? null : candidate.score, open));
  for (const candidate of reranked || []) {
    const from = TOP + (candidate.rank - 1) * STEP;
    const to = TOP + (candidate.rerank_rank - 1) * STEP;
    const evidence = candidate.rerank_rank <= EVIDENCE;
    const middle = width / 2;
    picture.append(shape("path", { class: evidence ? "link evidence" : "link", d: `M${side} ${from} C${middle} ${from} ${middle} ${to} ${width - side} ${to}` }));
  }
  (reranked || []).forEach((candidate, row) => rung(picture, candidate, row, "end", width, width < ROOM_FOR_SCORES ? null : candidate.rerank_score, open));
  place.replaceChildren(picture);
}

function rung(picture, candidate, row, anchor, x, score, open) {
  const evidence = anchor === "end" && row < EVIDENCE;
  const parts = score === null ? [candidate.citation] : [candidate.citation, score.toFixed(2)];
  const label = (anchor === "end" ? parts.reverse() : parts).join("  ");
  const go = () => open(candidate.citation, null);
  picture.append(
    shape(
      "text",
      { x, y: TOP + row * STEP + 4, "text-anchor": anchor, class: evidence ? "rung evidence" : "rung", role: "link", tabindex: anchor === "end" ? 0 : -1, onclick: go, onkeydown: (event) => event.key === "Enter" && go() },
      label,
      shape("title", {}, `${candidate.citation} ${candidate.heading}`),
    ),
  );
}

function axis(picture, width, texts, dense, reranked) {
  const left = 6;
  const at = (score) => left + Math.max(0, Math.min(1, score)) * (width - 2 * left);
  const rows = [
    [texts.search, dense, 30, "range search"],
    [texts.reranker, reranked, 52, "range rerank"],
  ];
  picture.append(shape("line", { class: "axis", x1: at(0), x2: at(1), y1: 64, y2: 64 }));
  for (const tick of [0, 0.5, 1]) picture.append(shape("text", { class: "tick", x: at(tick), y: 78, "text-anchor": tick === 0 ? "start" : tick === 1 ? "end" : "middle" }, String(tick)));
  for (const [name, scores, y, kind] of rows) {
    if (!scores || !scores.length) continue;
    const [low, high] = [Math.min(...scores), Math.max(...scores)];
    picture.append(shape("rect", { class: kind, x: at(low), y: y - 4, width: Math.max(2, at(high) - at(low)), height: 8, rx: 4 }));
    for (const score of scores) picture.append(shape("line", { class: `mark ${kind}`, x1: at(score), x2: at(score), y1: y - 7, y2: y + 7 }));
    const words = `${name} ${low.toFixed(2)}–${high.toFixed(2)}`;
    picture.append(shape("text", { class: "range-name", x: at(0), y: y - 10 }, words));
  }
}
