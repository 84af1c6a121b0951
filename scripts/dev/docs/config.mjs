// The site's navigation. scripts/dev/docs.sh copies the pages beside it, and builds.
import { defineConfig } from 'vitepress';

const pages = (folder, ...names) => names.map(([name, text]) => ({ text, link: `${folder}/${name}` }));

const sidebar = [
	{
		text: 'Use it',
		items: pages('/docs/guide', ['getting-started', 'Getting started'], ['options', 'Options'], ['waiting', 'Waiting'],
			['safety', 'Safety'], ['frameworks', 'Frameworks and migration'], ['runtimes', 'Runtimes'],
			['testing', 'Testing your code'],
			['messages', 'What the messages mean']),
	},
	{
		text: 'Operate it',
		items: pages('/docs/operate', ['operations', 'Operations'], ['troubleshooting', 'Troubleshooting'], ['failover', 'Failover'], ['tls', 'TLS'], ['acl', 'Rights'],
			['sizing', 'Sizing']),
	},
	{
		text: 'Look it up',
		items: pages('/docs/reference', ['api', 'Classes and methods'], ['ini', 'php.ini'], ['protocol', 'Protocol']),
	},
	{
		text: 'Change it',
		items: pages('/docs/internals', ['architecture', 'Architecture'], ['costs', 'Costs'], ['model/', 'Model'],
			['coverage', 'Coverage']),
	},
];

const zh = [
	{
		text: '使用指南',
		items: pages('/docs/zh/guide', ['getting-started', '快速上手'], ['options', '选项'], ['waiting', '等待'], ['safety', '安全性'],
			['frameworks', '框架与迁移'], ['testing', '测试'], ['messages', '消息说明']),
	},
];

// As on a repository's page, where the same links have to lead somewhere.
const slugify = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '').replaceAll(' ', '-');

export default defineConfig({
	title: 'redislock',
	description: 'flock(1) across machines, for PHP',
	outDir: '../../site',
	cleanUrls: true,
	locales: {
		root: { label: 'English', lang: 'en', themeConfig: { sidebar } },
		zh: { label: '简体中文', lang: 'zh-CN', link: '/zh/', themeConfig: { sidebar: zh } },
	},
	themeConfig: { search: { provider: 'local' }, outline: 'deep' },
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
	head: [['style', {}, '.vp-doc :not(pre) > code { overflow-wrap: anywhere; } :root { --vp-code-lang-color: #5a5a62; } .dark { --vp-code-lang-color: #b0b0b8; }']],
});
