export {
  ANALYSIS_VERSION,
  FIELDS,
  analyzeRecord,
  type AnalyzedRecord,
  type Field,
  type IndexableRecord,
} from './analyze-record.js';
export { analyzeQuery, type AnalyzedQuery, type QueryTerm } from './analyze-query.js';
export { EVERYDAY_WORDS } from './everyday-words.js';
export { wordsToMark } from './words-to-mark.js';
export { wordsOf } from './words-of.js';
export { fileTerms, labelTerm } from './marker-terms.js';
export { LATIN_LANGUAGES, latinLanguageTerm, latinStemTerms } from './latin-languages.js';
