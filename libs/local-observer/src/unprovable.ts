import type { TurnEvidence } from '@claude-mem/evidence';
import { DECIDED, DECIDED_TO } from './text/lexicon.js';

/** Prefix of a sentence that only the closing message supports. */
export const AGENT = 'According to the agent';

/** Removes the prefix. A fact does not need it, because the label of its origin names the agent. */
export const withoutAgent = (text: string): string =>
  text.startsWith(`${AGENT}: `) ? text.slice(AGENT.length + 2) : text;

const PERSON =
  "(?:(?:the|our|my|your) )?(?:user|customer|client|maintainer|owner|reviewer|person|human|boss|manager|management|admin|operator|security|legal|team|team lead|you|they)(?:(?:'|’)(?:ve|d))?";
const INTENTION =
  '(?:(?:has|have|had|already|also|explicitly|clearly|just|now) )*(?:chose|chosen|picked|selected|refused|rejected|declined|approved|accepted|authori[sz]ed|permitted|agreed|confirmed|decided|demand(?:s|ed)|insist(?:s|ed)|asked|requested|wants?|wanted|prefers?|preferred|wish(?:es|ed)|said|instructed|told (?:me|us)|sign(?:s|ed)(?: (?:it|this|that|them))? off)';

/**
 * Match a request or decision of a person. "When the user rejected the dialog" describes a program and does not match.
 */
const INTENTIONS: readonly RegExp[] = [
  new RegExp(`(?<!\\b(?:when|if|once|after|until|whether|unless|while) )\\b${PERSON} ${INTENTION}\\b`, 'i'),
  new RegExp(`\\b(?:asked|requested|approved|wanted|chosen|decided|refused|signed off) by ${PERSON}\\b`, 'i'),
  /\b(?:der |die |dem )?(?:be)?nutzer(?:in)? (?:hat|will|wollte|möchte|wünscht|bestätigt|verlangt)|\b(?:du|sie) (?:hast|haben|wolltest|wollten) /i,
  /\bl(?:'|’)utilisat(?:eur|rice) (?:a|veut|voulait|souhaite|demande|exige)\b/i,
  /\b(?:el|la) usuari[oa] (?:ha|quiere|quería|decidió|aprobó|pidió|eligió|rechazó)\b/i,
  /ユーザー(?:は|が|の).{0,40}(?:決定|承認|希望|拒否|依頼|選択|指示)/,
  /用户(?:已|已经)?(?:要求|决定|批准|同意|选择|拒绝|希望|确认)/,
  /пользовател\S* (?:уже )?(?:решил|одобрил|попросил|выбрал|отказал|хочет|хотел|подтвердил)/i,
  /\bit (?:was|is|has been) (?:agreed|decided|approved|requested)\b/i,
  new RegExp(`\\b${PERSON}(?:'|’)s? (?:\\w+ )?(?:wish|request|decision|order|demand|approval)\\b`, 'i'),
  // Words for the user in languages whose verbs are not listed here.
  /usuári[oa]|utilizador|\butente\b|gebruiker|\bbrug(?:er|ar)|\bbruker|användar|käyttäj|użytkowni|uživatel|používate|kullanıcı|felhasználó|utilizator|người dùng|pengguna|користувач|корисник|χρήστη|사용자|المستخدم|משתמש|उपयोगकर्ता|ผู้ใช้/iu,
];

/**
 * Matches an order for later sessions, which no edit proves. A program can have sessions and agents too, so "all
 * sessions" alone is not an order.
 */
const STANDING_ORDER =
  /^(?:in|for|at the \w+ of|before|after|during|with) (?:every|each|all|any|future|later|subsequent) (?:[\w-]+ ){0,2}(?:sessions?|agents?|assistants?|models?)\b|^(?=.*\b(?:every|each|all|any|future|later|following|subsequent) (?:[\w-]+ ){0,2}(?:sessions?|agents?|assistants?|models?)\b)(?=.*(?:\b(?:must|should|shall|will|always|never|ha(?:ve|s) to|needs? to|may|can|allowed|told|asked|instructed|run|use|call|read|write|send|post|push|delete|remove|ignore|disable|skip|avoid|stop|keep|start|trust|approve|merge|commit|install|follow|execute|curl|wget|fetch|download|open|load|visit|do not)\b|\bdon(?:'|’)t\b))|\b(?:polic(?:y|ies)|conventions?|rules?|guidelines?) ?(?::|(?:(?:is|are) to|requires?|demands?|says?|states?)\b)/is;

/**
 * Matches a word with letters of two scripts, which can imitate another word: `usеr` with a Cyrillic letter. `Δt` and
 * `μs` do not match.
 */
const TWO_SCRIPTS =
  /\p{Script=Latin}{2}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}{2}/u;

/** Removes invisible characters and Markdown marks, which could separate the words of the patterns. */
const toPlainText = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}|[*~]+|(?<!\w)_+|_+(?!\w)/gu, '');

/** Matches the phrases that this observer uses for facts from tool results. */
const OWN_PHRASE =
  /^(?:user (?:chose|refused)|chose [“"]|refused (?:the plan|a \S+ call)[:：]|asked [“"]|the user asked:|not chosen|commit [0-9a-f]{7}|pull request #?\d|a sub-agent found|comment in `|quoted from|plan:|the (?:approved )?plan\b.{0,20} names|the agent (?:says|left|asked|proposed)|open in )/i;

const RELEASED =
  /\b(?:live|deployed|released|rolled out|shipped|published)\b.{0,60}\b(?:in|to|on|into) (?:the )?(?:prod(?:uction)?|staging|npm|live|app store)\b|\bin production (?:since|now|already|today)\b|\b(?:is|are) (?:now )?(?:live|deployed|released)\b/i;

const CHECKS_PASS =
  /\b(?:tests?|suite|specs?|ci|build)\b.{0,60}\b(?:pass(?:es|ed)?|green|succeed(?:s|ed)?)\b/i;

/**
 * Returns true when a sentence claims something that the edits of a turn cannot prove. Examples are a request or
 * decision of a person, a release, or a passed check without a run. Phrases that this observer uses for tool results
 * also count.
 */
export function isUnprovable(sentence: string, { commands }: Pick<TurnEvidence, 'commands'>): boolean {
  const text = toPlainText(sentence);
  return (
    TWO_SCRIPTS.test(text) ||
    STANDING_ORDER.test(text) ||
    findDecision(text) !== null ||
    OWN_PHRASE.test(text) ||
    RELEASED.test(text) ||
    INTENTIONS.some((pattern) => pattern.test(text)) ||
    (CHECKS_PASS.test(text) && !commands.some(({ kind, outcome }) => kind === 'test' && outcome === 'passed'))
  );
}

/** Returns the decision in a sentence without "We decided to", or null. */
export function findDecision(text: string): string | null {
  const decision = text.replace(DECIDED, '').replace(DECIDED_TO, '');
  return decision === text ? null : decision;
}
