// Runs Lighthouse over the addresses on stdin, one a line, in the Chromium that listens on a port, and writes one line of JSON for
// each: {"url", "error", "audits": {id: {"score", "mode", "shown"}}}.
//
//   node lighthouse.mjs PORT AUDIT,AUDIT,...

import {createInterface} from 'node:readline';
import lighthouse from 'lighthouse';

const [port, audits] = process.argv.slice(2);

// What would only cost Lighthouse time is switched off: screenshots, and long waits for pages that are still at work (these are
// local and do nothing). Error pages are audited, as by Sitegrade.
const quiet = 100; // milliseconds
const settings = {
  onlyAudits: audits.split(','),
  throttlingMethod: 'simulate', // in numbers only; the page itself loads as fast as it can
  pauseAfterFcpMs: quiet,
  pauseAfterLoadMs: quiet,
  networkQuietThresholdMs: quiet,
  cpuQuietThresholdMs: quiet,
  disableFullPageScreenshot: true,
  ignoreStatusCode: true,
  maxWaitForLoad: 20_000,
};

const shownItems = 3;

// shown gives what an audit points at: the first elements, or what its items say.
function shown(audit) {
  const items = audit.details?.items ?? [];
  const texts = items.slice(0, shownItems).map((item) => item.node?.snippet ?? JSON.stringify(item));
  if (audit.explanation) texts.unshift(audit.explanation);
  return texts;
}

for await (const url of createInterface({input: process.stdin})) {
  const line = {url, error: '', audits: {}};
  try {
    const {lhr} = await lighthouse(url, {port: Number(port), logLevel: 'silent'}, {extends: 'lighthouse:default', settings});
    line.error = lhr.runtimeError?.message ?? '';
    line.version = lhr.lighthouseVersion;
    for (const [id, audit] of Object.entries(lhr.audits)) {
      line.audits[id] = {score: audit.score, mode: audit.scoreDisplayMode, shown: shown(audit)};
    }
  } catch (err) {
    line.error = String(err);
  }
  process.stdout.write(JSON.stringify(line) + '\n');
}
