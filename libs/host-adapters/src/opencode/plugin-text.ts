/** How our file is known again. */
const PLUGIN_MARK = '// claude-mem for OpenCode, written by: claude-mem install. Changes to it are lost.';

/**
 * The plugin as OpenCode loads it: one file without dependencies that hands what happens to hook.sh, as it came. It never throws into
 * the host. Children of a conversation belong to their parent; what they are told comes from an agent and is no prompt.
 */
export function pluginText({
  hookScript,
  dataDir,
}: {
  hookScript: string;
  dataDir?: string | undefined;
}): string {
  return `${PLUGIN_MARK}
import { spawn, spawnSync } from 'node:child_process';

const SCRIPT = ${JSON.stringify(hookScript)};
const ENV = ${JSON.stringify(dataDir === undefined ? {} : { CLAUDE_MEM_DATA_DIR: dataDir })};
${PLUGIN_BODY}`;
}

/** The script that a plugin of ours starts, or null for a file that is not ours. */
export function scriptOfPlugin(text: string): string | null {
  if (!text.startsWith(PLUGIN_MARK)) return null;
  const literal = /^const SCRIPT = ("(?:[^"\\\n]|\\.)*");$/m.exec(text)?.[1];
  return literal === undefined ? '' : (JSON.parse(literal) as string);
}

const PLUGIN_BODY = `const PATIENCE_MS = 3000;
const MOST_SESSIONS = 200;

export const ClaudeMem = async ({ directory, worktree }) => {
  // child → parent; the session's context, last prompt and what the agent said last
  const parents = new Map();
  const contexts = new Map();
  const recalls = new Map();
  const turns = new Map();
  const replies = new Map();
  const agentMessages = new Set();

  const options = { env: { ...process.env, ...ENV }, windowsHide: true };
  const bodyOf = (fields) => JSON.stringify({ directory, worktree, ...fields });
  const send = (event, fields) =>
    new Promise((resolve) => {
      let answer = '';
      const child = spawn('sh', [SCRIPT, 'opencode', event], { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
      const timer = setTimeout(() => child.kill(), PATIENCE_MS);
      const end = () => (clearTimeout(timer), resolve(answer));
      child.stdout.on('data', (chunk) => (answer += chunk));
      child.on('error', end);
      child.on('close', end);
      child.stdin.on('error', () => {});
      child.stdin.end(bodyOf(fields));
    });
  // the host may end right after a turn: what it does not wait for is sent before it goes on
  const sendNow = (event, fields) =>
    spawnSync('sh', [SCRIPT, 'opencode', event], {
      ...options,
      input: bodyOf(fields),
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: PATIENCE_MS,
    });

  const remember = (map, key, value) => {
    if (map.size >= MOST_SESSIONS) map.delete(map.keys().next().value);
    map.set(key, value);
  };
  const contextIn = (answer) => {
    try {
      return String(JSON.parse(answer).context ?? '');
    } catch {
      return '';
    }
  };
  const begin = (sessionID, isNew) => {
    if (!contexts.has(sessionID))
      remember(contexts, sessionID, send('sessionStart', { session_id: sessionID, is_new: isNew }).then(contextIn));
    return contexts.get(sessionID);
  };
  const whose = (sessionID) => {
    const parentID = parents.get(sessionID);
    const owner = parentID ?? sessionID;
    const child = parentID ? { child_id: sessionID } : {};
    return { session_id: owner, turn_id: turns.get(owner), ...child };
  };
  const quietly = (handle) => async (...args) => {
    try {
      await handle(...args);
    } catch {}
  };

  const onEvent = {
    'session.created': ({ info }) =>
      info.parentID
        ? remember(parents, info.id, parents.get(info.parentID) ?? info.parentID)
        : begin(info.id, true),
    'message.updated': ({ info }) => {
      if (info.role !== 'assistant') return;
      if (agentMessages.size >= MOST_SESSIONS) agentMessages.clear();
      agentMessages.add(info.id);
    },
    'message.part.updated': ({ part }) => {
      if (part.type === 'text' && agentMessages.has(part.messageID))
        remember(replies, part.sessionID, part.text);
      if (part.type === 'tool' && part.state.status === 'error')
        return send('toolFailed', { ...whose(part.sessionID), part });
    },
    'session.idle': ({ sessionID }) => {
      if (parents.has(sessionID)) return;
      sendNow('sessionIdle', { ...whose(sessionID), reply: replies.get(sessionID) ?? null });
      replies.delete(sessionID);
    },
    'session.deleted': ({ info }) => {
      if (!parents.has(info.id)) return send('sessionDeleted', whose(info.id));
    },
  };

  return {
    event: quietly(({ event }) => onEvent[event.type]?.(event.properties)),
    'chat.message': quietly(async ({ sessionID }, { message, parts }) => {
      if (parents.has(sessionID)) return;
      await begin(sessionID, false);
      remember(turns, sessionID, message.id);
      remember(recalls, sessionID, contextIn(await send('chatMessage', { ...whose(sessionID), parts })));
    }),
    'tool.execute.after': quietly(async (input, output) => {
      await send('toolExecuted', { ...whose(input.sessionID), input, output });
    }),
    'experimental.chat.system.transform': quietly(async ({ sessionID }, { system }) => {
      if (String(system[0]).startsWith('You are a title generator')) return;
      for (const text of [await contexts.get(sessionID), recalls.get(sessionID)]) if (text) system.push(text);
    }),
  };
};
`;
