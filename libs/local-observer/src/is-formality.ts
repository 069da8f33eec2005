const FORMALITIES: readonly RegExp[] = [
  /^(?:\S+ is (?:complete|done|fixed|ready)|(?:\S+ ){1,6}(?:is|are) (?:now )?(?:complete|done|finished|ready|in place))\.?$/i,
  /^the (?:commit|push|refactoring|implementation|task|work|migration) (?:went|was|is)\b.{0,40}$/i,
  /^(?:all |both |the )?(?:\w+ )?(?:changes|files|code paths|updates) (?:are|have been|were) /i,
  /^both (?:the )?.{0,80} (?:have been|are|were) updated\.?$/i,
  /^(?:i )?found (?:and fixed )?(?:it|them|(?:the|an?) (?:root cause|issue|bug|problem))\b.{0,25}$/i,
  /^based on (?:my|the) .{0,60}(?:i can (?:now )?(?:provide|say|see)|is (?:now )?complete)\b/i,
  /^you (?:were|are|(?:'|’)re) (?:absolutely |completely )?(?:right|correct)\b.{0,40}$/i,
  /^(?:i think i )?found (?:it|something suspicious)\b.{0,20}$/i,
  /^that(?:'|’)s an? (?:crucial|important|good) (?:distinction|point|catch)\b.{0,20}$/i,
  /^let(?:'|’)s (?:discuss|talk|see|look)\b/i,
  /\bno outstanding issues\b|\bready (?:to|for) (?:merge|commit|use|test|review)/i,
  /^all .{0,40}(?:errors|issues|tests|changes|steps|tasks) .{0,20}(?:fixed|resolved|done|complete)/i,
  /^(?:pr|pull request|merge request|commit(?:ted)?|pushed)\b.{0,60}(?:https?:|#\d|\b[0-9a-f]{7,})/i,
  /^(?:everything|it|this|that) (?:works|is working|looks good|is (?:done|ready|fixed|in place))\b.{0,20}$/i,
];

/**
 * Returns true for a text that only reports success, or that a fact states better, such as a commit or a pull request.
 */
export function isFormality(text: string): boolean {
  return FORMALITIES.some((pattern) => pattern.test(text));
}
