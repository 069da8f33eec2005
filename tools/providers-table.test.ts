import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROVIDER_FAILURES, PROVIDER_ROWS } from '@claude-mem/agent-providers';
import { WIRE_CASES } from '@claude-mem/agent-providers/testing';
import { workspacePaths } from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';

describe('docs/providers.md; npm run providers:table writes it anew', () => {
  const text = readFileSync(path.join(workspacePaths.root, 'docs', 'providers.md'), 'utf8');
  const names = Object.keys(PROVIDER_ROWS);

  it('has a row of needs for each observer, with its settings', () => {
    const rows = tableUnder('## What each needs').rows;
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

  it('holds each observer that asks a vendor against each case, and no other', () => {
    const { head, rows } = tableUnder('### With a vendor');
    expect(head).toEqual(['case', ...names.filter((name) => name !== 'local')]);
    expect(rows.map(([title]) => title)).toEqual(WIRE_CASES.map(({ title }) => title));
  });

  it('holds each observer against the port and each way to fail', () => {
    const { head, rows } = tableUnder('### As any observer');
    expect(head).toEqual(['case', ...names]);
    const titles = rows.map(([title]) => title);
    for (const failure of PROVIDER_FAILURES)
      expect(titles).toContain(`reports ${failure} as a ProviderError`);
  });

  it('shows nothing that fails, and a reason for what does not apply', () => {
    const reasons = text.match(/^\d+\. .+$/gm) ?? [];
    for (const heading of ['### With a vendor', '### As any observer'])
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
