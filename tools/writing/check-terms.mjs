// npm run lint:terms: reports the words that docs/glossary.md lists under "Terms to avoid", in identifiers, comments,
// documentation, test titles, and texts of the viewer and the CLI.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../workspace.mjs';
import { collectTexts } from './collect-texts.mjs';

const GLOSSARY = 'docs/glossary.md';
const HEADING = '## Terms to avoid';

const terms = readTerms();
const problems = collectTexts()
  .filter(({ file }) => file !== GLOSSARY)
  .flatMap((text) =>
    terms
      .filter((term) => (text.kind === 'identifier' || !term.isNameOnly) && term.pattern.test(wordsOf(text)))
      .map((term) => `${text.file}:${text.line} "${term.avoid}" in ${describe(text)}. Use: ${term.use}`),
  );
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(`\n${problems.length} uses of terms that ${GLOSSARY} says to avoid.`);
  process.exitCode = 1;
}

/** Reads the rows `| avoid | use | where |`; "names" in the last column limits a row to identifiers. */
function readTerms() {
  const [, section = ''] = readFileSync(path.join(root, GLOSSARY), 'utf8').split(`${HEADING}\n`);
  const rows = section
    .split('\n## ')[0]
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| avoid') && !line.startsWith('| --'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  if (rows.length === 0) throw new Error(`${GLOSSARY} has no table below "${HEADING}".`);
  return rows.flatMap(([, avoided, use, where]) =>
    avoided.split(', ').map((avoid) => ({
      avoid,
      use,
      isNameOnly: where === 'names',
      pattern: new RegExp(`(?<![\\p{L}-])${avoid}(?![\\p{L}-])`, 'iu'),
    })),
  );
}

/**
 * Splits a name into words: `quarantineName` → "quarantine name". Ignores code in texts, because names are checked
 * where they are declared.
 */
function wordsOf({ kind, text }) {
  if (kind !== 'identifier') return text.replaceAll(/`[^`]*`/g, '');
  return text.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|_|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
}

function describe({ kind, text }) {
  return kind === 'identifier' ? `the name ${text}` : `the ${kind} "${text.slice(0, 80)}"`;
}
