import {
  type ConversationTurn,
  type ObserverBatch,
  type ObservedToolUse,
  type Store,
  type SummarizePayload,
  NEUTRAL_PROJECT,
  type ProjectFinder,
} from '@claude-mem/core';
import type { HeldBatch } from '@claude-mem/queue';
import { removeRepeatedResults } from './remove-repeated-results.js';

const MAX_TITLES = 30;
/** Maximum number of turns of a conversation record. The record of a longer conversation is not updated. */
const MAX_TURNS = 200;

/** Loads the session, the prompts and the earlier records of a batch. Returns null when the session was deleted. */
export async function buildBatch(
  { store, findProject }: { store: Store; findProject: ProjectFinder },
  held: HeldBatch,
): Promise<ObserverBatch | null> {
  const session = await store.getSession(held.sessionId);
  if (session === null) return null;
  const project = await store.getProject(session.projectId);
  const prompts = await store.turnPrompts(session.id, held.promptNumber);
  const { toolUses, closing } = readMessages(held);
  return {
    session: {
      id: session.id,
      host: session.host,
      contentSessionId: session.contentSessionId,
      project: project?.name ?? NEUTRAL_PROJECT.name,
      projectRoot: rootOf(project?.key ?? null, session.cwd, findProject),
      // Work before the first prompt has no goal.
      goal: held.promptNumber === 0 ? null : session.userPrompt,
      memorySessionId: session.memorySessionId,
    },
    promptNumber: held.promptNumber,
    firstPromptNumber: held.messages[0]?.promptNumber ?? held.promptNumber,
    prompt: prompts.length === 0 ? null : prompts.map(({ promptText }) => promptText).join('\n\n'),
    recordedTitles: await store.recordedTitles(session.id, MAX_TITLES),
    lastSummary: (await store.listSummaries({ sessionId: session.id, limit: 1 })).items[0] ?? null,
    toolUses: removeRepeatedResults(toolUses),
    closing,
    conversation: held.messages.some(({ kind }) => kind === 'summarize')
      ? await readConversation(store, held, closing)
      : [],
  };
}

/** The stored reply of a turn is shortened, so the complete closing message is used for the current turn. */
async function readConversation(
  store: Store,
  { sessionId, promptNumber }: HeldBatch,
  closing: SummarizePayload | null,
): Promise<readonly ConversationTurn[]> {
  const turns = await store.conversation(sessionId, { throughPrompt: promptNumber, limit: MAX_TURNS });
  return turns.map((turn) =>
    turn.promptNumber === promptNumber
      ? { ...turn, reply: closing?.lastAssistantMessage ?? turn.reply }
      : turn,
  );
}

/** Returns the root of the checkout. A worktree has its own root, but the project key of the repository. */
function rootOf(key: string | null, cwd: string | null, findProject: ProjectFinder): string | null {
  if (key === null || key === NEUTRAL_PROJECT.key) return null;
  const found = cwd === null ? null : findProject({ projectDir: null, cwd });
  return found?.project?.key === key ? (found.root ?? key) : key;
}

function readMessages(held: HeldBatch): { toolUses: ObservedToolUse[]; closing: SummarizePayload | null } {
  const toolUses: ObservedToolUse[] = [];
  let closing: SummarizePayload | null = null;
  for (const message of held.messages) {
    if (message.kind === 'observation')
      toolUses.push({ ...message.payload, messageId: message.id, createdAtEpoch: message.createdAtEpoch });
    else if (message.promptNumber === held.promptNumber) closing = message.payload;
  }
  return { toolUses, closing };
}
