import type { EvalQuery, EvalSet, ImportLine } from '../eval-set.js';
import { readText } from '../shared-data.js';

/** Reads LoCoMo: long conversations as one project each, with one observation per turn. */
export function readLocomo(shared: string): EvalSet {
  const samples = JSON.parse(readText(shared, 'locomo', 'locomo.dev.json.gz')) as Sample[];
  const lines: ImportLine[] = [];
  const turns: EvalQuery[] = [];
  const sessions: EvalQuery[] = [];
  for (const sample of samples) {
    const project = `locomo/${sample.sample_id}`;
    const sessionOfTurn = new Map<string, string>();
    for (const line of linesOf(sample, project)) {
      lines.push(line);
      sessionOfTurn.set(line.uid, line.session);
    }
    for (const { question, evidence } of sample.qa) {
      const uids = evidence
        .flatMap((text) => text.match(/D\d+:\d+/g) ?? [])
        .map((turn) => `${project}/${turn}`)
        .filter((uid) => sessionOfTurn.has(uid));
      if (uids.length === 0) continue;
      turns.push({ text: question, project, gold: new Map(uids.map((uid) => [uid, 1])) });
      const found = uids.flatMap((uid) => sessionOfTurn.get(uid) ?? []);
      sessions.push({ text: question, project, gold: new Map(found.map((session) => [session, 1])) });
    }
  }
  return {
    name: 'locomo',
    lines,
    tasks: [
      {
        name: 'LoCoMo turns',
        unit: 'observation',
        queries: turns,
        goals: [
          { measure: 'R@10', plain: 0.641, lexical: 0.76, hybrid: 0.78 },
          { measure: 'MRR', plain: 0.487, lexical: 0.55, hybrid: 0.57 },
          { measure: 'nDCG@10', plain: null, lexical: null, hybrid: null },
          { measure: 'strict@10', plain: null, lexical: null, hybrid: null },
          { measure: 'any@10', plain: null, lexical: null, hybrid: null },
        ],
      },
      {
        name: 'LoCoMo sessions',
        unit: 'session',
        queries: sessions,
        goals: [
          { measure: 'R@5', plain: 0.878, lexical: 0.905, hybrid: 0.91 },
          { measure: 'R@10', plain: 0.954, lexical: 0.965, hybrid: 0.97 },
          { measure: 'nDCG@10', plain: null, lexical: null, hybrid: null },
        ],
      },
    ],
  };
}

interface Turn {
  speaker: string;
  dia_id: string;
  text: string;
  blip_caption?: string;
}

interface Sample {
  sample_id: string;
  qa: { question: string; evidence: string[] }[];
  conversation: Record<string, string | Turn[]>;
}

function linesOf({ conversation }: Sample, project: string): ImportLine[] {
  const names = Object.keys(conversation).filter((name) => Array.isArray(conversation[name]));
  return names.flatMap((name) => {
    const began = Date.parse(plainDate(String(conversation[`${name}_date_time`])));
    return (conversation[name] as Turn[]).map((turn, index) => ({
      uid: `${project}/${turn.dia_id}`,
      project,
      session: `${project}/${name}`,
      prompt_number: index + 1,
      narrative: `${turn.speaker}: ${turn.text}${turn.blip_caption ? ` [shows ${turn.blip_caption}]` : ''}`,
      created_at: new Date(began + index * 60_000).toISOString(),
    }));
  });
}

/** "1:56 pm on 8 May, 2023" -> "8 May 2023 1:56 pm UTC" */
function plainDate(text: string): string {
  const [time, date] = text.split(' on ');
  return `${date?.replace(',', '')} ${time} UTC`;
}
