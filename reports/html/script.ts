/** The script of the page: folds and copy buttons. All content is on the page without it. */
export const script = `"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  const reveal = () => {
    let target = null;
    try {
      target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch {}
    if (!target) return;
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
})();
`;
