export { describeAgentProvider, type AgentProviderHarness } from './describe-agent-provider.js';
export {
  createScriptedProvider,
  type ScriptedProvider,
  type ScriptedProviderOptions,
  type ScriptStep,
} from './create-scripted-provider.js';
export {
  createWireFake,
  type WireAnswer,
  type WireFake,
  type WireFakeOptions,
  type WireRequest,
} from './wire/create-wire-fake.js';
export type {
  IncomingRequest,
  ReadRequest,
  WireDialect,
  WireError,
  WireErrorKind,
  WireReply,
  WireStop,
  WireUsage,
  WrittenError,
  WrittenReply,
} from './wire/wire-dialect.js';
export { claudeDialect } from '../claude/fixtures/claude-dialect.js';
export { describeProviderOnTheWire } from './wire/describe-provider-on-the-wire.js';
export type { OpenOnTheWire, WireHarness } from './wire/open-wire-setup.js';
export { WIRE_CASES } from './wire/wire-cases.js';
export type { WireCase } from './wire/wire-case.js';
export { geminiDialect } from '../gemini/fixtures/gemini-dialect.js';
export { openAiDialect } from '../openai-compatible/fixtures/openai-dialect.js';
export { claudeCodeDialect } from '../claude-code/fixtures/claude-code-dialect.js';
export { writeFakeClaude, type WriteFakeClaudeOptions } from '../claude-code/fixtures/write-fake-claude.js';
export {
  createClaudeCodeHome,
  hasAgentSdk,
  loadTestSdk,
  TEST_SDK,
} from '../claude-code/fixtures/claude-code-home.js';
export { EXCLUDED_CASES as LEFT_OUT_OF_CLAUDE_CODE } from '../claude-code/fixtures/excluded-cases.js';
export { readStarts, type Start } from '../claude-code/fixtures/read-starts.js';
export { startAskingHost } from '../claude-code/fixtures/start-asking-host.js';
