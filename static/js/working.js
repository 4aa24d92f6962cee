// Makes the working livelier: edits step by step. Without it the same stands there as lists.
"use strict";

// --- The player: one state of the text at a time.

function startPlayer(player) {
  const states = [...player.querySelector("[data-states]").children];
  const [back, next] = player.querySelectorAll("[data-go]");
  const all = player.querySelector("[data-all]");
  const place = player.querySelector("[data-place]");
  const said = player.querySelector("[data-said]");
  const controls = player.querySelector("[data-controls]");
  let current = 0;
  let isWhole = false;

  function show() {
    states.forEach((state, number) => (state.hidden = !isWhole && number !== current));
    player.classList.toggle("is-playing", !isWhole);
    place.textContent = isWhole ? "" : `${current} of ${states.length - 1}`;
    // A disabled button would lose the focus; these only say that they lead nowhere.
    back.setAttribute("aria-disabled", String(isWhole || current === 0));
    next.setAttribute("aria-disabled", String(isWhole || current === states.length - 1));
    all.setAttribute("aria-pressed", String(isWhole));
  }

  function go(to) {
    const target = Math.min(Math.max(to, 0), states.length - 1);
    if (isWhole || target === current) return;
    current = target;
    show();
    said.textContent = `${place.textContent}. ${states[current].firstElementChild.textContent}`;
  }

  back.addEventListener("click", () => go(current - 1));
  next.addEventListener("click", () => go(current + 1));
  all.addEventListener("click", () => {
    isWhole = !isWhole;
    show();
  });
  controls.addEventListener("keydown", (event) => {
    const targets = {
      ArrowRight: current + 1,
      ArrowLeft: current - 1,
      Home: 0,
      End: states.length - 1,
    };
    if (!(event.key in targets) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(targets[event.key]);
  });
  controls.hidden = false;
  show();
}

// --- Once for the page, and again for each result that takes its place.

function start() {
  document.querySelectorAll("[data-player]").forEach(startPlayer);
}

document.addEventListener("swapped", start);
start();
