// check.mjs URL PAGE...: opens each page as a phone and as a desktop shows it, and fails on what axe calls an error
// on text that is wider than the screen, and on links to sections that are not there.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [url, ...pages] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } };
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
	args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
let faults = 0;
const anchors = new Set(), links = [];
const fault = (...words) => { faults++; console.error(...words); };

for (const [screen, viewport] of Object.entries(screens)) {
	const page = await browser.newPage({ viewport });
	page.on('pageerror', (error) => fault(`${page.url()}: ${error.message}`));
	page.on('response', (answer) => answer.ok() || answer.status() === 304 || fault(`${answer.url()}: ${answer.status()}`));
	for (const path of pages) {
		await page.goto(url + path, { waitUntil: 'networkidle' });
		await page.evaluate(axe);
		const { violations } = await page.evaluate(() => window.axe.run({ runOnly: ['wcag2a', 'wcag2aa'] }));
		for (const { id, help, nodes } of violations)
			fault(`${path} (${screen}): ${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')} (${nodes.length})`);
		const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
		if (wider > 0)
			fault(`${path} (${screen}): ${wider} pixels wider than the screen`);
		const found = await page.evaluate(() => ({
			ids: [...document.querySelectorAll('.vp-doc [id]')].map(({ id }) => id),
			hrefs: [...document.querySelectorAll('.vp-doc a[href*="#"]')].map(({ href }) => href),
		}));
		found.ids.forEach((id) => anchors.add(`${url}${path}#${id}`));
		found.hrefs.filter((href) => href.startsWith(url)).forEach((href) => links.push([path, decodeURI(href)]));
	}
	await page.close();
}
for (const [path, href] of new Map(links.map((link) => [link.join(' '), link])).values())
	anchors.has(href) || fault(`${path}: leads to ${href}, which is not there`);
// The search finds what a reader looks for.
const page = await browser.newPage({ viewport: screens.desktop });
for (const [path, word] of [['/', 'hold_at_least'], ['/zh/', 'hold_at_least'], ['/zh/', '进程绑定锁']]) {
	await page.goto(url + path, { waitUntil: 'networkidle' });
	await page.keyboard.press('Control+k');
	await page.fill('.VPLocalSearchBox input', word);
	const first = await page.waitForSelector('.VPLocalSearchBox .result', { timeout: 10000 }).catch(() => null);
	if (!(await first?.getAttribute('href'))?.startsWith(path))
		fault(`${path}: the search does not find ${word}`);
}
await browser.close();
console.log(`${pages.length} pages on ${Object.keys(screens).length} screens, ${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
