import { ROUTES } from '@claude-mem/worker-protocol';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Dialogs and plots are not in the shared file, because several pages need them but the feed, the first page, does
 * not.
 */
const ON_DEMAND = /base-ui|floating-ui|\/ui\/Modal|\/plots\//;

/** Built into `dist`, which the worker serves. */
export default defineConfig({
  plugins: [react(), routesWithoutSchemas()],
  resolve: { conditions: ['@claude-mem/source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2022',
    // the content security policy of the page rejects data: URLs, so assets are not inlined
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // otherwise each icon and each small shared module would be a separate file and request
        codeSplitting: {
          groups: [{ name: 'shared', test: (id) => !ON_DEMAND.test(id), minShareCount: 5 }],
        },
      },
    },
  },
});

/** Replaces the route definitions by method and path. The browser needs no schemas and no schema library. */
function routesWithoutSchemas(): Plugin {
  const addresses = Object.entries(ROUTES).map(([name, { method, path, reply }]) => [
    name,
    { method, path, reply: typeof reply === 'string' ? reply : {} },
  ]);
  const code = `export const ROUTES = ${JSON.stringify(Object.fromEntries(addresses))};`;
  return {
    name: 'routes-without-schemas',
    enforce: 'pre',
    load: (id) => (id.endsWith('/worker-protocol/src/routes.ts') ? code : null),
  };
}
