import type { Ceiling, DayBudget, UsageReport, UsageRow } from '@claude-mem/core';
import * as Type from 'typebox';
import { EpochMs, NullableText, objectOf, oneOf, RowId } from './common.js';

const Count = Type.Integer({ minimum: 0 });
const Day = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'YYYY-MM-DD, local' });
const Dollars = Type.Number({ minimum: 0, description: 'US dollars, estimated' });

const USAGE_GROUPS = ['day', 'day-model', 'session', 'provider', 'total'] as const;

export const UsageQuery = Type.Object({
  by: Type.Optional(oneOf(USAGE_GROUPS, { default: 'day' })),
  since: Type.Optional(Day),
  sessionId: Type.Optional(RowId),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
});

const UsageRecord = objectOf<UsageRow>({
  day: NullableText,
  sessionId: Type.Union([RowId, Type.Null()]),
  provider: NullableText,
  model: NullableText,
  calls: Count,
  failedCalls: Count,
  inputTokens: Count,
  outputTokens: Count,
  cachedTokens: Count,
  estimatedCostUsd: Dollars,
});

const CeilingRecord = objectOf<Ceiling>({
  spent: Type.Number({ minimum: 0 }),
  limit: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  left: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
});

/** The requested rows, their total, and the remaining budget of today. */
export const UsageReply = objectOf<UsageReport>({
  items: Type.Array(UsageRecord),
  total: UsageRecord,
  today: objectOf<DayBudget>({
    day: Day,
    freeAtEpoch: EpochMs,
    calls: CeilingRecord,
    tokens: CeilingRecord,
    usd: CeilingRecord,
    sessionTokens: Type.Union([Count, Type.Null()]),
  }),
  note: Type.String({ description: 'How exact the figures are' }),
});
