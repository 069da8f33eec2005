import { openStorageReader } from '@claude-mem/storage';
import { openFlatIndex } from '../src/flat/open-flat-index.js';
import { openMemory, type OpenMemoryOptions } from '../src/open-memory.js';
import type { Embedder } from '../src/ports/embedder.js';
import { createMemoryArm, pairQueries, type Arm, type ArmName } from './arms.js';
import { createEvalHome } from './eval-home.js';
import type { EvalQuery, EvalSet, EvalTask } from './eval-set.js';
import { score } from './metrics.js';
import { createNoiseIndex, createRedirectedEmbedder, normalizeSpaces } from './noise.js';
import { createPlainArm } from './plain-arm.js';

/** The ranking and the score of each query of a task in one arm. */
export interface TaskResult {
  task: EvalTask;
  arm: ArmName;
  answers: readonly { query: EvalQuery; ranking: readonly string[]; score: number }[];
}

export interface RunSetOptions {
  arms: readonly ArmName[];
  /** If null, arms that need vectors are skipped. */
  embedder: Embedder | null;
  /** Called before each arm. */
  onArm: (arm: ArmName) => void;
}

/**
 * Imports a set into an empty memory and runs all queries in each arm. The score uses the first measure of the task.
 */
export async function runSet(set: EvalSet, { arms, embedder, onArm }: RunSetOptions): Promise<TaskResult[]> {
  using home = await createEvalHome(set, { embedder });
  const results: TaskResult[] = [];
  for (const name of arms.filter((arm) => embedder !== null || !needsVectors(arm))) {
    onArm(name);
    await using opened = await openArm(name, {
      set,
      dataDir: home.dataDir,
      database: home.database,
      embedder,
    });
    for (const task of set.tasks) {
      const measure = task.goals[0]?.measure ?? 'nDCG@10';
      const answers: TaskResult['answers'][number][] = [];
      for (const query of task.queries) {
        const ranking = await opened.arm.rank(query, task.unit);
        answers.push({ query, ranking, score: score(measure, ranking, query.gold) });
      }
      results.push({ task, arm: name, answers });
    }
  }
  return results;
}

interface OpenedArm extends AsyncDisposable {
  arm: Arm;
}

async function openArm(
  name: ArmName,
  {
    set,
    dataDir,
    database,
    embedder,
  }: { set: EvalSet; dataDir: string; database: string; embedder: Embedder | null },
): Promise<OpenedArm> {
  if (name === 'plain') {
    const plain = createPlainArm(set);
    return {
      arm: { rank: (query, unit) => Promise.resolve(plain.rank(query, unit)) },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  const others = pairQueries(set);
  const open = async (
    options: OpenMemoryOptions,
    changed?: Parameters<typeof createMemoryArm>[1],
  ): Promise<OpenedArm> => {
    // The run measures quality only, so search waits for slow vectors.
    const memory = await openMemory({ dataDir, vectorTimeoutMs: 600_000, ...options });
    return {
      arm: createMemoryArm(memory, changed),
      [Symbol.asyncDispose]: () => memory[Symbol.asyncDispose](),
    };
  };
  if (name === 'lexical' || embedder === null) return open({ vectors: 'none' });
  switch (name) {
    case 'fused':
      return open({ embedder });
    case 'without-files':
      return open({ embedder }, () => ({ contextFiles: [] }));
    case 'semantic': {
      const meanings = [...others.keys()].map(({ text }, index) => [unusedWord(index), text] as const);
      const words = new Map(meanings.map(([word, text]) => [text, word]));
      return open({ embedder: createRedirectedEmbedder(embedder, new Map(meanings)) }, ({ text }) => ({
        query: words.get(text) ?? text,
      }));
    }
    case 'noise-embedder': {
      const meanings = [...others].map(([{ text }, other]) => [normalizeSpaces(text), other.text] as const);
      return open({ embedder: createRedirectedEmbedder(embedder, new Map(meanings)) });
    }
    case 'noise-words': {
      const meanings = [...others].map(([{ text }, other]) => [normalizeSpaces(other.text), text] as const);
      return open({ embedder: createRedirectedEmbedder(embedder, new Map(meanings)) }, (query) => ({
        query: others.get(query)?.text ?? query.text,
      }));
    }
    case 'noise-files': {
      const files = set.lines.flatMap((line) => line.files_modified ?? []);
      const unknown = ['src/nothing/of-this.ts'];
      return open({ embedder }, ({ text }) => ({
        contextFiles: files.length === 0 ? unknown : chooseUnrelatedFiles(files, text),
      }));
    }
    case 'noise-index': {
      const reader = openStorageReader({ file: database });
      const flat = openFlatIndex({ tables: reader.searchTables, model: embedder.model });
      const opened = await open({ embedder, vectors: createNoiseIndex(flat) });
      return {
        ...opened,
        async [Symbol.asyncDispose]() {
          await opened[Symbol.asyncDispose]();
          await flat.close();
          await reader.close();
        },
      };
    }
  }
}

function needsVectors(arm: ArmName): boolean {
  return arm !== 'plain' && arm !== 'lexical';
}

/** Returns a word that no record contains, so that only semantic search can find results. */
function unusedWord(index: number): string {
  return `qzxjvk${index}`;
}

/** Chooses three files that are unrelated to the text. Equal texts get equal files. */
function chooseUnrelatedFiles(files: readonly string[], text: string): string[] {
  const start = [...text].reduce(
    (sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003,
    7,
  );
  return [0, 1, 2].map((index) => files[(start + index * 101) % files.length] ?? '');
}
