// Chromium without a window, by playwright-core. CHROMIUM names another program than Debian's.
import { chromium } from "playwright-core";

/** Runs `use(page)` on an empty page of a server, and fails with whatever the page complains about. */
export async function withPage(url, use) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" });
  try {
    const page = await browser.newPage();
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto(url);
    const result = await use(page);
    if (complaints.length) throw new Error(`the page complains: ${complaints.join("; ")}`);
    return result;
  } finally {
    await browser.close();
  }
}
