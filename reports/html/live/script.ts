/** The script of the live page: fetches the pieces that changed, replaces them, and requests checks of requirements. */
export const liveScript = `"use strict";
(() => {
  const status = document.getElementById("status");
  const isKept = (node) => node.nodeType === 1 && (node.classList.contains("copier") || node.classList.contains("rerun"));
  const options = {
    childrenOnly: true,
    onBeforeElUpdated(from, to) {
      if (from.isEqualNode(to)) return false;
      if (from.tagName === "DETAILS" && from.open) to.open = true;
      if (from.classList.contains("out")) to.classList.add("out");
      if (from.tagName !== "svg") return true;
      from.replaceWith(to.cloneNode(true));
      return false;
    },
    onBeforeNodeDiscarded: (node) => !isKept(node),
  };
  const rest = () => new Promise((resolve) => setTimeout(resolve));

  function put(name, html) {
    const place = document.querySelector('[data-piece="' + name + '"]');
    const next = place.cloneNode(false);
    next.innerHTML = html;
    morphdom(place, next, options);
  }

  let isRunning = true;
  async function check(only) {
    setRunning(true);
    const response = await fetch("check", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ only }),
    });
    if (!response.ok) setRunning(false);
  }
  function setRunning(now) {
    isRunning = now;
    document.documentElement.dataset.running = now;
    for (const button of document.querySelectorAll("button.rerun, button[data-only]")) button.disabled = now;
  }
  for (const button of document.querySelectorAll("button[data-only]"))
    button.addEventListener("click", () => check(button.dataset.only));

  function addButtons() {
    for (const place of document.querySelectorAll(".broken[data-id], tr[data-id] > td.id")) {
      if (place.querySelector(".rerun")) continue;
      const id = place.dataset.id ?? place.parentElement.dataset.id;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "rerun";
      button.textContent = "Check again";
      button.disabled = isRunning;
      button.setAttribute("aria-label", "Check again: " + id);
      button.addEventListener("click", () => check([id]));
      place.append(button);
    }
  }

  async function follow() {
    let version = 0;
    for (;;) {
      const response = await fetch("pieces?after=" + version);
      if (!response.ok) throw new Error(response.status);
      const next = await response.json();
      version = next.version;
      for (const [name, html] of Object.entries(next.pieces)) {
        put(name, html);
        await rest();
      }
      if (Object.keys(next.pieces).length > 0) {
        if (status.textContent !== next.status) status.textContent = next.status;
        document.title = next.title;
        addButtons();
        setRunning(next.isRunning);
        await rest();
        dispatchEvent(new Event("fxconform-update"));
      }
    }
  }
  follow().catch(() => {
    status.textContent = "fxconform has stopped. This page shows the last state.";
    setRunning(true);
    document.documentElement.dataset.running = "over";
  });
})();
`;
