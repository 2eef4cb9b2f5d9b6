// The built site in Debian's Chromium, headless. Every page that a test opens fails it on a console message or an error.
import { chromium } from "playwright-core";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../serve.mjs";

const here = dirname(fileURLToPath(import.meta.url));
export const root = resolve(here, "../../.."), folder = resolve(process.env.PLIANT_SITE ?? `${root}/build/site`);

export async function open() {
  if (!existsSync(folder)) throw new Error(`${folder} is missing: make web`);
  const server = await serve(folder), base = `http://127.0.0.1:${server.address().port}/`;
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--enable-unsafe-webgpu", "--js-flags=--expose-gc"] });
  return { server, base, browser, close: async () => { await browser.close(); server.close(); } };
}

/** Messages of browsers that say nothing about the page: drawing by software is slow to read back. */
const QUIET = [/GPU stall due to ReadPixels/, /Automatic fallback to software WebGL/];

/** A page with what went wrong on it in `page.faults`. `before` runs in it before its own scripts, as an older browser would be. */
export async function visit(site, path, { width = 1280, height = 720, touch = false, scheme = "light", motion = "no-preference", before = null, ready = "() => window.pliant" } = {}) {
  const context = await site.browser.newContext({ viewport: { width, height }, hasTouch: touch, isMobile: touch, colorScheme: scheme, reducedMotion: motion, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  page.faults = [];
  if (before) await page.addInitScript(before);
  page.setDefaultTimeout(60000);
  page.on("console", (message) => { if (!QUIET.some((one) => one.test(message.text()))) page.faults.push(`${message.type()}: ${message.text()}`); });
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("requestfailed", (request) => page.faults.push(`not loaded: ${request.url()}`));
  page.on("response", (answer) => { if (answer.status() >= 400) page.faults.push(`${answer.status()}: ${answer.url()}`); });
  page.on("request", (request) => { if (!request.url().startsWith(site.base) && !/^(data|blob):/.test(request.url())) page.faults.push(`from elsewhere: ${request.url()}`); });
  await page.goto(site.base + path);
  if (ready) await page.waitForFunction(`(${ready})()`);
  return page;
}
export const state = (page) => page.evaluate(() => window.pliant.state());
export const frames = (page, count) => page.evaluate((n) => window.pliant.frames(n), count);
export const advance = (page, count) => page.evaluate((n) => window.pliant.advance(n), count);
export const project = (page, vertex, deformable = 0) => page.evaluate(([v, d]) => window.pliant.project(v, d), [vertex, deformable]);
