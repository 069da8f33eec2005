import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Returns a link for each page of a folder. Titles are file names with spaces. */
function pagesOf(folder) {
  return readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({
      text: name.replace(/^\d{4}-\d\d-\d\d-|\.md$/g, '').replaceAll('-', ' '),
      link: `/${folder}/${name.replace(/\.md$/, '')}`,
    }));
}

function packagesIn(folder) {
  return readdirSync(path.join(root, folder)).map((name) => ({
    text: name,
    link: `/${folder}/${name}/README`,
  }));
}

/** The README files and docs/ of the repository as a static site. A link to a missing page fails the build. */
export default {
  title: 'claude-mem',
  description: 'Memory for coding agents',
  srcDir: root,
  srcExclude: ['**/dist/**', '**/__fixtures__/**', 'tools/clients/real/**', '.*/**'],
  outDir: path.join(root, 'dist', 'docs'),
  cacheDir: path.join(root, 'node_modules', '.cache', 'vitepress'),
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  lastUpdated: false,
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      { text: 'Guides', items: [{ text: 'start', link: '/' }, ...pagesOf('docs/guides')] },
      { text: 'Reference', items: pagesOf('docs/reference') },
      { text: 'Architecture', items: pagesOf('docs') },
      { text: 'Packages', collapsed: true, items: [...packagesIn('libs'), ...packagesIn('apps')] },
      { text: 'Decisions', collapsed: true, items: pagesOf('docs/decisions') },
    ],
  },
};
