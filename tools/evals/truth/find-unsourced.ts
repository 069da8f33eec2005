import type { JsonValue, ObserverBatch } from '@claude-mem/core';
import { collectEvidence, type TurnEvidence } from '@claude-mem/evidence';
import { toComparableText } from '@claude-mem/local-observer/comparable-text';
import { SUMMARY_FIELDS, type StoredRecords } from '../local-records.js';

export interface Checked {
  /** The field of the record, with the origin of a fact: `title`, `fact (evidence)`, `notes`. */
  kind: string;
  text: string;
  /** Parts of the text that the turn does not contain. */
  unsourced: readonly string[];
}

/** Checks each sentence of the records of one turn. Facts of origin `evidence` are also checked against the evidence. */
export function checkRecords(batch: ObserverBatch, records: StoredRecords): Checked[] {
  const evidence = collectEvidence(batch);
  const hasSource = createSourceTest(batch, evidence);
  const check = (kind: string, text: string | null): Checked[] =>
    sentencesOf(text ?? '').map((sentence) => ({
      kind,
      text: sentence,
      unsourced: unsourcedIn(sentence, hasSource),
    }));
  const names = namesOf(evidence);
  const facts = records.observations.flatMap((record) => record.facts);
  return [
    ...records.observations.flatMap(({ title, subtitle, narrative }) => [
      ...check('title', title),
      ...check('subtitle', subtitle),
      ...check('narrative', narrative),
    ]),
    ...facts.flatMap(({ text, origin }) => check(`fact (${origin})`, text)),
    ...records.summaries.flatMap((summary) =>
      SUMMARY_FIELDS.flatMap((field) => check(field, summary[field])),
    ),
    ...facts
      .filter(({ origin }) => origin === 'evidence')
      .map(({ text }) => ({
        kind: 'fact (evidence) that names nothing of the evidence',
        text,
        unsourced: names.some((name) => text.includes(name)) ? [] : [text],
      })),
  ];
}

/** Splits a text at the ends of sentences and at semicolons, but not within quotation marks. */
function sentencesOf(text: string): string[] {
  const parts = text.match(/(?:“[^“”]*”|`[^`]*`|(?![.!?。]["”'`)]?\s|;\s)[\s\S])+[.!?。;]?["”'`)]?/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => toComparableText(part) !== '');
}

/** Returns the parts of a sentence without a source. A sentence that the source contains needs no further check. */
function unsourcedIn(sentence: string, hasSource: (text: string) => boolean): string[] {
  if (hasSource(sentence)) return [];
  // The observer adds the column names to the cells of a table row.
  const spans = (sentence.match(SPAN) ?? []).flatMap((span) =>
    span.includes(' | ') ? span.split(PIECE) : [span],
  );
  const rest = sentence.replace(SPAN, BREAK).replace(FRAMES, BREAK).split(PIECE);
  return [...spans, ...rest].flatMap((part) => part.split('…')).filter((part) => !hasSource(part));
}

const BREAK = ' | ';
const SPAN = /“[^“”]*”|„[^“”]*[“”]|`[^`]*`/g;
const PIECE = /\||,\s|:\s|\s[—–-]\s|[()]/;

/** Matches the phrases that the observer writes around quotations and names. */
const FRAMES = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    'according to the agent(?:, it was decided)?|use(?=:)',
    '(?:a sub-agent found|commit message|the document|the user asked|plan)(?=:)',
    'the agent (?:asked|left open|proposed)|the turn ended with|reports',
    "open in (?:the pull request|the agent's to-do list)",
    '(?:(?:the )?user )?(?:chose|refused(?: the plan| a)?)|call(?=:)|not chosen|described as|chosen(?=:)|over',
    'the option was|decided(?=:)',
    'plan (?:not )?approved|the plan was (?:not )?approved|the (?:approved )?plan|not approved|names',
    'carry out the approved plan|revise the plan and have it approved|implement the plan',
    'is titled|work(?=:)|session(?=:)|to-do of the agent|option of the agent|answers the agent',
    'ran with the changes stashed away: its pass says nothing about them',
    'replaces|with(?= test| `)|read|searched for|ran|looked up|sub-agents|changed|deleted',
    'quoted from(?: the output of a command| a sub-agent| the prompt)?',
    '(?:and )?\\d+ more(?: lines?)?',
    'adds?|added|removes?|removed|changes|became|new(?: file)?|moved|renamed|lines with|fixed(?=:)',
    'environment variables?|flags?|settings?|tests?|tables?|sections?|imports? of|a call of',
    'to|from|in|and',
    'comment in|commit(?= [0-9a-f]{7})|it holds|appeared during the turn|pull request',
    'still failed at its last run|(?:failed )?before the last edit|failed(?: with)?(?: in its hook)?|an error|errors fixed',
    'passes (?:after edits of|later in the turn|after)|passed|result unknown|commit hook',
    'the turn was interrupted|(?:an|the) edit of|was refused by the user|was not permitted',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'giu',
);

function createSourceTest(batch: ObserverBatch, evidence: TurnEvidence): (text: string) => boolean {
  const texts = [
    batch.prompt ?? '',
    batch.session.goal ?? '',
    batch.closing?.lastAssistantMessage ?? '',
    ...batch.toolUses.flatMap(({ toolName, input, response, error }) => [
      toolName,
      ...stringsOf(input),
      ...stringsOf(response),
      error ?? '',
    ]),
    ...evidence.commands.flatMap(({ counts }) => counts ?? []),
  ];
  const root = batch.session.projectRoot;
  const relative = (text: string) => (root === null ? text : text.replaceAll(`${root}/`, ''));
  const forms = texts.flatMap((text) => [text, shorten(text), shorten(relative(text))]);
  const sources = [...new Set(forms.map(toComparableText))];
  return (text) =>
    [text, shorten(text)]
      .map(toComparableText)
      .some((part) => sources.some((source) => source.includes(part)));
}

/**
 * Removes the differences that the observer introduces: no remarks in brackets and no articles in titles, no home
 * folders, and paths relative to the project.
 */
const shorten = (text: string): string =>
  text
    .replace(/\/(?:Users|home)\/[^/\s`"')]+/g, '~')
    .replace(/\s*\((?:[^()]|\([^()]*\))*\)/g, '')
    .replace(/(?<![\p{L}`])(?:the|an?|successfully) /giu, '');

function stringsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** Returns the files, commands, commits, pull requests and counts of a turn. */
function namesOf({ changes, commands, commits, pullRequests }: TurnEvidence): string[] {
  return [
    ...changes.flatMap(({ path, from }) => [path, from ?? path]),
    ...commands.flatMap(({ displayLine, counts }) => [displayLine, counts ?? displayLine]),
    ...commits.map(({ id }) => id),
    ...pullRequests.map(({ url }) => url),
    'git commit',
  ];
}
