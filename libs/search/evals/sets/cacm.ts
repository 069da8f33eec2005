import type { EvalQuery, EvalSet, ImportLine } from '../eval-set.js';
import { paragraphsOf } from '../paragraphs-of.js';
import { readBytes, readText } from '../shared-data.js';

/**
 * Reads the CACM collection: abstracts of journal articles, and detailed questions. Some questions ask for an author.
 */
export function readCacm(shared: string): EvalSet {
  const gold = new Map<string, Map<string, number>>();
  for (const line of readText(shared, 'cacm', 'qrels.cacm.txt.gz').split('\n')) {
    const [topic, , document, grade] = line.trim().split(/\s+/);
    if (!topic || !document) continue;
    const found = gold.get(topic) ?? new Map<string, number>();
    found.set(uidOf(document), Number(grade));
    gold.set(topic, found);
  }
  return {
    name: 'cacm',
    lines: filesOfTar(readBytes(shared, 'cacm', 'cacm.tar.gz'))
      .filter(({ name }) => name.endsWith('.html'))
      .map(({ name, text }) => lineOf(name.replace('.html', ''), text)),
    tasks: [
      {
        name: 'CACM',
        unit: 'observation',
        queries: queriesOf(readText(shared, 'cacm', 'topics.cacm.txt.gz'), gold),
        goals: [
          { measure: 'nDCG@10', plain: 0.503, lexical: 0.55, hybrid: 0.55 },
          { measure: 'MRR', plain: null, lexical: null, hybrid: null },
          { measure: 'R@10', plain: null, lexical: null, hybrid: null },
        ],
      },
    ],
  };
}

/** CACM-0194 and CACM-194 are the same document. */
function uidOf(document: string): string {
  return `cacm/${Number(document.replace('CACM-', ''))}`;
}

function queriesOf(topics: string, gold: ReadonlyMap<string, Map<string, number>>): EvalQuery[] {
  const queries: EvalQuery[] = [];
  for (const [, number, text] of topics.matchAll(/<DOCNO>\s*(\d+)\s*<\/DOCNO>([\s\S]*?)<\/DOC>/g)) {
    const found = gold.get(number ?? '');
    if (found && text) queries.push({ text: text.trim(), project: 'cacm', gold: found });
  }
  return queries;
}

/**
 * A document contains the title, an optional abstract, "CACM month, year", then blocks of authors, keywords and
 * categories. The entry date and the citations at the end are skipped.
 */
function lineOf(document: string, html: string): ImportLine {
  const text = html.replace(/<\/?(?:html|pre)>/g, '').trim();
  const issue = /^ *(?:CACM )?([A-Z]\w{2,8}),? *(\d{4}) *$/im.exec(text);
  const [title = '', ...abstract] = paragraphsOf(text.slice(0, issue?.index));
  const after = issue ? text.slice(issue.index + issue[0].length) : '';
  return {
    uid: uidOf(document),
    project: 'cacm',
    session: uidOf(document),
    prompt_number: 1,
    title: title.replace(/\s+/g, ' '),
    narrative: abstract.join('\n\n'),
    facts: paragraphsOf(after.split(/^CA\d{5,}/m, 1)[0] ?? '').map((block) => block.replace(/\s+/g, ' ')),
    created_at: new Date(issue ? Date.parse(`1 ${issue[1]} ${issue[2]} UTC`) : 0).toISOString(),
  };
}

/**
 * A tar file consists of blocks of 512 bytes. Each entry is a header with the name and the octal size, then the
 * content.
 */
function filesOfTar(tar: Buffer): { name: string; text: string }[] {
  const files: { name: string; text: string }[] = [];
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const name = tar.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8);
    files.push({ name, text: tar.toString('latin1', at + 512, at + 512 + size) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
