// A section with its structure as proportional cells, and one sentence or Absatz of it marked.
import { byId, element } from "./build.js";

export function showSection(section, marked, texts) {
  byId("section-title").textContent = [section.citation, section.heading].filter(Boolean).join(" · ");
  byId("section-where").textContent = section.hierarchy.join(" › ");
  byId("section-build").textContent = texts.build(section.law, section.build);
  const parts = section.subsections.map((subsection) => paragraph(subsection, marked, texts));
  byId("section-text").replaceChildren(...parts.map((part) => part.text));
  byId("cells").replaceChildren(...parts.map((part) => part.cell));
  const mark = byId("section-text").querySelector("mark");
  mark?.scrollIntoView({ block: "nearest" });
}

function paragraph(subsection, marked, texts) {
  const isMarked = (sentence) => sentence.citation === marked || subsection.citation === marked;
  const text = element("p", { tabindex: -1 });
  const label = subsection.label === null ? "" : `(${subsection.label}) `;
  text.append(label);
  if (subsection.status !== "in_force") text.append(element("em", {}, `${texts.status[subsection.status] || subsection.status} `));
  let at = 0;
  for (const sentence of subsection.sentences) {
    text.append(subsection.text.slice(at, sentence.start));
    text.append(subsection.sentences.length > 1 ? element("sup", {}, String(sentence.number)) : "");
    const words = subsection.text.slice(sentence.start, sentence.end);
    text.append(isMarked(sentence) ? element("mark", {}, words) : words);
    at = sentence.end;
  }
  text.append(subsection.text.slice(at));
  const cell = element("button", { type: "button", class: "cell", "aria-label": `${subsection.citation}, ${texts.chars(subsection.text.length)}`, title: `${subsection.citation}, ${texts.chars(subsection.text.length)}`, onclick: () => { text.scrollIntoView({ block: "nearest", behavior: "smooth" }); text.focus({ preventScroll: true }); } });
  cell.style.flexGrow = String(Math.max(1, subsection.text.length));
  cell.append(element("span", { class: "cell-label" }, subsection.label === null ? "§" : subsection.label));
  for (const sentence of subsection.sentences) {
    const bar = element("span", { class: isMarked(sentence) ? "bar marked" : "bar" });
    bar.style.flexGrow = String(Math.max(1, sentence.end - sentence.start));
    cell.append(bar);
  }
  return { text, cell };
}
