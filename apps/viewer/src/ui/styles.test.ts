import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(SOURCES, file), 'utf8');

it('the style sheet defines each class that a component uses', () => {
  const defined = new Set(read('ui/layout.css').match(/(?<=\.)[a-z][\w-]*/g));
  const components = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.tsx'),
  );
  const used = components.flatMap((file) =>
    [...read(file).matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g)].flatMap(([, plain, template]) =>
      (plain ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, ' ').split(/\s+/),
    ),
  );
  expect([...new Set(used)].filter((name) => name !== '' && !defined.has(name))).toEqual([]);
});
