// The index map: a dot an Absatz, coloured by division (by law where several are shown), linked to its nearest neighbour.
import { element, shape } from "./build.js";

const COLOURS = 8;
const HEIGHT = 420;
const MARGIN = 18;

export function drawPlane(place, legend, said, dots, marks, texts, open) {
  const width = Math.max(300, place.clientWidth || 900);
  const height = Math.min(HEIGHT, width * 0.75);
  const points = [...dots.map((dot) => [dot.x, dot.y]), ...(marks.point ? [marks.point] : [])];
  const scale = (axis, low, high) => {
    const values = points.map((point) => point[axis]);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return (value) => low + ((value - least) / (most - least || 1)) * (high - low);
  };
  const [x, y] = [scale(0, MARGIN, width - MARGIN), scale(1, height - MARGIN, MARGIN)];
  const groups = grouped(dots);
  const byPassage = new Map(dots.map((dot) => [dot.passage_id, dot]));
  const picture = shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${texts.planeLabel}: ${dots.length}` });
  for (const dot of dots) {
    const near = byPassage.get(dot.nearest);
    if (near) picture.append(shape("line", { class: `near c${groups.of(dot)}`, x1: x(dot.x), y1: y(dot.y), x2: x(near.x), y2: y(near.y) }));
  }
  const radius = dots.length > 1500 ? 2 : dots.length > 300 ? 3 : 4.5;
  const evidence = new Set(marks.evidence);
  for (const dot of dots) {
    const found = evidence.has(dot.passage_id);
    const say = () => (said.textContent = `${dot.citation} · ${dot.heading} · ${texts.chars(dot.characters)}`);
    picture.append(
      shape(
        "circle",
        { class: `dot c${groups.of(dot)}${found ? " found" : ""}`, cx: x(dot.x), cy: y(dot.y), r: found ? radius + 3 : radius, onclick: () => open(dot.citation, null), onmouseenter: say },
        shape("title", {}, `${dot.citation} ${dot.heading}`),
      ),
    );
  }
  if (marks.point) {
    const [qx, qy] = [x(marks.point[0]), y(marks.point[1])];
    const end = qx > width * 0.75;
    picture.append(
      shape("path", { class: "asked", d: `M${qx} ${qy - 10}L${qx + 10} ${qy}L${qx} ${qy + 10}L${qx - 10} ${qy}Z` }),
      shape("text", { class: "asked-name", x: qx + (end ? -15 : 15), y: qy + 5, "text-anchor": end ? "end" : "start" }, texts.question),
    );
  }
  place.replaceChildren(picture);
  legend.replaceChildren(...groups.names.map((name, number) => element("li", {}, element("span", { class: `swatch c${number}` }), name || texts.others)));
}

function grouped(dots) {
  const several = new Set(dots.map((dot) => dot.slug)).size > 1;
  const key = (dot) => (several ? dot.citation.split(" ").pop() : dot.division);
  const names = [...new Set(dots.map(key))];
  const shown = names.length > COLOURS ? [...names.slice(0, COLOURS - 1), ""] : names;
  return { names: shown, of: (dot) => { const place = shown.indexOf(key(dot)); return place < 0 ? shown.length - 1 : place; } };
}
