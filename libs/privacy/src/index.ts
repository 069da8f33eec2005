export { scrubText, type ScrubbedText } from './scrub-text.js';
export { createSessionSecrets, type SessionSecrets } from './create-session-secrets.js';
export { createTextScrubber } from './create-text-scrubber.js';
export { scrubJson, type ScrubbedJson } from './scrub-json.js';
export { scrubEvent } from './scrub-event.js';
export { isSecretFile } from './secret-files.js';
export { boundJson, type BoundJsonLimits } from './bound-json.js';
export { quoteForAgent, quoteLineForAgent, truncateQuoted } from './quote-for-agent.js';
