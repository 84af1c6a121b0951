// The site's navigation. scripts/dev/docs.sh copies the pages beside it, and builds.
import { defineConfig } from 'vitepress';

const pages = (folder, ...names) => names.map(([name, text]) => ({ text, link: `${folder}/${name}` }));

const sidebar = [
	{
		text: 'Use it',
		items: pages('/docs/guide', ['getting-started', 'Getting started'], ['options', 'Options'], ['waiting', 'Waiting'], ['many-holders', 'Many holders'],
			['safety', 'What is promised'], ['servers', 'More than one server'], ['frameworks', 'Frameworks and migration'],
			['laravel', 'Laravel'], ['symfony', 'Symfony'], 
			['coming-from', 'Coming from another library'], ['runtimes', 'Runtimes'], ['testing', 'Testing your code'],
			['alternatives', 'When not redislock']),
	},
	{
		text: 'Operate it',
		items: pages('/docs/operate', ['command-line', 'Command line'], ['operations', 'Operations'], ['troubleshooting', 'Troubleshooting'],
			['containers', 'Containers'], ['tls', 'TLS']),
	},
	{
		text: 'Look it up',
		items: pages('/docs/reference', ['api', 'Classes and methods']),
	},
	{
		text: 'Change it',
		items: pages('/docs/internals', ['architecture', 'Architecture'], ['lock-states', 'Lock states'],
			['renewal-child', 'Renewal child'], ['protocol', 'Protocol'], ['connections', 'Connections'], ['costs', 'Costs'], ['model/', 'Model'],
			['coverage', 'Coverage']),
	},
];

const zh = [
	{
		text: '使用指南',
		items: pages('/zh/docs/guide', ['getting-started', '快速上手'], ['safety', '安全性'], ['laravel', 'Laravel'], ['frameworks', 'Yii、Hyperf、webman 与 ThinkPHP']),
	},
	{ text: '其余页面（英文）', items: pages('/docs/guide', ['options', '选项'], ['waiting', '等待'], ['many-holders', '多个持有者'], ['frameworks', '框架与迁移']) },
	{ text: '参考（英文）', items: pages('/docs/reference', ['api', '类与方法']) },
];

// The words of the site's own parts.
const zhTheme = {
	sidebar: zh,
	outline: { level: 'deep', label: '本页目录' },
	docFooter: { prev: '上一页', next: '下一页' },
	sidebarMenuLabel: '目录',
	returnToTopLabel: '回到顶部',
	langMenuLabel: '切换语言',
	skipToContentLabel: '跳到正文',
	darkModeSwitchLabel: '外观',
	lightModeSwitchTitle: '切换到浅色主题',
	darkModeSwitchTitle: '切换到深色主题',
	notFound: { title: '页面不存在', quote: '地址可能有误，或者页面已经移走。', linkLabel: '回到首页', linkText: '回到首页' },
};
const zhSearch = {
	button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
	modal: {
		displayDetails: '显示详情', resetButtonTitle: '清空', backButtonTitle: '关闭搜索', noResultsText: '没有结果：',
		footer: {
			selectText: '打开', selectKeyAriaLabel: '回车键', navigateText: '切换', navigateUpKeyAriaLabel: '上箭头',
			navigateDownKeyAriaLabel: '下箭头', closeText: '关闭', closeKeyAriaLabel: 'Esc 键',
		},
	},
};
// Chinese has no spaces: every two characters in a row are a word. The browser gets this function as text.
const tokenize = (text) => text.split(/[\n\r\p{Z}\p{P}]+/u).flatMap((word) => word.split(/(\p{Script=Han}+)/u).flatMap((part) =>
	/^\p{Script=Han}{2}/u.test(part) ? Array.from(part).slice(1).map((c, i) => Array.from(part)[i] + c) : part)).filter(Boolean);

// As on a repository's page, where the same links have to lead somewhere.
const slugify = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '').replaceAll(' ', '-');

export default defineConfig({
	title: 'redislock',
	description: 'flock(1) across machines, for PHP',
	outDir: '../../site',
	cleanUrls: true,
	locales: {
		root: { label: 'English', lang: 'en', themeConfig: { sidebar } },
		zh: { label: '简体中文', lang: 'zh-CN', link: '/zh/', description: '给 PHP 用的跨机器 flock(1)', themeConfig: zhTheme },
	},
	themeConfig: {
		search: { provider: 'local', options: { miniSearch: { options: { tokenize } }, locales: { zh: { translations: zhSearch } } } },
		outline: 'deep',
	},
	// The usual colours are too faint for some eyes.
	markdown: {
		anchor: { slugify },
		theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
		// Indented code looks, and scrolls, like fenced code.
		config: ({ renderer: { rules } }) => {
			rules.code_block = (tokens, i, ...rest) => {
				tokens[i].info = 'txt';
				return rules.fence(tokens, i, ...rest);
			};
		},
	},
	// In tables, names of options stay whole, and a phone shows as much as it can.
	head: [['style', {}, `
		.vp-doc :not(pre) > code { overflow-wrap: anywhere; }
		:root { --vp-code-lang-color: #5a5a62; }
		.dark { --vp-code-lang-color: #b0b0b8; }
		.vp-doc :is(td, th) { padding: 8px 10px; }
		.vp-doc :is(td, th) > code { overflow-wrap: break-word; }
		@media (max-width: 640px) {
			.vp-doc :is(td, th) { padding: 6px 7px; font-size: 13px; }
			.vp-doc :is(td, th) > code { padding: 2px 3px; font-size: 11px; }
		}
	`]],
});
