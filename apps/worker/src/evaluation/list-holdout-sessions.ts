import type { Store, ToolUseCount } from '@claude-mem/core';
import { isShellTool } from '@claude-mem/evidence';
import type { HoldoutReply } from '@claude-mem/worker-protocol';
import { isInHoldout } from '../capture/create-holdout.js';

/**
 * Lists the sessions that began while the holdout was on. A held out session that got an injection after the holdout was turned off
 * belongs to neither group, so it is excluded.
 */
export async function listHoldoutSessions(
  store: Pick<Store, 'holdoutSessions' | 'toolUses'>,
  filter: Parameters<Store['holdoutSessions']>[0],
): Promise<HoldoutReply> {
  const sessions: HoldoutReply['sessions'][number][] = [];
  for (const session of await store.holdoutSessions(filter)) {
    const { sessionId, share, hasInjections, turns, repeatedReads } = session;
    const isHeldOut = isInHoldout(session, share);
    if (isHeldOut && hasInjections) continue;
    const failedCommands = failedCommandsOf(await store.toolUses(sessionId));
    sessions.push({ sessionId, isHeldOut, turns, repeatedReads, failedCommands });
  }
  return { sessions };
}

function failedCommandsOf(toolUses: readonly ToolUseCount[] | null): number | null {
  if (toolUses === null) return null;
  return toolUses.filter(({ tool }) => isShellTool(tool)).reduce((sum, { failed }) => sum + failed, 0);
}
