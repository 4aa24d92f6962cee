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

// --- What would be refused is said before it is sent.

function bytesChosen(form) {
  let bytes = 0;
  for (const field of form.querySelectorAll('input[type="file"]')) {
    for (const file of field.files) bytes += file.size;
  }
  return bytes;
}

function refusal(form) {
  const limit = Number(form.dataset.bytes);
  const bytes = bytesChosen(form);
  if (bytes <= limit) return "";
  const size = (number) => `${(number / 1e6).toFixed(1)} MB`;
  return (
    `The files have ${size(bytes)}; this page takes ${size(limit)} at once. ` +
    "On your own machine, manage.py score takes them whole."
  );
}

// --- Sending, and reading the answer line by line: how far it has come, at last the page.

async function send(form, submitter) {
  asked?.abort();
  const mine = (asked = new AbortController());
  const fields = new FormData(form, submitter);
  fields.append("progress", "1");
  // New files take the place of what the page holds, which need not be sent along.
  if (bytesChosen(form)) fields.delete("state");
  tell("Sending the files…");
  main.setAttribute("aria-busy", "true");
  const [path, anchor] = (submitter?.getAttribute("formaction") ?? form.action).split("#");
  try {
    const answer = await fetch(path, { method: "POST", body: fields, signal: mine.signal });
    const isNews = answer.headers.get("Content-Type")?.startsWith("application/x-ndjson");
    const html = isNews ? await lastOf(answer) : await answer.text();
    takeOver(new DOMParser().parseFromString(html, "text/html"), anchor);
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
  } else main.replaceChildren(...fresh.childNodes);
  show(document.querySelector(".error-summary") ?? part(anchor) ?? part("result"));
}

function show(target) {
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: "start" });
}

main.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id !== "files" || event.submitter?.hasAttribute("data-download")) return;
  event.preventDefault();
  part("stop").hidden = false;
  const message = refusal(form);
  if (message) {
    tell(message, 0, 1);
    part("stop").hidden = true;
  } else send(form, event.submitter);
});

main.addEventListener("click", (event) => {
  if (event.target.id === "stop") asked?.abort();
});
