import { isRecord, toFacts } from '@claude-mem/core';
import type { EvalQuery, EvalSet, EvalTask, ImportLine } from '../eval-set.js';
import { paragraphsOf } from '../paragraphs-of.js';
import { readLines } from '../shared-data.js';

const FOLDER = 'codemem';
const PROJECT = '/home/dev/cli';
const MAX_FACTS = 40;
const MAX_TITLE = 200;

/**
 * Reads recorded sessions about one program as one observation per turn: the request, the answers, and the tool uses.
 */
export function readCodemem(shared: string): EvalSet {
  return codememSet(shared, 'codemem', (recorded) =>
    turnsOf(recorded).map((events, index, { length }) => {
      return {
        ...placeOf(recorded, events, `turn ${index + 1}`, index + 1),
        ...withTitle([...textsOf(events, 'prompt'), ...textsOf(events, 'say')]),
        facts: [...new Set(toolsOf(events).map(shortenToolUse))].slice(0, MAX_FACTS),
        files_read: filesOf(events, (name) => !isEdit(name)),
        // The files of the session's commits are known only at its end.
        files_modified: [...filesOf(events, isEdit), ...(index === length - 1 ? recorded.files : [])],
      };
    }),
  );
}

/** Reads the same sessions as one observation per prompt, answer and edit, like a simpler observer. */
export function readCodememEvents(shared: string): EvalSet {
  return codememSet(shared, 'codemem-events', (recorded) =>
    turnsOf(recorded).flatMap((events, turn) =>
      events.flatMap((event, index): ImportLine[] => {
        const place = placeOf(recorded, [event], `turn ${turn + 1} event ${index + 1}`, turn + 1);
        if (event.k !== 'tool')
          return [
            { ...place, ...(event.k === 'prompt' ? withTitle([event.text]) : { narrative: event.text }) },
          ];
        if (!event.file || !isEdit(event.name)) return [];
        return [{ ...place, title: `${event.name} ${event.file}`, files_modified: [event.file] }];
      }),
    ),
  );
}

/**
 * Reads the same sessions as one observation per turn. The facts are the paragraphs of the user and of the agent,
 * with their origins.
 */
export function readCodememOrigins(shared: string): EvalSet {
  return codememSet(shared, 'codemem-origins', (recorded) =>
    turnsOf(recorded).map((events, index) => ({
      ...placeOf(recorded, events, `turn ${index + 1}`, index + 1),
      facts: [
        ...toFacts(textsOf(events, 'prompt').flatMap(paragraphsOf), 'user'),
        ...toFacts(textsOf(events, 'say').flatMap(paragraphsOf), 'agent'),
      ],
      files_read: filesOf(events, (name) => !isEdit(name)),
      files_modified: filesOf(events, isEdit),
    })),
  );
}

type RecordedEvent = { t: string } & (
  { k: 'prompt' | 'say'; text: string } | { k: 'tool'; name: string; file: string | null; in: string }
);

interface Recorded {
  sid: string;
  t0: string;
  files: string[];
  events: RecordedEvent[];
}

function codememSet(shared: string, name: string, read: (recorded: Recorded) => ImportLine[]): EvalSet {
  return {
    name,
    lines: readLines<Recorded>(shared, FOLDER, 'sessions.dev.jsonl.gz').flatMap(read),
    tasks: tasksOf(shared, name),
  };
}

function tasksOf(shared: string, name: string): EvalTask[] {
  const commits = readLines<{ subject: string; body: string; files: string[]; gold_sessions: string[] }>(
    shared,
    FOLDER,
    'commit_to_session.dev.jsonl.gz',
  );
  const prompts = readLines<{
    query: string;
    query_session: string;
    t: string;
    gold_sessions: string[];
  }>(shared, FOLDER, 'prompt_to_sessions.dev.jsonl.gz');
  const byText = commits.map(({ subject, body, gold_sessions }): EvalQuery => ({
    text: `${subject}\n${body}`.trim(),
    project: PROJECT,
    gold: new Map(gold_sessions.map((session) => [session, 1])),
  }));
  const byFiles = byText.map((query, index) => ({ ...query, contextFiles: commits[index]?.files ?? [] }));
  const fromPrompts = prompts.map(({ query, query_session, t, gold_sessions }): EvalQuery => ({
    text: query,
    project: PROJECT,
    dateTo: Date.parse(t),
    // The prompt starts this session, so the session is not an earlier one.
    except: query_session,
    gold: new Map(gold_sessions.map((session) => [session, 1])),
  }));
  return [
    {
      name: `${name} commit→session by text`,
      unit: 'session',
      queries: byText,
      goals: [
        { measure: 'R@10', plain: 0.558, lexical: 0.69, hybrid: 0.71 },
        { measure: 'nDCG@10', plain: null, lexical: null, hybrid: null },
      ],
    },
    {
      name: `${name} commit→session by text and files`,
      unit: 'session',
      queries: byFiles,
      goals: [
        { measure: 'R@10', plain: 0.892, lexical: 0.93, hybrid: 0.935 },
        { measure: 'nDCG@10', plain: null, lexical: null, hybrid: null },
      ],
    },
    {
      name: `${name} prompt→past sessions`,
      unit: 'session',
      queries: fromPrompts,
      goals: [
        { measure: 'nDCG@10', plain: 0.462, lexical: 0.53, hybrid: 0.55 },
        { measure: 'R@10', plain: null, lexical: null, hybrid: null },
      ],
    },
  ];
}

/** Splits the events into turns. A turn begins with a prompt. Events before the first prompt are also a turn. */
function turnsOf({ events }: Recorded): RecordedEvent[][] {
  const turns: RecordedEvent[][] = [];
  for (const event of events) {
    if (event.k === 'prompt' || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(event);
  }
  return turns;
}

function placeOf(recorded: Recorded, events: readonly RecordedEvent[], name: string, promptNumber: number) {
  return {
    uid: `${recorded.sid}/${name}`,
    project: PROJECT,
    session: recorded.sid,
    prompt_number: promptNumber,
    created_at: events[0]?.t ?? recorded.t0,
  };
}

function textsOf(events: readonly RecordedEvent[], kind: 'prompt' | 'say'): string[] {
  return events.flatMap((event) => (event.k === kind ? [event.text] : []));
}

/** Uses the first line as the title. Adds a narrative only if the text is longer. */
function withTitle(texts: readonly string[]): { title: string; narrative?: string } {
  const transcript = texts.join('\n\n').trim();
  const title = transcript.split('\n', 1)[0]?.slice(0, MAX_TITLE) ?? '';
  return title === transcript ? { title } : { title, narrative: transcript };
}

type ToolEvent = Extract<RecordedEvent, { k: 'tool' }>;

function toolsOf(events: readonly RecordedEvent[]): ToolEvent[] {
  return events.filter((event) => event.k === 'tool');
}

function filesOf(events: readonly RecordedEvent[], isWanted: (name: string) => boolean): string[] {
  return [...new Set(toolsOf(events).flatMap(({ name, file }) => (file && isWanted(name) ? [file] : [])))];
}

const isEdit = (name: string) => /^(?:Edit|Write|MultiEdit|NotebookEdit)$/.test(name);

/** Shortens a tool use to its description, because a commit command contains the text of the query. */
function shortenToolUse({ name, file, in: input }: ToolEvent): string {
  const { description, pattern } = inputOf(input);
  return [name, description ?? pattern ?? file ?? ''].join(' ').trim();
}

/** The recording truncates inputs, so that they can be invalid JSON. */
function inputOf(text: string): { description?: string; pattern?: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return {};
    return {
      ...(typeof value['description'] === 'string' ? { description: value['description'] } : {}),
      ...(typeof value['pattern'] === 'string' ? { pattern: value['pattern'] } : {}),
    };
  } catch {
    return {};
  }
}
