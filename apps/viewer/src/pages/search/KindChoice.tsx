import { KINDS, type ShownKind } from './search-query.js';

/** Which kind of record is searched for. */
export function KindChoice({ kind, onChange }: { kind: ShownKind; onChange: (kind: ShownKind) => void }) {
  return (
    <fieldset className="choice">
      <legend className="visually-hidden">Search for</legend>
      {KINDS.map((one) => (
        <label key={one.kind}>
          <input
            type="radio"
            name="kind"
            checked={one.kind === kind}
            onChange={() => onChange(one.kind)}
            className="visually-hidden"
          />
          {one.label}
        </label>
      ))}
    </fieldset>
  );
}
