import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROVIDER_FAILURES } from '@claude-mem/agent-providers';
import { WIRE_CASES } from '@claude-mem/agent-providers/testing';
import { PROVIDER_ROWS } from '@claude-mem/core';
import { workspacePaths } from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';

describe('docs/providers.md (update it with npm run providers:table)', () => {
  const text = readFileSync(path.join(workspacePaths.root, 'docs', 'providers.md'), 'utf8');
  const names = Object.keys(PROVIDER_ROWS);

  it('lists the requirements and settings of each provider', () => {
    const rows = tableUnder('## Requirements').rows;
    const code = (word: string | null) => (word === null ? '–' : `\`${word}\``);
    expect(rows).toEqual(
      Object.values(PROVIDER_ROWS).map((row) => [
        code(row.name),
        row.needs,
        code(row.package),
        code(row.keySetting),
        code(row.modelSetting),
        code(row.defaultModel),
        code(row.baseUrlSetting),
      ]),
    );
  });

  it('lists every case of each provider that calls a model', () => {
    const { head, rows } = tableUnder('### Providers that call a model');
    expect(head).toEqual(['case', ...names.filter((name) => name !== 'local')]);
    expect(rows.map(([title]) => title)).toEqual(WIRE_CASES.map(({ title }) => title));
  });

  it('lists the cases of the port for all providers, with every failure', () => {
    const { head, rows } = tableUnder('### All providers');
    expect(head).toEqual(['case', ...names]);
    const titles = rows.map(([title]) => title);
    for (const failure of PROVIDER_FAILURES)
      expect(titles).toContain(`reports ${failure} as a ProviderError`);
  });

  it('contains no failed case and gives a reason for each skipped case', () => {
    const reasons = text.match(/^\d+\. .+$/gm) ?? [];
    for (const heading of ['### Providers that call a model', '### All providers'])
      for (const [title, ...cells] of tableUnder(heading).rows)
        for (const cell of cells) {
          const number = /^–<sup>(\d+)<\/sup>$/.exec(cell)?.[1];
          expect(number === undefined ? cell : reasons[Number(number) - 1], title).toMatch(/^✓$|^\d+\. \w/);
        }
  });

  function tableUnder(heading: string): { head: string[]; rows: string[][] } {
    const lines = text.slice(text.indexOf(`\n${heading}`)).split('\n');
    const start = lines.findIndex((line) => line.startsWith('| '));
    const length = lines.slice(start).findIndex((line) => !line.startsWith('| '));
    const [head = [], , ...rows] = lines.slice(start, start + length).map(cellsOf);
    return { head, rows };
  }
});

const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
