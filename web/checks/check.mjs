// Holds the pages of a running server against three tools that nobody here wrote: axe-core (accessibility), the Nu HTML checker
// (HTML and CSS) and Lighthouse. It needs Node 20, Java 17 and Chromium:
//
//   npm ci --ignore-scripts
//   node check.mjs http://127.0.0.1:8080 data/first-key http://127.0.0.1:9000/ [--lighthouse]
//
// The second word is the file with an API key of all scopes, the third a page that the server may audit (allow_networks). A report
// of it is made, public and with a password, and a crawl of 20 pages from there on; then every page is looked at on a phone and a desk, light and dark. The exit status is 1
// when something was found.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import puppeteer from "puppeteer-core";

const [base, keyFile, target, ...flags] = process.argv.slice(2);
if (!target) {
  console.error("usage: node check.mjs SERVER KEYFILE PAGE [--lighthouse]");
  process.exit(2);
}
const key = readFileSync(keyFile, "utf8").trim();
const require = createRequire(import.meta.url);
const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const vnu = path.join(path.dirname(require.resolve("vnu-jar/package.json")), "build/dist/vnu.jar");
const scratch = mkdtempSync(path.join(tmpdir(), "sitegrade-checks-"));
let faults = 0;

function fault(text) {
  faults++;
  console.log(`FAULT ${text}`);
}

async function makeReport(fields) {
  const answer = await fetch(`${base}/api/v1/reports`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ url: target, ...fields }),
  });
  if (answer.status !== 201) {
    throw new Error(`making a report: ${answer.status} ${await answer.text()}`);
  }
  return (await answer.json()).data;
}

// A crawl of a few pages from the target on, whose end is waited for.
async function makeCrawl() {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const answer = await fetch(`${base}/api/v1/crawls`, { method: "POST", headers, body: JSON.stringify({ url: target, max_pages: 20 }) });
  if (answer.status !== 202) {
    throw new Error(`making a crawl: ${answer.status} ${await answer.text()}`);
  }
  const { id } = (await answer.json()).data;
  for (let status = "queued"; status === "queued" || status === "running";) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    status = (await (await fetch(`${base}/api/v1/crawls/${id}`, { headers })).json()).data.status;
  }
  return `/crawls/${id}`;
}

async function pagesToCheck() {
  const crawl = await makeCrawl();
  await makeReport({});
  const open = await makeReport({});
  const locked = await makeReport({ privacy: 2, password: "open sesame" });
  const failed = await makeReport({ url: new URL("/no-such-port", "http://127.0.0.1:1").href });
  return {
    guest: ["/login", `/r/${locked.share_url.split("/").pop()}`, `/r/${open.share_url.split("/").pop()}`, "/docs", "/docs/checks", "/docs/checks/csp", "/docs/checks/structured-data-valid", "/docs/checks/redirects", "/no-such-page"],
    member: ["/", "/?search=nothing-has-this", "/?sort=wrong", "/projects", "/new", "/crawls", crawl, `${crawl}/pages`, `${crawl}/links`, `${crawl}/delete`, `${crawl}/issues/meta-description`, `/reports/${open.id}`, `/reports/${failed.id}`, `/reports/${open.id}/delete`,
      `/projects/${open.project.id}/delete`, `/projects/${open.project.id}`, `/projects/${open.project.id}/issues/csp`, "/?status=failed&privacy=0&select=all", "/schedules", "/webhooks", "/settings", "/forms", "/keys"],
  };
}

// Nu reads what was served, not what the browser made of it.
async function checkHTML(page, where) {
  const answer = await page.goto(base + where);
  const file = path.join(scratch, "page.html");
  writeFileSync(file, await answer.text());
  try {
    execFileSync("java", ["-jar", vnu, "--stdout", "--format", "text", file]);
  } catch (error) {
    fault(`nu ${where}\n${String(error.stdout).replaceAll(`file:${file}`, "")}`);
  }
}

async function checkAccessibility(page, where, theme, width) {
  await page.setViewport({ width, height: 800 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  await page.goto(base + where);
  for (const fold of await page.$$("details")) {
    await fold.evaluate((element) => { element.open = true; });
  }
  // In the world of the debugger, which the pages' own policy does not reach.
  const found = await page.evaluate(`${axeSource}; axe.run(document, {resultTypes: ["violations"]})`);
  for (const violation of found.violations) {
    fault(`axe ${where} ${theme} ${width}: ${violation.id}: ${violation.help}\n  ${violation.nodes.slice(0, 3).map((n) => n.html + " " + (n.any[0]?.message ?? "")).join("\n  ")}`);
  }
}

async function checkPages(browser, context, pages) {
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) fault(`console ${page.url()}: ${message.text()}`);
  });
  if (context !== browser.defaultBrowserContext()) {
    await page.goto(`${base}/login`);
    await page.type("#key", key);
    await Promise.all([page.waitForNavigation(), page.click("form .primary")]);
  }
  for (const where of pages) {
    await checkHTML(page, where);
    for (const theme of ["light", "dark"]) {
      for (const width of [360, 1280]) {
        await checkAccessibility(page, where, theme, width);
      }
    }
    console.log(`looked at ${where}`);
  }
}

// The cookie of a sign-in, for a tool that cannot fill in a form.
async function signIn() {
  const answer = await fetch(`${base}/login`, { method: "POST", redirect: "manual", body: new URLSearchParams({ key }) });
  return answer.headers.get("set-cookie").split(";")[0];
}

// Most pages ask search engines not to list them, which Lighthouse counts as a fault.
async function runLighthouse(browser, pages, extraHeaders) {
  const { default: lighthouse } = await import("lighthouse");
  for (const where of pages) {
    const { lhr } = await lighthouse(base + where, {
      port: Number(new URL(browser.wsEndpoint()).port), output: "json", logLevel: "error", skipAudits: ["is-crawlable"], extraHeaders,
    });
    const scores = Object.values(lhr.categories).map((c) => `${c.id} ${Math.round(100 * c.score)}`);
    console.log(`lighthouse ${where}: ${scores.join(", ")}`);
    for (const category of Object.values(lhr.categories)) {
      if (category.score < 0.95) {
        const low = category.auditRefs.filter((ref) => ref.weight > 0 && (lhr.audits[ref.id].score ?? 1) < 0.9).map((ref) => ref.id);
        fault(`lighthouse ${where}: ${category.id} ${Math.round(100 * category.score)}: ${low.join(", ")}`);
      }
    }
  }
}

function css() {
  const file = path.join(path.dirname(new URL(import.meta.url).pathname), "../assets/style.css");
  try {
    execFileSync("java", ["-jar", vnu, "--stdout", "--css", file]);
  } catch (error) {
    fault(`nu style.css\n${error.stdout}`);
  }
}

const browser = await puppeteer.launch({
  executablePath: process.env.CHROME_PATH ?? "/usr/bin/chromium",
  userDataDir: path.join(scratch, "profile"),
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  css();
  const pages = await pagesToCheck();
  if (flags.includes("--lighthouse")) {
    await runLighthouse(browser, pages.guest.filter((where) => where !== "/no-such-page"));
    await runLighthouse(browser, pages.member.filter((where) => where !== "/?sort=wrong"), { Cookie: await signIn() });
  }
  await checkPages(browser, browser.defaultBrowserContext(), pages.guest);
  await checkPages(browser, await browser.createBrowserContext(), pages.member);
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}
console.log(faults === 0 ? "nothing found" : `${faults} faults`);
process.exit(faults === 0 ? 0 : 1);
