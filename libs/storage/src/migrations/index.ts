import { sessionsAndRecords } from './0001-sessions-and-records.js';
import { queue } from './0002-queue.js';
import { fullText } from './0003-full-text.js';
import { derived } from './0004-derived.js';
import { usageCalls } from './0005-usage-calls.js';
import { search } from './0006-search.js';
import { forgotten } from './0007-forgotten.js';
import { forgetBin } from './0008-forget-bin.js';
import { toolUses } from './0009-tool-uses.js';
import { projectRepositories } from './0010-project-repositories.js';
import { conversations } from './0011-conversations.js';
import { factOrigins } from './0012-fact-origins.js';
import { freshness } from './0013-freshness.js';
import { injections } from './0014-injections.js';
import type { Migration } from './migration.js';

/** All migrations, oldest first. */
export const MIGRATIONS: readonly Migration[] = [
  sessionsAndRecords,
  queue,
  fullText,
  derived,
  usageCalls,
  search,
  forgotten,
  forgetBin,
  toolUses,
  projectRepositories,
  conversations,
  factOrigins,
  freshness,
  injections,
];
