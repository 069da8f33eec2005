import type { HostName, Store, ToolUseCount } from '@claude-mem/core';
import type { ContextFiles } from '@claude-mem/context-files';
import { isShellTool } from '@claude-mem/evidence';
import type { HoldoutReply } from '@claude-mem/worker-protocol';
import { isInHoldout } from '@claude-mem/capture';

/**
 * Lists the sessions that began while the holdout was on. A held out session that got an injection after the holdout was turned off
 * belongs to neither group, so it is excluded. Sessions whose host reads records from a context file are excluded too.
 */
export async function listHoldoutSessions(
  {
    store,
    contextFiles,
  }: {
    store: Pick<Store, 'holdoutSessions' | 'toolUses'>;
    contextFiles: Pick<ContextFiles, 'findProvided'>;
  },
  filter: Parameters<Store['holdoutSessions']>[0],
): Promise<HoldoutReply> {
  const sessions: HoldoutReply['sessions'][number][] = [];
  const known = new Map<string, boolean>();
  const readsContextFile = (host: HostName, cwd: string | null): boolean => {
    if (cwd === null) return false;
    const key = `${host}\0${cwd}`;
    const isProvided = known.get(key) ?? contextFiles.findProvided(host, cwd) !== null;
    known.set(key, isProvided);
    return isProvided;
  };
  for (const session of await store.holdoutSessions(filter)) {
    const { sessionId, host, cwd, share, hasInjections, turns, repeatedReads } = session;
    const isHeldOut = isInHoldout(session, share);
    if ((isHeldOut && hasInjections) || readsContextFile(host, cwd)) continue;
    const failedCommands = failedCommandsOf(await store.toolUses(sessionId));
    sessions.push({ sessionId, isHeldOut, turns, repeatedReads, failedCommands });
  }
  return { sessions };
}

function failedCommandsOf(toolUses: readonly ToolUseCount[] | null): number | null {
  if (toolUses === null) return null;
  return toolUses.filter(({ tool }) => isShellTool(tool)).reduce((sum, { failed }) => sum + failed, 0);
}
