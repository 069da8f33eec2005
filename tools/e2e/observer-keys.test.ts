import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createWireFake } from '@claude-mem/agent-providers/testing';
import { createTempHome, startWorker, waitUntilDrained } from '@claude-mem/testing';
import { dialectOf, MODEL_OBSERVERS, openObserver, getSkipReason } from '@claude-mem/testing/observers';
import { describe, expect, it } from 'vitest';
import { playTurn } from './play-turn.js';

const TRAP = 'sk-trap-0123456789abcdef';

/** Environment variables that packages or programs of the vendors read. */
const trapsOf = (url: string): Record<string, string> => ({
  ANTHROPIC_API_KEY: TRAP,
  ANTHROPIC_AUTH_TOKEN: TRAP,
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_CUSTOM_HEADERS: `x-trap: ${TRAP}`,
  OPENAI_API_KEY: TRAP,
  OPENAI_ADMIN_KEY: TRAP,
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_ORG_ID: TRAP,
  OPENAI_PROJECT_ID: TRAP,
  OPENROUTER_API_KEY: TRAP,
  OPENROUTER_BASE_URL: `${url}/api/v1`,
  GEMINI_API_KEY: TRAP,
  GOOGLE_API_KEY: TRAP,
  GOOGLE_GEMINI_BASE_URL: url,
});

describe.each(MODEL_OBSERVERS)('API keys for %s', (observer) => {
  it.skipIf(getSkipReason(observer) !== null)(
    'B070: are read neither from the environment of the worker nor from a .env file in its folder',
    async () => {
      await using home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
      await using trap = await createWireFake({
        dialect: dialectOf(observer),
        answer: () => ({ kind: 'error', status: 401, errorKind: 'auth' }),
      });
      await using vendor = await openObserver(observer, home);
      const traps = trapsOf(trap.url);
      const folder = path.join(home.root, 'somewhere');
      mkdirSync(folder);
      writeFileSync(
        path.join(folder, '.env'),
        Object.entries(traps)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      );
      await using worker = await startWorker(home, { cwd: folder, env: traps });
      await playTurn(home, { cwd: home.project });
      await waitUntilDrained(home);
      expect((await worker.health()).status).toBe('ok');
      expect(vendor.requests.length).toBeGreaterThan(0);
      expect(trap.requests).toHaveLength(0);
      const sent = vendor.requests.map(({ headers, raw, path: asked }) =>
        JSON.stringify([headers, raw.toString(), asked]),
      );
      expect(sent.filter((text) => text.includes(TRAP))).toEqual([]);
    },
  );
});
