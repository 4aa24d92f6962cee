// Prints a line of JSON for each address given: how Lighthouse rates the page, and the audits that
// it does not pass. CHROME_PATH names the browser, CHROME_FLAGS its flags as a JSON array.

import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const CATEGORIES = ["accessibility", "best-practices", "seo"];

const chrome = await launch({ chromeFlags: JSON.parse(process.env.CHROME_FLAGS) });
try {
  for (const address of process.argv.slice(2)) console.log(JSON.stringify(await rated(address)));
} finally {
  await chrome.kill();
}

async function rated(address) {
  const { lhr } = await lighthouse(address, {
    port: chrome.port,
    logLevel: "silent",
    onlyCategories: CATEGORIES,
    // Nothing here depends on speed, for which Lighthouse waits: with real throttling 5 seconds
    // and more, with simulated throttling as long as it is told to (0 would mean the default).
    throttlingMethod: "simulate",
    pauseAfterFcpMs: 1,
    pauseAfterLoadMs: 1,
    networkQuietThresholdMs: 1,
    cpuQuietThresholdMs: 1,
    disableStorageReset: true,
  });
  const scores = Object.values(lhr.categories).map(({ id, score }) => [id, score && score * 100]);
  const counted = Object.values(lhr.categories).flatMap(({ auditRefs }) => auditRefs);
  const missed = counted
    .filter(({ weight }) => weight > 0)
    .map(({ id }) => lhr.audits[id])
    .filter(({ score }) => score !== null && score < 1)
    .map(({ id, title, details }) => `${id}: ${title} ${JSON.stringify(details?.items ?? [])}`);
  return { address, scores: Object.fromEntries(scores), missed };
}
