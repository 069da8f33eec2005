import { createObserverBatch } from '@claude-mem/core/testing';
import { bash, edit, read, type ToolUseFields } from '@claude-mem/evidence/testing';
import { describe, expect, it } from 'vitest';
import { observeTurn } from './observe-turn.js';

const packageJson = read(
  'package.json',
  '{ "dependencies": { "lantern": "^15.5.2", "@types/lantern": "14.1.0" } }',
);

function recordsOf(closing: string, ...toolUses: readonly ToolUseFields[]): string {
  const batch = createObserverBatch({
    prompt: 'What does the kiln service use?',
    toolUses: [edit('src/kiln.ts', 'a', 'fire()'), ...toolUses],
    closing: `\`fire()\` in \`src/kiln.ts\` heats the kiln, because nothing else does.\n\n${closing}`,
  });
  return JSON.stringify(observeTurn(batch));
}

describe('statements that a result contradicts', () => {
  it.each<[string, string, ToolUseFields]>([
    ['names another version', 'The service in `src/kiln.ts` uses Lantern.js 14.', packageJson],
    ['names another minor version', 'The service in `src/kiln.ts` uses `lantern` v15.4.', packageJson],
    ['names another share', 'The coverage of `fire()` is 92%.', bash('npm run coverage', 'coverage: 71.6%')],
    ['names another port', '`fire()` listens on port 3001.', bash('cat kiln.env', 'PORT=3000')],
    [
      'puts a value on the wrong side of a limit',
      'The coverage of `fire()` exceeds the threshold.',
      bash('npm run coverage', 'coverage: 71.6%\nthreshold: 80%'),
    ],
    [
      'denies that a value exceeds a limit',
      'The heat of `fire()` does not exceed the maximum.',
      bash('npm run heat', '{"heat": 1310, "maximum": 1250}'),
    ],
  ])('omits a statement when it %s', (_, statement, use) => {
    expect(recordsOf(statement, bash('npm run heat', 'fire() done'))).toContain(statement.slice(0, -1));
    expect(recordsOf(statement, use)).not.toContain(statement.slice(0, -1));
  });

  it('omits a statement when its own numbers contradict it', () => {
    const statement = 'The heat of `fire()` of 1180 is above the limit of 1200';
    expect(recordsOf(`${statement}.`)).not.toContain(statement);
  });

  it('omits a statement when its heading names another version', () => {
    expect(recordsOf('## Lantern 14\n\n- `fire()` reads the probe', packageJson)).not.toContain(
      'reads the probe',
    );
  });
});

describe('statements that no result contradicts', () => {
  it.each<[string, string, ToolUseFields]>([
    ['names the version', 'The service in `src/kiln.ts` uses Lantern 15.', packageJson],
    [
      'also names the old version',
      'The service in `src/kiln.ts` went from Lantern 14 to 15.5.2.',
      packageJson,
    ],
    ['rounds a share', 'The coverage of `fire()` is 72%.', bash('npm run coverage', 'coverage: 71.6%')],
    [
      'names the version of an edit',
      'The service in `src/kiln.ts` uses Lantern 16.',
      edit('package.json', '"lantern": "^15.5.2"', '"lantern": "^16.0.1"'),
    ],
    ['names a line', '`fire()` is on line 12.', bash('grep -n heat src/kiln.ts', 'line 20: heat()')],
    [
      'has a limit on the right side',
      'The coverage of `fire()` is below the threshold.',
      bash('npm run coverage', 'coverage: 71.6%\nthreshold: 80%'),
    ],
    [
      'has numbers that no label names',
      'The heat of `fire()` exceeds the limit.',
      bash('npm run heat', '1180 1200'),
    ],
  ])('keeps a statement when it %s', (_, statement, use) =>
    expect(recordsOf(statement, use)).toContain(statement.slice(0, -1)),
  );
});
