import { questions } from "../../spec/questions.ts";
import { plain } from "../plain.ts";
import type { Observation, Run } from "../run.ts";
import { h, type Markup } from "./markup.ts";

const shown = 12;

/** What this server does where the specification is silent. */
export function observations(run: Run): Markup | undefined {
  const answered = run.observations.filter((observation) => observation.answers.length > 0);
  if (answered.length === 0) return undefined;
  const open = run.observations.length - answered.length;
  return h`<section id="observed" aria-labelledby="observed-title">
<h2 id="observed-title">Where the specification is silent <span class="of">${answered.length} observed</span></h2>
<p class="hint">Facts about this server, not verdicts. A statement can pin them.${open > 0 && ` ${open} questions were not observed in this run.`}</p>
<dl class="observed">
${answered.map(entry)}</dl>
</section>
`;
}

function entry({ id, question, answers }: Observation): Markup {
  const more = answers.length - shown;
  return h`<div id="${id}"><dt><span class="id">${id}</span> ${question} <span class="source">${sourceOf(id)}</span></dt>
<dd>${answers.slice(0, shown).map(({ value, count }) => h`<span class="answer">${plain(value, 160)}<span class="times"> × ${count}</span></span> `)}${more > 0 && h`<span class="times">and ${more} more</span>`}</dd></div>
`;
}

/** Nothing for a question of another version. */
const sourceOf = (id: Observation["id"]): string | undefined =>
  Object.hasOwn(questions, id) ? questions[id].source : undefined;
