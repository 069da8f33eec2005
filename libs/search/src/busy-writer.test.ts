import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { analyzeQuery } from '@claude-mem/lexical-index/analysis';
import { openStorageReader } from '@claude-mem/storage';
import { bundleProgram } from '@claude-mem/core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openTestMemory } from './__fixtures__/open-test-memory.js';
import { type LexicalIndex, type LexicalReader, openLexicalIndex } from '@claude-mem/lexical-index';

it('reads one current and consistent state of the index while another process writes, removes, folds and rebuilds', async () => {
  await using test = await openTestMemory();
  const reader = openStorageReader({ file: test.file });
  const index = openLexicalIndex(reader.searchTables, { cacheBytes: 20_000 });
  // in this package, where it finds SQLite
  const program = path.join(import.meta.dirname, `../out-tsc/children/busy-writer-${process.pid}.mjs`);
  onTestFinished(() => rmSync(program, { force: true }));
  bundleProgram(path.join(import.meta.dirname, './__fixtures__/busy-writer.mts'), program, [
    'better-sqlite3',
    'better-sqlite3-n22',
  ]);
  const child = spawn(process.execPath, [program, test.file, path.join(test.dataDir, 'backups'), '60'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let problems = '';
  let rounds = 0;
  child.stderr.on('data', (data: Buffer) => (problems += data.toString()));
  child.stdout.on('data', (data: Buffer) => (rounds += data.toString().split('\n').length - 1));
  const ended = once(child, 'exit');

  const sizes = new Set<number>();
  while (child.exitCode === null && child.signalCode === null) {
    const isEqual = index.read((kept) => {
      const asKept = answersOf(kept);
      sizes.add(kept.documents.live.size);
      return openLexicalIndex(reader.searchTables).read((writeAgain) => {
        expect(asKept).toEqual(answersOf(writeAgain));
        return true;
      });
    });
    expect(isEqual).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await ended, problems).toEqual([0, null]);
  expect(rounds).toBe(60);
  expect(sizes.size).toBeGreaterThan(5);
  expect(problems).toBe('');
  expect(countOf(index, 'record1200')).toBe(1);
  await reader.close();
});

function answersOf(reader: LexicalReader) {
  const { documents } = reader;
  const within = reader.within({ kinds: ['observation'] });
  const ids = (slots: readonly number[]) => slots.map((slot) => documents.recordId[slot]);
  const words = reader.score({ terms: analyzeQuery('queue lease parser').terms });
  const sessions = words.scoreSessions({ saturation: 3, lengthShare: 0.6 }).scores;
  return {
    count: within.size,
    best: words.best({ within, limit: 50 }).map(({ slot, score }) => [documents.recordId[slot], score]),
    sessions: Array.from(sessions, (score, session) => [
      documents.sessionIdOf(session),
      Number(score.toFixed(6)),
    ])
      .filter(([, score]) => (score ?? 0) > 0)
      .toSorted(([left = 0], [right = 0]) => left - right),
    newest: ids(reader.newest({ within, limit: 30 })),
    file: ids(reader.newest({ within: reader.within({ files: ['file7.ts'] }), limit: 100 })),
  };
}

function countOf(index: LexicalIndex, query: string): number {
  return index.read((reader) => reader.score({ terms: analyzeQuery(query).terms }).found.count);
}
