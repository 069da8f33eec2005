import { truncate, type ObservationDraft, type ObserverBatch } from '@claude-mem/core';
import { createCleanText } from '../clean-text.js';
import { fitTitle } from '../fit-title.js';
import { RECAPS } from './cues.js';
import { formatStatement } from './format-statement.js';
import { sentencesOf, readUserSentences } from './own-sentences.js';
import type { ReadConversation } from './read-statements.js';
import { selectStatements } from '../select-statements.js';

const FACT_LENGTH = 700;
const REQUEST_LENGTH = 400;
const TITLE_LENGTH = 100;

/**
 * Creates the observation with the decisions of a session. It contains sentences of the user, and sentences of the
 * agent that repeat them. Returns null when the session decided nothing.
 */
export function draftConversationRecord(
  read: ReadConversation,
  { conversation, session }: Pick<ObserverBatch, 'conversation' | 'session'>,
): ObservationDraft | null {
  const statements = selectStatements(read);
  const main = statements.reduce<(typeof statements)[number] | null>(
    (top, one) => (top === null || one.score >= top.score ? one : top),
    null,
  );
  if (main === null) return null;
  const clean = createCleanText(session.projectRoot, null);
  const title = clean(withoutLeadIn(formatStatement(main)), FACT_LENGTH);
  const request = sentencesOf(readUserSentences(conversation[0]?.prompt ?? '')).join(' ');
  return {
    type: 'decision',
    title: fitTitle(title) ?? truncate(title, TITLE_LENGTH),
    subtitle: null,
    narrative: request === '' ? null : `The conversation began with: “${clean(request, REQUEST_LENGTH)}”`,
    facts: statements.map((statement) => ({
      text: clean(formatStatement(statement), FACT_LENGTH),
      origin: statement.origin,
    })),
    concepts: [],
    filesRead: [],
    filesModified: [],
  };
}

/** Removes lead-ins without content, such as "Understood: …" and "Recap of …". */
function withoutLeadIn(text: string): string {
  const lead = /^\W*([\p{L}']+(?: [\p{L}']+)?)(?: (?:of|von|de|du))?[\s,:：—–-]+(?=\S)/iu.exec(text);
  return lead !== null && RECAPS.test(lead[1]!) ? text.slice(lead[0].length) : text;
}
