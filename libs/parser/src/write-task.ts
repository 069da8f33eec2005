import type { ObserverBatch } from '@claude-mem/core';

const SUMMARY =
  'one <summary> of the whole turn, or <skip_summary reason="…"/> when nothing was done or learned';

/** Writes the task for the batch. The task follows the recorded turn, so that it is the last instruction. */
export function writeTask(batch: ObserverBatch): string {
  const { promptNumber, firstPromptNumber } = batch;
  const task = taskOfTurn(batch);
  if (firstPromptNumber === promptNumber) return task;
  return `The turns from ${firstPromptNumber} on in <conversation> are new, too: record what the user decided there. ${task}`;
}

function taskOfTurn({ closing, toolUses }: ObserverBatch): string {
  if (!closing) return 'The turn goes on. Write the observations of this part, no summary.';
  if (closing.reason === 'interrupted')
    return `The turn was interrupted before its end: say what is unfinished. Write the observations and ${SUMMARY}.`;
  if (toolUses.length === 0)
    return `No tool was used. Write ${SUMMARY}; an observation only of what the user decided or was told for good.`;
  return `Write the observations and ${SUMMARY}.`;
}
