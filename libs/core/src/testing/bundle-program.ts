import { createRequire } from 'node:module';

/**
 * Bundles a TypeScript program that tests start as a process of its own. Compiling it at each start takes longer than most
 * tests.
 * @param source file of the program, or its text and the folder where its imports are resolved
 * @param external packages that `outfile` finds itself
 */
export function bundleProgram(
  source: string | { contents: string; folder: string },
  outfile: string,
  external: readonly string[] = [],
): void {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as {
    buildSync(options: Record<string, unknown>): unknown;
  };
  buildSync({
    ...(typeof source === 'string'
      ? { entryPoints: [source] }
      : { stdin: { contents: source.contents, resolveDir: source.folder, loader: 'ts' } }),
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@claude-mem/source'],
    // its CommonJS build cannot be bundled
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    external,
    // CommonJS packages call `require`.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
    logLevel: 'error',
  });
}
