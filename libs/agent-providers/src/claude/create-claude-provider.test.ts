import { claudeDialect, describeProviderOnTheWire } from '../testing/index.js';
import { createClaudeProvider } from './create-claude-provider.js';

describeProviderOnTheWire('claude', { dialect: claudeDialect, open: createClaudeProvider });
