import { createLocalProvider } from './create-local-provider.js';
import { describeAgentProvider } from '../testing/describe-agent-provider.js';

describeAgentProvider('local', { open: () => createLocalProvider() });
