// Makes the calculator quicker to use. Everything here also works without it, by a page load.
"use strict";

const form = document.getElementById("calculator");
const status = form.querySelector("[data-status]");
const outcome = document.getElementById("outcome");

// --- Counts under the limit, as the server counts: code points, with line ends as one.

const plain = (text) => text.replace(/\r\n?/g, "\n");
const figure = (number) => number.toLocaleString("en-GB");
const many = (number, word) => `${figure(number)} ${word}${number === 1 ? "" : "s"}`;
const wordsOf = (text) => (text.match(/\S+/g) || []).length;

// Blank lines at the end are no references, as on the server.
function referencesOf(text) {
  const trimmed = text.replace(/\s+$/, "");
  return trimmed ? trimmed.split("\n").length : 0;
}

function showCount(box) {
  const counter = document.getElementById(`${box.id}-count`);
  const text = plain(box.value);
  const limit = Number(counter.dataset.limit);
  let characters = 0;
  for (const _ of text) characters += 1;
  const isTooLong = characters > limit;
  const parts = [many(wordsOf(text), "word")];
  if (counter.dataset.counts === "references") parts.unshift(many(referencesOf(text), "reference"));
  parts.push(`${figure(characters)} of ${figure(limit)} characters`);
  if (isTooLong) parts.push(`${figure(characters - limit)} too many`);
  counter.textContent = parts.join(" · ");
  counter.classList.toggle("too-long", isTooLong);
}

const boxes = [...form.querySelectorAll("textarea")];
boxes.forEach(showCount);

// --- Presets fill the options in.

const controlOf = (name) => form.querySelector(`[name="${name}"]:not([type="hidden"])`);

function fillIn(radio) {
  for (const [name, value] of Object.entries(JSON.parse(radio.dataset.values))) {
    const control = controlOf(name);
    if (control.type === "checkbox") control.checked = value;
    else control.value = value ?? "";
  }
  form.elements.preset_shown.value = radio.value;
  tell("options-summary", radio.labels[0].textContent.trim());
}

function tell(id, text) {
  document.getElementById(id).textContent = text;
}

form.addEventListener("change", (event) => {
  const control = event.target;
  if (control.name === "preset") fillIn(control);
  else if (control.closest("#options")) {
    const summary = document.getElementById("options-summary");
    if (!summary.textContent.endsWith("changed")) summary.textContent += ", changed";
  }
});

form.addEventListener("input", (event) => {
  if (event.target.tagName === "TEXTAREA") showCount(event.target);
  if (outcome.firstElementChild) status.textContent = "Changed since it was scored.";
});

// --- Scoring without leaving the page.

let asked = null; // the request under way; a newer one takes its place

async function score() {
  asked?.abort();
  const mine = (asked = new AbortController());
  status.textContent = "Scoring…";
  outcome.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action.split("#")[0], {
      method: "POST",
      body: new FormData(form),
      signal: mine.signal,
    });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!page.getElementById("calculator")) throw new Error("not this page");
    takeOver(page);
  } catch (error) {
    if (mine.signal.aborted) return;
    // Let the browser show what went wrong, or the server's own page of refusal.
    form.submit();
    return;
  }
  outcome.removeAttribute("aria-busy");
  status.textContent = "";
}

function takeOver(page) {
  document.title = page.title;
  page.querySelector("[autofocus]")?.removeAttribute("autofocus");
  for (const part of document.querySelectorAll("[data-swap]")) {
    part.replaceChildren(...(page.getElementById(part.id)?.childNodes ?? []));
  }
  for (const control of form.querySelectorAll("[aria-describedby]")) {
    const isInvalid = page.getElementById(control.id)?.hasAttribute("aria-invalid");
    if (isInvalid) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  }
  if (page.getElementById("options").open) document.getElementById("options").open = true;
  showCopyButtons();
  document.dispatchEvent(new Event("swapped"));
  const target = document.querySelector(".error-summary") ?? document.getElementById("result");
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "start" });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  score();
});

form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
  }
});

// --- Links into a folded example or answer unfold it.

function unfold() {
  const target = document.getElementById(location.hash.slice(1));
  const folded = target?.closest("details:not([open])");
  if (!folded) return;
  folded.open = true;
  target.scrollIntoView();
}

window.addEventListener("hashchange", unfold);
unfold();

// --- Copying.

function showCopyButtons() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  button.firstChild.data = "Copied";
});

showCopyButtons();
