import { ROUTES } from '@claude-mem/worker-protocol';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Dialogs and plots: several pages have them, and the feed, the first page, needs none. */
const ON_DEMAND = /base-ui|floating-ui|\/ui\/Modal|\/plots\//;

/** Built into `dist`, which the worker serves. */
export default defineConfig({
  plugins: [react(), routesWithoutSchemas()],
  resolve: { conditions: ['@claude-mem/source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2022',
    // an inlined asset would be a data: address, which the policy of the page refuses
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // else each icon and each small part that pages share would be a file and a request of its own
        codeSplitting: {
          groups: [{ name: 'shared', test: (id) => !ON_DEMAND.test(id), minShareCount: 5 }],
        },
      },
    },
  },
});

/** The browser needs to know where a route is; the schemas, and the library they are made with, stay with the worker. */
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
