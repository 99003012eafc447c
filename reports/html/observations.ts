import { questions } from "../../spec/questions.ts";
import { answerGroups, type AnswerGroup } from "../answers.ts";
import { plain } from "../sanitize.ts";
import type { Observation, Run } from "../../model/run.ts";
import { h, type Markup } from "./markup.ts";

/** Maximum answers of a question and cases of an answer. With more than `open` cases, the cases are folded. */
const shown = { answers: 12, cases: 80, open: 3 } as const;

/** The observed answers to open questions. */
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

function entry(observation: Observation): Markup {
  const { id, question } = observation;
  const groups = answerGroups(observation);
  const more = groups.length - shown.answers;
  return h`<div id="${id}"><dt><span class="id">${id}</span> ${question} <span class="source">${sourceOf(id)}</span></dt>
<dd>${groups.slice(0, shown.answers).map(answer)}${more > 0 && h`<p class="times">and ${more} more</p>`}</dd></div>
`;
}

function answer({ answer: value, count, cases }: AnswerGroup): Markup {
  const often = count === cases.length ? "" : ` × ${count}`;
  const head = h`<span class="answer">${plain(value, 160)}</span><span class="times">${often}</span>`;
  if (cases.length === 0) return h`<p>${head}</p>`;
  if (cases.length <= shown.open) return h`<p>${head} <span class="cases">${plain(cases.join("; "), 400)}</span></p>`;
  const more = cases.length - shown.cases;
  return h`<details><summary>${head} <span class="cases">in ${cases.length} cases</span></summary>
<ul class="cases">${cases.slice(0, shown.cases).map((each) => h`<li>${plain(each, 160)}</li>`)}${more > 0 && h`<li>and ${more} more</li>`}</ul></details>`;
}

/** The section of the specification; undefined for a question that this version does not have. */
const sourceOf = (id: Observation["id"]): string | undefined =>
  Object.hasOwn(questions, id) ? questions[id].source : undefined;
