import { describe, it } from 'vitest';
import { claudeCodeDialect, describeProviderOnTheWire } from '../testing/index.js';
import { createClaudeCodeProvider } from './create-claude-code-provider.js';
import { createClaudeCodeHome, hasAgentSdk, loadTestSdk, NO_AGENT_SDK } from './fixtures/claude-code-home.js';
import { EXCLUDED_CASES } from './fixtures/excluded-cases.js';
import { writeFakeClaude } from './fixtures/write-fake-claude.js';

if (!hasAgentSdk) describe('claude-code on the wire', () => it.skip(NO_AGENT_SDK));
else
  describeProviderOnTheWire('claude-code', {
    dialect: claudeCodeDialect,
    excludedCases: EXCLUDED_CASES,
    open({ baseUrl, apiKey, timeouts, clock }) {
      const { bin, observer, env } = createClaudeCodeHome(process.env);
      return createClaudeCodeProvider({
        folder: observer,
        env,
        executable: writeFakeClaude({ folder: bin, url: baseUrl, apiKey }),
        model: 'claude-haiku-4-5',
        loadSdk: loadTestSdk,
        // The number of simultaneous requests of one test case.
        maxChildren: 8,
        timeouts,
        clock,
      });
    },
  });
