import type { AgentResult } from '@claude-mem/evidence';
import { countWords } from './text/count-words.js';
import { announcesNext, HEDGE, LEAD_IN, OFFER } from './text/lexicon.js';
import { readMarkdown } from './text/read-markdown.js';
import { splitSentences } from './text/split-sentences.js';
import { withSource } from './reported-speech.js';
import { filesIn, hasNumber, termsIn } from './names-in.js';

/**
 * Returns the most informative statement of each sub-agent's answer. Bold statements are preferred, then statements
 * with many names.
 */
export function agentFacts(results: readonly AgentResult[], limit: number): string[] {
  return results
    .slice(0, 6)
    .flatMap(({ answer }) => best(answer, limit).map((text) => withSource('A sub-agent found', text)));
}

const FINDING_HEADING =
  /difference|issue|finding|problem|mismatch|missing|gap|bug|risk|conflict|inconsisten|問題|課題|差異|问题|差异|проблем|различ/i;

function best(answer: string, fullest: number): string[] {
  const text = answer.slice(0, 12_000);
  const bold = [...text.matchAll(/\*\*([^*\n]{6,120})\*\*(?!\s*:)/g)]
    .map((match) => match[1]!)
    .filter((words) => !/:$/.test(words));
  const statements = readMarkdown(text).flatMap((block) => {
    if (
      block.kind === 'code' ||
      block.kind === 'quote' ||
      block.under.some((heading) => announcesNext(heading))
    )
      return [];
    const isProse = block.kind === 'paragraph' || block.kind === 'lead';
    const isFinding = block.under.some((heading) => FINDING_HEADING.test(heading));
    return (isProse ? splitSentences(block.text) : [block.text]).map((sentence) => ({
      sentence: sentence.replace(/\s*[:：]$/, ''),
      isProse,
      isFinding,
      isLead: /[:：]$/.test(sentence) || block.kind === 'lead',
    }));
  });
  return statements
    .filter(
      ({ sentence, isLead }) =>
        countWords(sentence) >= (isLead ? 9 : 6) &&
        sentence.length < 300 &&
        !LEAD_IN.test(sentence) &&
        !OFFER.test(sentence) &&
        !HEDGE.test(sentence) &&
        !/^(?:based on|i (?:have|was|will|found that i)|as requested|the following)\b|agentId/i.test(
          sentence,
        ),
    )
    .map(({ sentence, isProse, isFinding }, index) => ({
      sentence,
      index,
      worth:
        (bold.some((words) => sentence.includes(words)) && isProse ? 4 : 0) +
        (isProse ? 1 : 0) +
        (isFinding ? 2 : 0) +
        Math.min(termsIn(sentence).length + filesIn(sentence).length, 3) +
        (hasNumber(sentence) ? 1 : 0) -
        index * 0.05,
    }))
    .filter(({ worth }) => worth >= 3)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, fullest)
    .sort((a, b) => a.index - b.index)
    .map(({ sentence }) => sentence);
}
