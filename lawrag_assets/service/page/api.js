// Requests to the service. Its address is the one setting of this page: <meta name="api-base">.
const BASE = document.querySelector('meta[name="api-base"]').content.replace(/\/$/, "");

export class Refused extends Error {
  constructor(status, detail, retryAfter) {
    super(detail);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export async function getJson(path) {
  const answer = await fetch(BASE + path);
  if (!answer.ok) throw await refusal(answer);
  return answer.json();
}

// Calls told(stage, data) for each event of a streamed answer.
export async function streamAnswer(question, laws, signal, told) {
  const parameters = new URLSearchParams({ question });
  for (const law of laws) parameters.append("laws", law);
  const answer = await fetch(`${BASE}/api/query/stream?${parameters}`, { signal });
  if (!answer.ok) throw await refusal(answer);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    waiting += value;
    const blocks = waiting.split("\n\n");
    waiting = blocks.pop();
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
      if (fields.event) told(fields.event, JSON.parse(fields.data));
    }
  }
}

async function refusal(answer) {
  const body = await answer.json().catch(() => ({}));
  return new Refused(answer.status, body.detail || String(answer.status), Number(answer.headers.get("Retry-After")));
}
