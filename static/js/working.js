// Makes the working livelier: edits step by step, n-grams that light up. All that they show stands
// there without them, too.
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

// --- The inspector: the words of the n-gram under the pointer or the focus light up in the texts.

const wordsIn = (part) => [...part.querySelectorAll("bdi bdi")].map((word) => word.textContent);

// A text as its words and their elements, side by side.
function textOf(paragraph) {
  const places = [...paragraph.children];
  return { places, words: places.map((place) => place.querySelector("bdi").textContent) };
}

function light(texts, ngram) {
  for (const { places, words } of texts) {
    const lit = new Set();
    for (let at = 0; ngram.length && at + ngram.length <= words.length; at += 1) {
      if (ngram.every((word, step) => words[at + step] === word)) {
        ngram.forEach((_, step) => lit.add(at + step));
      }
    }
    places.forEach((place, at) => place.classList.toggle("lit", lit.has(at)));
  }
}

function startInspector(inspector, texts) {
  const rows = [...inspector.querySelectorAll("tbody tr")];
  if (!rows.length) return;
  const isShown = (row) => row.offsetParent !== null;
  const show = (row) => light(texts, row ? wordsIn(row.cells[0]) : []);
  const body = rows[0].parentElement;

  // One stop of the Tab key for all rows; the arrow keys go on from there.
  rows.forEach((row, number) => (row.tabIndex = number ? -1 : 0));
  function focus(row) {
    rows.forEach((other) => (other.tabIndex = other === row ? 0 : -1));
    row.focus();
  }
  body.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const shown = rows.filter(isShown);
    const next = shown[shown.indexOf(event.target.closest("tr")) + step];
    if (next) focus(next);
  });
  // A filter may have hidden the row that the Tab key would stop at.
  inspector.addEventListener("change", () => {
    const first = rows.find(isShown);
    rows.forEach((row) => (row.tabIndex = row === first ? 0 : -1));
  });
  body.addEventListener("pointerover", (event) => show(event.target.closest("tr")));
  body.addEventListener("pointerleave", () => show(document.activeElement.closest("[data-inspector] tr")));
  body.addEventListener("focusin", (event) => show(event.target.closest("tr")));
  body.addEventListener("focusout", () => show(null));
  inspector.querySelector("[data-lights]").hidden = false;
}

function startInspectors() {
  const texts = [...document.querySelectorAll("[data-texts] [data-words]")].map(textOf);
  if (!texts.length) return;
  for (const inspector of document.querySelectorAll("[data-inspector]")) {
    startInspector(inspector, texts);
  }
}

// --- Once for the page, and again for each result that takes its place.

function start() {
  document.querySelectorAll("[data-player]").forEach(startPlayer);
  startInspectors();
}

document.addEventListener("swapped", start);
start();
