// Selects the observers of a command.
import { MODEL_OBSERVERS, getSkipReason } from '@claude-mem/testing/observers';

/** Returns the named observers, or all that can run here. Prints the reason for each observer that is skipped. */
export function chosenObservers(names) {
  const unknown = names.find((name) => !MODEL_OBSERVERS.includes(name));
  if (unknown !== undefined)
    throw new Error(`unknown provider ${unknown}; there are ${MODEL_OBSERVERS.join(', ')}`);
  return (names.length > 0 ? names : MODEL_OBSERVERS).filter((name) => {
    const reason = getSkipReason(name);
    if (reason !== null) console.log(reason);
    return reason === null;
  });
}
