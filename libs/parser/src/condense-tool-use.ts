import { isEvidenceOnly, toSingleLine, truncate, type ObservedToolUse } from '@claude-mem/core';
import { condenseText } from './condense-text.js';
import { formatJson, collectTexts } from './format-json.js';

const EDITS = /^(?:\w*edit|write|write_file|edit_file|replace|apply_patch|str_replace\w*)$/i;
const ASKS_THE_USER = /^(?:AskUserQuestion|ExitPlanMode|request_user_input|question)$/i;
/** Wrappers of hosts around errors, and messages of their shells. */
const HOST_NOISE = /<\/?tool_use_error>|^(?:stderr: )?Shell cwd was reset to .*$/gm;

export interface CondensedToolUse {
  /** `lookup` only reads. `words` contains an answer of the user. */
  kind: 'lookup' | 'edit' | 'failure' | 'words' | 'other';
  name: string;
  outcome: 'succeeded' | 'failed' | 'interrupted';
  agent: string | null;
  input: string;
  response: string;
}

/**
 * Formats a tool use as text for the observer: without JSON syntax, repeated text and the unchanged parts of an edited
 * file.
 */
export function condenseToolUse(use: ObservedToolUse, projectRoot: string | null): CondensedToolUse {
  const kind = classifyToolUse(use);
  const answer = kind === 'edit' ? '' : formatJson(use.response, collectTexts(use.input));
  const condense = (text: string) => condenseText(text.replace(HOST_NOISE, ''), projectRoot);
  return {
    kind,
    name: truncate(toSingleLine(use.toolName), 60),
    outcome: use.isInterrupt ? 'interrupted' : use.outcome,
    agent: use.agentType ?? use.agentId,
    input: condense(formatJson(use.input)),
    response: condense(use.error === null ? answer : formatJson(use.error)),
  };
}

function classifyToolUse(use: ObservedToolUse): CondensedToolUse['kind'] {
  if (isEvidenceOnly(use)) return 'lookup';
  if (ASKS_THE_USER.test(use.toolName)) return 'words';
  if (use.outcome === 'failed' || use.error !== null) return 'failure';
  return EDITS.test(use.toolName) ? 'edit' : 'other';
}
