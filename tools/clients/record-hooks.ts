import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TempHome } from '@claude-mem/testing';

interface HookRecording {
  /** Adds an event that no hook reports. */
  note(what: string): void;
  /** Writes the events, one per line. They can be replayed in another home folder. */
  write(): void;
}

interface Settings {
  hooks: Record<string, { matcher?: string; hooks: object[] }[]>;
}

/** Folder of the recordings that `npm test` replays. */
const RECORDED = path.join(import.meta.dirname, '..', 'e2e', '__fixtures__', 'claude-code');

/** If CLAUDE_MEM_RECORD is set, adds a second hook to each configured hook. It stores the payloads of the client. */
export function recordHooks(
  home: TempHome,
  { client, scenario }: { client: string; scenario: string },
): HookRecording | null {
  if (!process.env['CLAUDE_MEM_RECORD']) return null;
  const folder = path.join(home.root, 'recorded');
  mkdirSync(folder);
  const script = path.join(home.root, 'record.sh');
  // File names contain the start time, so that they have the order in which the client started the hooks.
  writeFileSync(
    script,
    `f=${folder}/$(date +%s%N); { printf '%s\\n' "$1"; cat; } >"$f.tmp"; mv "$f.tmp" "$f.event"\n`,
  );
  const file = path.join(home.home, '.claude', 'settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as Settings;
  for (const [event, groups] of Object.entries(settings.hooks)) {
    const { matcher } = groups[0] ?? {};
    const hooks = [{ type: 'command', command: `sh ${script} ${event}`, timeout: 10 }];
    groups.push({ ...(matcher === undefined ? {} : { matcher }), hooks });
  }
  writeFileSync(file, JSON.stringify(settings));

  return {
    note: (what) =>
      writeFileSync(path.join(folder, `${Date.now()}000000.event`), `note\n${JSON.stringify(what)}`),
    write() {
      const events = readdirSync(folder)
        .filter((name) => name.endsWith('.event'))
        .sort()
        .map((name) => readFileSync(path.join(folder, name), 'utf8'));
      const neutral = createNeutralText(home);
      const lines = events.map((text) => {
        const [event = '', ...payload] = text.split('\n');
        return neutral(JSON.stringify([event, JSON.parse(payload.join('\n'))]));
      });
      mkdirSync(path.join(RECORDED, client), { recursive: true });
      writeFileSync(path.join(RECORDED, client, `${scenario}.jsonl`), `${lines.join('\n')}\n`);
    },
  };
}

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const AGENT = /\ba[0-9a-f]{16}\b/g;
const TOOL_USE = /\btoolu_\d+\b/g;
const MEASURED = /"(\w*(?:duration_?ms|seconds_since\w*|estimated_cache\w*|Hash))":(?:[\d.]+|"\w*")/gi;

/** Creates a function that replaces paths, ids and measured values by constants, so that recordings are comparable. */
function createNeutralText(home: TempHome): (text: string) => string {
  const ids = new Map<string, string>();
  const numbered = (kind: string, write: (number: number) => string) => (id: string) => {
    const known = ids.get(id) ?? write([...ids.values()].filter((name) => name.startsWith(kind)).length + 1);
    ids.set(id, known);
    return known;
  };
  const uuid = numbered('5c', (n) => `5c000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
  const agent = numbered('a0', (n) => `a${String(n).padStart(16, '0')}`);
  const toolUse = numbered('toolu_', (n) => `toolu_${n}`);
  return (text) =>
    text
      .replaceAll(home.project, '{project}')
      .replaceAll(home.home, '{home}')
      .replaceAll(home.root, '{root}')
      .replace(/\.claude\/projects\/[^/"]+\//g, '.claude/projects/demo/')
      .replace(UUID, uuid)
      .replace(AGENT, agent)
      .replace(TOOL_USE, toolUse)
      .replace(MEASURED, '"$1":0');
}
