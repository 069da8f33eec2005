/**
 * Porter's stemmer of 1980. Only plain BM25 uses this copy, so that the reference is unaffected by changes in our own
 * analysis.
 */
export function porterStem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  return STEPS.reduce((stem, step) => step(stem), word);
}

const CONSONANT = '(?:[^aeiouy]|(?<![^aeiou])y|^y)';
const VOWEL = '(?:[aeiou]|(?<=[^aeiou])y)';
const SEQUENCE = `${CONSONANT}*(?:${VOWEL}+${CONSONANT}+)`;
const measureAbove = (times: number) => new RegExp(`^${SEQUENCE}{${times + 1},}${VOWEL}*$`);
const [ABOVE_0, ABOVE_1] = [measureAbove(0), measureAbove(1)];
const EXACTLY_1 = new RegExp(`^${SEQUENCE}${VOWEL}*$`);
const HAS_VOWEL = new RegExp(VOWEL);
const DOUBLE = /([^aeiouylsz])\1$/;
const ENDS_CVC = new RegExp(`${CONSONANT}${VOWEL}[^aeiouwxy]$`);

const SUFFIXES = 'al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize'.split(' ');

const STEPS: readonly ((word: string) => string)[] = [
  (word) => word.replace(/(ss|i)es$/, '$1').replace(/([^s])s$/, '$1'),
  (word) => {
    if (word.endsWith('eed')) return ABOVE_0.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
    const stem = /^(.*)(?:ed|ing)$/.exec(word)?.[1];
    if (stem === undefined || !HAS_VOWEL.test(stem)) return word;
    if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
    if (DOUBLE.test(stem)) return stem.slice(0, -1);
    return EXACTLY_1.test(stem) && ENDS_CVC.test(stem) ? `${stem}e` : stem;
  },
  (word) => word.replace(/(.[^aeiou])y$/, '$1i'),
  endings(ABOVE_0, {
    ational: 'ate',
    tional: 'tion',
    enci: 'ence',
    anci: 'ance',
    izer: 'ize',
    abli: 'able',
    alli: 'al',
    entli: 'ent',
    eli: 'e',
    ousli: 'ous',
    ization: 'ize',
    ation: 'ate',
    ator: 'ate',
    alism: 'al',
    iveness: 'ive',
    fulness: 'ful',
    ousness: 'ous',
    aliti: 'al',
    iviti: 'ive',
    biliti: 'ble',
  }),
  endings(ABOVE_0, { icate: 'ic', ative: '', alize: 'al', iciti: 'ic', ical: 'ic', ful: '', ness: '' }),
  (word) => {
    if (/[st]ion$/.test(word)) return ABOVE_1.test(word.slice(0, -3)) ? word.slice(0, -3) : word;
    return withoutSuffix(word);
  },
  (word) => {
    const stem = word.slice(0, -1);
    const isDropped =
      word.endsWith('e') && (ABOVE_1.test(stem) || (EXACTLY_1.test(stem) && !ENDS_CVC.test(stem)));
    return isDropped ? stem : word;
  },
  (word) => (word.endsWith('ll') && ABOVE_1.test(word) ? word.slice(0, -1) : word),
];

const withoutSuffix = endings(ABOVE_1, Object.fromEntries(SUFFIXES.map((suffix) => [suffix, ''])));

/** Replaces the longest matching suffix if the part before it is long enough. */
function endings(isLongEnough: RegExp, replacements: Readonly<Record<string, string>>) {
  const byLength = Object.keys(replacements).sort((a, b) => b.length - a.length);
  return (word: string): string => {
    const end = byLength.find((candidate) => word.endsWith(candidate));
    if (end === undefined) return word;
    const stem = word.slice(0, -end.length);
    return isLongEnough.test(stem) ? stem + (replacements[end] ?? '') : word;
  };
}
