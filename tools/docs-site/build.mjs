// npm run docs:build: builds the documentation as a static site in dist/docs. Fails when a link leads to no page.
// --serve: serves the pages while you edit them.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root, run, step } from '../workspace.mjs';

const folder = path.join(root, 'tools', 'docs-site');
const program = (name) => path.join(folder, 'node_modules', '.bin', name);

try {
  if (!existsSync(program('vitepress')))
    await step('Installing the documentation tools', () =>
      run('npm', ['ci', '--ignore-scripts'], { cwd: folder }),
    );
  await step('Writing the reference of the libraries', () =>
    run(program('typedoc'), ['--options', 'typedoc.json'], { cwd: folder }),
  );
  if (process.argv.includes('--serve')) await run(program('vitepress'), ['dev', folder], { show: true });
  else await step('Building the site', () => run(program('vitepress'), ['build', folder]));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
