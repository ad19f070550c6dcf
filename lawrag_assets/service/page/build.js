// Elements made of plain values. Text is always set as text: nothing that comes from a law, a model or a question is ever read as HTML.
const SVG = "http://www.w3.org/2000/svg";

export function element(name, properties = {}, ...children) {
  return filled(document.createElement(name), properties, children);
}

export function shape(name, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, name), properties, children);
}

function filled(made, properties, children) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

export const byId = (id) => document.getElementById(id);
