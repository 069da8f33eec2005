import { isEvidenceOnly, toSingleLine, truncate, type ObservedToolUse } from '@claude-mem/core';
import { condenseText } from './condense-text.js';
import { jsonAsText, textsOf } from './json-as-text.js';

const EDITS = /^(?:\w*edit|write|write_file|edit_file|replace|apply_patch|str_replace\w*)$/i;
const ASKS_THE_USER = /^(?:AskUserQuestion|ExitPlanMode|request_user_input|question)$/i;
/** What hosts wrap errors in, and what their shells say of themselves. */
const HOST_NOISE = /<\/?tool_use_error>|^(?:stderr: )?Shell cwd was reset to .*$/gm;

export interface CondensedToolUse {
  /** `lookup`: it only surrounds the work. `words`: it holds what the user said. */
  kind: 'lookup' | 'edit' | 'failure' | 'words' | 'other';
  name: string;
  outcome: 'succeeded' | 'failed' | 'interrupted';
  agent: string | null;
  input: string;
  response: string;
}

/** A tool use as text for the observer: no JSON noise, nothing said twice, an edit without the file around it. */
export function condenseToolUse(use: ObservedToolUse, projectRoot: string | null): CondensedToolUse {
  const kind = kindOf(use);
  const answer = kind === 'edit' ? '' : jsonAsText(use.response, textsOf(use.input));
  const condense = (text: string) => condenseText(text.replace(HOST_NOISE, ''), projectRoot);
  return {
    kind,
    name: truncate(toSingleLine(use.toolName), 60),
    outcome: use.isInterrupt ? 'interrupted' : use.outcome,
    agent: use.agentType ?? use.agentId,
    input: condense(jsonAsText(use.input)),
    response: condense(use.error === null ? answer : jsonAsText(use.error)),
  };
}

function kindOf(use: ObservedToolUse): CondensedToolUse['kind'] {
  if (isEvidenceOnly(use)) return 'lookup';
  if (ASKS_THE_USER.test(use.toolName)) return 'words';
  if (use.outcome === 'failed' || use.error !== null) return 'failure';
  return EDITS.test(use.toolName) ? 'edit' : 'other';
}
