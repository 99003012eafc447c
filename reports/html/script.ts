/** The script of the page: filters and copy buttons. All content is on the page without it. */
export const script = `"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  let entries = new Map();
  function collect() {
    entries = new Map(
      all("tr[data-id]").map((row) => [row.dataset.id, { ...row.dataset, elements: [row], text: row.textContent }]),
    );
    for (const element of all(".broken[data-id], .map [data-id]")) {
      const entry = entries.get(element.dataset.id);
      if (!entry) continue;
      entry.elements.push(element);
      entry.text += " " + (element.closest(".card") ?? element).textContent;
    }
    for (const entry of entries.values()) entry.text = entry.text.toLowerCase();
  }
  collect();

  const form = document.getElementById("filters");
  const shown = document.getElementById("shown");
  form.hidden = false;

  function filter() {
    const wanted = new FormData(form);
    const verdicts = wanted.getAll("verdict");
    const words = String(wanted.get("text")).toLowerCase().split(/\\s+/).filter(Boolean);
    const fits = (entry) =>
      (verdicts.length === 0 || verdicts.includes(entry.verdict)) &&
      [entry.level, ""].includes(wanted.get("level")) &&
      [entry.area, ""].includes(wanted.get("area")) &&
      words.every((word) => entry.text.includes(word));
    let count = 0;
    for (const entry of entries.values()) {
      const out = !fits(entry);
      if (!out) count++;
      for (const element of entry.elements) element.classList.toggle("out", out);
    }
    for (const group of all(".cause, tbody")) {
      group.classList.toggle("out", all("[data-id]", group).length > 0 && !group.querySelector("[data-id]:not(.out)"));
    }
    for (const note of all(".nothing")) note.hidden = !!note.parentElement.querySelector("[data-id]:not(.out)");
    const active = verdicts.length > 0 || words.length > 0 || wanted.get("level") !== "" || wanted.get("area") !== "";
    shown.textContent = active ? count + " of " + entries.size : "";
    form.classList.toggle("active", active);
  }
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());

  const reveal = () => {
    let target = null;
    try {
      target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch {}
    if (!target) return;
    if (target.closest(".out")) form.reset();
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
    setTimeout(() => target.scrollIntoView());
  };
  addEventListener("hashchange", reveal);
  reveal();

  const addCopier = (block) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copier";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy: " + block.textContent.slice(0, 120));
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(block.textContent);
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1500);
      } catch {
        getSelection().selectAllChildren(block);
      }
    });
    block.before(button);
  };
  all(".copy").forEach(addCopier);

  // Only the live page changes after it was loaded.
  addEventListener("fxconform-update", () => {
    collect();
    if (form.classList.contains("active")) filter();
    for (const block of all(".copy")) if (!block.previousElementSibling?.classList.contains("copier")) addCopier(block);
  });
})();
`;
