/** The text that identifies our file. */
const PLUGIN_MARK = '// claude-mem for OpenCode, written by: claude-mem install. Changes to it are lost.';

/**
 * The plugin that OpenCode loads: one file without dependencies that passes events unchanged to hook.sh. It never
 * throws into the host. Child sessions belong to their parent; their messages come from an agent and are not prompts.
 */
export function pluginText({
  hookScript,
  dataDir,
}: {
  hookScript: string;
  dataDir?: string | undefined;
}): string {
  return `${PLUGIN_MARK}
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = ${JSON.stringify(hookScript)};
const ENV = ${JSON.stringify(dataDir === undefined ? {} : { CLAUDE_MEM_DATA_DIR: dataDir })};
${PLUGIN_BODY}`;
}

/** The script that our plugin starts, or null for a file of another program. */
export function scriptOfPlugin(text: string): string | null {
  if (!text.startsWith(PLUGIN_MARK)) return null;
  const literal = /^const SCRIPT = ("(?:[^"\\\n]|\\.)*");$/m.exec(text)?.[1];
  return literal === undefined ? '' : (JSON.parse(literal) as string);
}

const PLUGIN_BODY = `const PATIENCE_MS = 900;
const MOST_SESSIONS = 200;

// a file without a name holds the event: it is whole for the hook, also when the host ends at this moment
const stdinWith = (body) => {
  try {
    const file = join(tmpdir(), 'claude-mem-' + randomUUID());
    writeFileSync(file, body, { flag: 'wx', mode: 0o600 });
    try {
      return openSync(file, 'r');
    } finally {
      unlinkSync(file);
    }
  } catch {
    return 'pipe';
  }
};

const inTime = (work) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())]);

export const ClaudeMem = async ({ directory, worktree }) => {
  // child → parent; the session's context, last prompt and what the agent said last
  const parents = new Map();
  const contexts = new Map();
  const recalls = new Map();
  const turns = new Map();
  const replies = new Map();
  const openTurns = new Set();
  const agentMessages = new Set();

  // the hook lives on when the host ends
  const options = { env: { ...process.env, ...ENV }, windowsHide: true, detached: true };
  const start = (event, fields, stdout) => {
    const body = JSON.stringify({ directory, worktree, ...fields });
    const stdin = stdinWith(body);
    try {
      const child = spawn('sh', [SCRIPT, 'opencode', event], { ...options, stdio: [stdin, stdout, 'ignore'] });
      child.on('error', () => {});
      child.stdin?.on('error', () => {});
      child.stdin?.end(body);
      return child;
    } finally {
      if (stdin !== 'pipe') closeSync(stdin);
    }
  };
  const ask = (event, fields) =>
    new Promise((resolve) => {
      let answer = '';
      const child = start(event, fields, 'pipe');
      child.stdout?.on('data', (chunk) => (answer += chunk));
      child.on('error', () => resolve(''));
      child.on('close', () => resolve(answer));
    });
  // from where the host does not wait
  const tell = (event, fields) => start(event, fields, 'ignore').unref();

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
      remember(contexts, sessionID, ask('sessionStart', { session_id: sessionID, is_new: isNew }).then(contextIn));
    return contexts.get(sessionID);
  };
  const whose = (sessionID) => {
    const parentID = parents.get(sessionID);
    const owner = parentID ?? sessionID;
    const child = parentID ? { child_id: sessionID } : {};
    return { session_id: owner, turn_id: turns.get(owner), ...child };
  };
  const endTurn = (sessionID) => {
    if (!openTurns.delete(sessionID)) return;
    tell('sessionIdle', { ...whose(sessionID), reply: replies.get(sessionID) ?? null });
    replies.delete(sessionID);
  };
  const quietly = (handle) => async (...args) => {
    try {
      await inTime(handle(...args));
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
        tell('toolFailed', { ...whose(part.sessionID), part });
    },
    // comes before session.idle, and a host that was started for one prompt ends with it
    'session.status': ({ sessionID, status }) => {
      if (status.type === 'idle') endTurn(sessionID);
    },
    'session.idle': ({ sessionID }) => endTurn(sessionID),
    'session.deleted': ({ info }) => {
      if (!parents.has(info.id)) tell('sessionDeleted', whose(info.id));
    },
  };

  return {
    event: quietly(({ event }) => onEvent[event.type]?.(event.properties)),
    'chat.message': quietly(async ({ sessionID }, { message, parts }) => {
      if (parents.has(sessionID)) return;
      remember(turns, sessionID, message.id);
      openTurns.add(sessionID);
      await begin(sessionID, false);
      remember(recalls, sessionID, contextIn(await ask('chatMessage', { ...whose(sessionID), parts })));
    }),
    'tool.execute.after': quietly(async (input, output) => {
      await ask('toolExecuted', { ...whose(input.sessionID), input, output });
    }),
    'experimental.chat.system.transform': quietly(async ({ sessionID }, { system }) => {
      if (String(system[0]).startsWith('You are a title generator')) return;
      for (const text of [await contexts.get(sessionID), recalls.get(sessionID)]) if (text) system.push(text);
    }),
  };
};
`;
