import { useEffect, useEffectEvent, useState } from 'react';
import { formatDay } from '../../format/format-time.js';
import { LEVEL_LABELS, LEVELS } from './format-log.js';
import type { LogFilter } from './use-log.js';

/** The filters of the log. `onChange` receives the new parameters of the URL. */
export function LogFilters({
  filter,
  dates,
  shownDate,
  onChange,
}: {
  filter: LogFilter;
  dates: readonly string[];
  shownDate: string | undefined;
  onChange: (search: { date?: string; level?: string; q?: string }) => void;
}) {
  const { date, level, text = '' } = filter;
  const [typed, setTyped] = useState(text);
  const search = (change: { date?: string; level?: string; q?: string }) =>
    onChange({
      ...(date !== undefined && { date }),
      ...(level !== undefined && { level }),
      ...(typed !== '' && { q: typed }),
      ...change,
    });
  const [known, setKnown] = useState(text);
  if (text !== known) {
    // the URL was changed by going back, going forward or a link
    setKnown(text);
    setTyped(text);
  }
  const settle = useEffectEvent(() => {
    if (typed !== text) {
      setKnown(typed);
      search({ q: typed });
    }
  });
  useEffect(() => {
    const timer = setTimeout(() => settle(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  const days = date === undefined || dates.includes(date) ? dates : [date, ...dates];
  return (
    <form className="row gap-3" onSubmit={(event) => event.preventDefault()} aria-label="Filter">
      <label className="field">
        Day
        <select value={date ?? ''} onChange={(event) => search({ date: event.target.value })}>
          <option value="">Today</option>
          {days
            .filter((day) => day === date || day !== shownDate || date !== undefined)
            .map((day) => (
              <option key={day} value={day}>
                {formatDay(new Date(`${day}T12:00`).getTime())}
              </option>
            ))}
        </select>
      </label>
      <label className="field">
        Level
        <select value={level ?? ''} onChange={(event) => search({ level: event.target.value })}>
          {LEVELS.map((each) => (
            <option key={each} value={each === 'debug' ? '' : each}>
              {LEVEL_LABELS[each]}
            </option>
          ))}
        </select>
      </label>
      <label className="field grow measure">
        Text
        <input
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          placeholder="Part of a line"
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
    </form>
  );
}

const TYPING_MS = 200;
