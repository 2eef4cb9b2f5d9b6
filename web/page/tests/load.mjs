// What the first load of a page takes, by phase: on the clock and of the page's own thread, and processor time of all processes of the
// browser until a step is on the screen. A new browser each time, so nothing is cached.
//
//     node tests/load.mjs [COUNT] [SITE...]      sites are measured in turns; medians, and the least in brackets
import { chromium } from "playwright-core";
import { readFileSync, readdirSync } from "node:fs";
import { serve } from "../serve.mjs";
import { folder } from "./site.mjs";

const [count = "5", ...sites] = process.argv.slice(2);
if (sites.length === 0) sites.push(folder);

/** Processor seconds of a process and of all below it. */
function processorTime(root) {
  const rows = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
      return [{ pid: Number(pid), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]) }];
    } catch { return []; }
  });
  const sum = (pid) => rows.filter((row) => row.parent === pid).reduce((all, row) => all + sum(row.pid), rows.find((row) => row.pid === pid)?.ticks ?? 0);
  return sum(root) / 100;
}
/** Processes of browsers that this one has started. */
const children = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => { try { return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ")[1] === String(process.pid); } catch { return false; } });

async function once(base) {
  const before = new Set(children());
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" });
  const root = children().find((pid) => !before.has(pid)), page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const client = await browser.newBrowserCDPSession(), events = [];
  client.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await client.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["blink.user_timing"] } });
  const idle = processorTime(root);
  await page.goto(base);
  await page.waitForFunction(() => performance.getEntriesByName("pliant: moves").length > 0);
  const cpu = processorTime(root) - idle, ended = new Promise((done) => client.on("Tracing.tracingComplete", done));
  await client.send("Tracing.end");
  await ended;
  const marks = await page.evaluate(() => performance.getEntriesByType("mark").map(({ name, startTime }) => [name, startTime]));
  await browser.close();
  const start = events.find((one) => one.name === "navigationStart" && one.args?.data?.documentLoaderURL?.startsWith(base))?.tts ?? 0;
  const phases = marks.map(([name, at]) => ({ name, at, thread: ((events.find((one) => one.name === name)?.tts ?? 0) - start) / 1000 }));
  return { cpu: 1000 * cpu, phases };
}

const servers = [], results = sites.map(() => []);
for (const site of sites) servers.push(await serve(site));
for (let i = 0; i < Number(count); i++) for (const [k, server] of servers.entries()) results[k].push(await once(`http://127.0.0.1:${server.address().port}/`));
const figure = (values) => { const sorted = [...values].sort((a, b) => a - b); return `${Math.round(sorted[sorted.length >> 1])} (${Math.round(sorted[0])})`; };
for (const [k, site] of sites.entries()) {
  console.log(`\n${site}: ms on the clock, and of the page's thread, from the address on; median (least) of ${count}`);
  for (const [i, { name }] of results[k][0].phases.entries()) console.log(`${name.padEnd(28)} ${figure(results[k].map((one) => one.phases[i].at)).padStart(14)} ${figure(results[k].map((one) => one.phases[i].thread)).padStart(14)}`);
  console.log(`${"all processes".padEnd(43)} ${figure(results[k].map((one) => one.cpu)).padStart(14)}`);
}
for (const server of servers) server.close();
