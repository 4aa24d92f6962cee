// Shows how far the scoring has come and lets it be stopped. Everything here also works without
// it, by a page load.
"use strict";

const main = document.getElementById("main");
let asked = null; // the request under way; a newer one takes its place

const part = (id) => document.getElementById(id);
const figure = (number) => number.toLocaleString("en-GB");

function tell(words, done, total) {
  part("progress").hidden = false;
  part("progress-words").textContent = words;
  const bar = part("progress-bar");
  if (total) {
    bar.max = total;
    bar.value = done;
  } else bar.removeAttribute("value");
}

// --- Files that are chosen and not sent yet.

const fileFields = (form) => [...form.querySelectorAll('input[type="file"]')];

function bytesChosen(form) {
  let bytes = 0;
  for (const field of fileFields(form)) {
    for (const file of field.files) bytes += file.size;
  }
  return bytes;
}

// --- Sending, and reading the answer line by line: how far it has come, at last the page.

async function send(form, submitter) {
  asked?.abort();
  const mine = (asked = new AbortController());
  const fields = new FormData(form, submitter);
  const bytes = bytesChosen(form);
  const isToScore = submitter?.name === "score";
  fields.append("progress", "1");
  // New files take the place of what the page holds, which need not be sent along.
  if (bytes && isToScore) fields.delete("state");
  const isTooLarge = isToScore && bytes > Number(form.dataset.bytes);
  // What would be refused is only named, and refused in the same words; a view asks for no files.
  if (isTooLarge) fields.set("bytes", bytes);
  if (isTooLarge || !isToScore) for (const field of fileFields(form)) fields.delete(field.name);
  tell("Sending the files…");
  main.setAttribute("aria-busy", "true");
  const [path, anchor] = (submitter?.getAttribute("formaction") ?? form.action).split("#");
  try {
    const answer = await fetch(path, { method: "POST", body: fields, signal: mine.signal });
    const isNews = answer.headers.get("Content-Type")?.startsWith("application/x-ndjson");
    const html = isNews ? await lastOf(answer) : await answer.text();
    const waiting = isToScore ? [] : fileFields(form).filter((field) => field.files.length);
    takeOver(new DOMParser().parseFromString(html, "text/html"), anchor);
    waiting.forEach(putBack);
  } catch (error) {
    if (mine !== asked) return;
    tell(mine.signal.aborted ? "Stopped. Nothing was scored." : "The answer did not come. Try again.", 0, 1);
    part("stop").hidden = true;
  }
  main.removeAttribute("aria-busy");
}

async function lastOf(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const news = JSON.parse(line);
      if (news.page) return news.page;
      if (news.failed) throw new Error("failed");
      tell(`${news.what}: ${figure(news.done)} of ${figure(news.total)} scores`, news.done, news.total);
    }
    if (done) throw new Error("the answer broke off");
  }
}

function takeOver(page, anchor) {
  const fresh = page.getElementById("main");
  if (!fresh) throw new Error("not a page");
  document.title = page.title;
  if (page.querySelector(".error-summary") && !page.querySelector("[name=state]")) {
    // What was chosen stays chosen where the page does not hold it: no browser fills in a file.
    part("error-summary").replaceChildren(...page.getElementById("error-summary").childNodes);
    part("progress").hidden = true;
    markErrors(page.getElementById("files"));
  } else main.replaceChildren(...fresh.childNodes);
  show(document.querySelector(".error-summary") ?? part(anchor) ?? part("result"));
}

// Errors at the fields as the other form has them; what they are folded into unfolds.
function markErrors(other) {
  for (const told of other.querySelectorAll('[id^="id_"][id$="-error"]')) {
    const field = part(told.id.slice(0, -"-error".length));
    field.removeAttribute("aria-invalid");
    if (told.children.length) {
      if (field.matches("input, textarea, select")) field.setAttribute("aria-invalid", "true");
      field.closest("details")?.setAttribute("open", "");
    }
    part(told.id).replaceChildren(...told.childNodes);
  }
}

// A file that was chosen and does not count yet stays chosen.
function putBack(field) {
  const empty = part(field.id);
  if (empty === field) return;
  empty?.replaceWith(field);
  field.closest("details")?.setAttribute("open", "");
}

function show(target) {
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: "start" });
}

main.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id !== "files") return;
  if (event.submitter?.hasAttribute("data-download")) {
    // Files chosen since are no part of the results. The browser reads the fields after this.
    const waiting = fileFields(form);
    for (const field of waiting) field.disabled = true;
    setTimeout(() => waiting.forEach((field) => (field.disabled = false)));
    return;
  }
  event.preventDefault();
  part("stop").hidden = false;
  send(form, event.submitter);
});

// The fields of the views stand outside the form's element: they change nothing that was scored.
main.addEventListener("input", (event) => {
  if (part("result") && part("files").contains(event.target)) {
    part("changed").textContent = "Changed since it was scored.";
  }
});

// The Enter key in a filter means the filter's button; of itself it would press the first one.
main.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || !event.target.matches('input[form="files"]')) return;
  event.preventDefault();
  event.target.closest(".settings").querySelector("button").click();
});

main.addEventListener("click", (event) => {
  if (event.target.id === "stop") asked?.abort();
});
